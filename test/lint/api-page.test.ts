import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIELD_CODES } from '@survey/runtime/errors/field-codes';
import { reasons } from '@survey/runtime/errors/reasons';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Not documented, because the client has disconnected. */
const UNSEEN = ['CANCELLED'];

it('docs/api.md has the table of all reasons: paste what is expected here between its markers when it has changed', async () => {
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const [, shown] = /<!-- reasons -->\n(.*)<!-- \/reasons -->/s.exec(page) ?? [];
  const rows = Object.entries(reasons)
    .filter(([code]) => !UNSEEN.includes(code))
    .map(([code, { status, detail }]) => `| ${status} | \`${code}\` | ${detail} |\n`);
  expect(shown).toBe(`| status | code | detail by default |\n|---|---|---|\n${rows.join('')}`);
});

it('docs/api.md has the table of all codes of fields: paste what is expected here between its markers when it has changed', async () => {
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const [, shown] = /<!-- field codes -->\n(.*)<!-- \/field codes -->/s.exec(page) ?? [];
  const rows = Object.entries(FIELD_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |\n`);
  expect(shown).toBe(`| code | meaning |\n|---|---|\n${rows.join('')}`);
});
