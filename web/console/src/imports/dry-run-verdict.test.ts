import { expect, it } from 'vitest';
import { describeDryRun } from './dry-run-verdict.ts';

it.each([
  [{ status: 'running' }, 'The file is being checked…'],
  [{ status: 'failed', total: 2, failed: 2 }, 'The check has ended.'],
  // A file of a survey.
  [{ status: 'completed' }, 'The file can be imported.'],
  [{ status: 'completed', total: 2, imported: 2, failed: 0 }, 'The file can be imported.'],
  [
    { status: 'completed', total: 2, imported: 2, imported_in_part: 1 },
    'The file can be imported, 1 of its responses in part.',
  ],
  [
    { status: 'completed', total: 4, imported: 2, imported_in_part: 1, left_out: 2 },
    '2 of 4 responses can be imported, 1 of them in part.',
  ],
  [{ status: 'completed', total: 4, imported: 1, failed: 3 }, '1 of 4 responses can be imported.'],
  [{ status: 'completed', total: 4, skipped: 4 }, 'All responses of the file exist already.'],
  [
    { status: 'completed', total: 4, imported: 2, imported_in_part: 1, skipped: 2 },
    '2 of 4 responses can be imported, 1 of them in part, 2 exist already.',
  ],
] as const)('describes %j', (item, text) => {
  expect(describeDryRun(item)).toBe(text);
});
