import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/run-step.ts';
import { withUsageTable } from './usage-table.ts';

const measured = [
  { name: 'gateway', replicas: 2, cpu: 63, memory: 78 },
  { name: 'kafka', replicas: 1, cpu: 104, memory: 350 },
];

it('the table of CPU and memory in operations.md is replaced by the measurement of a run', async () => {
  const document = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const written = withUsageTable(document, measured);
  expect(written).toContain(
    '|---|---|---|---|\n| gateway | 2 | 63m | 78 MiB |\n| Kafka (trial) | 1 | 104m | 350 MiB |\n\n<!-- end of usage -->',
  );
  expect(written).not.toContain('MongoDB (trial)');
  expect(withUsageTable(written, measured)).toBe(written);
});

it('a document without a place for the table is rejected', () => {
  expect(() => withUsageTable('nothing', measured)).toThrow('the document has no');
});
