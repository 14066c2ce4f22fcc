import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorAdvice } from '@survey/runtime/errors/error-advice';
import { type ErrorCode, errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES } from '@survey/runtime/errors/field-codes';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Not documented, because the client has disconnected. */
const UNSEEN = ['CANCELLED'];

it('docs/api.md has the table of all error codes: paste what is expected here between its markers when it has changed', async () => {
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const [, shown] = /<!-- error codes -->\n(.*)<!-- \/error codes -->/s.exec(page) ?? [];
  const rows = Object.entries(errorCodes)
    .filter(([code]) => !UNSEEN.includes(code))
    .map(
      ([code, { status, detail }]) => `| ${status} | \`${code}\` | ${detail} | ${errorAdvice[code as ErrorCode]} |\n`,
    );
  expect(shown).toBe(`| status | code | detail by default | what to do |\n|---|---|---|---|\n${rows.join('')}`);
});

it('docs/api.md has the table of all codes of fields: paste what is expected here between its markers when it has changed', async () => {
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const [, shown] = /<!-- field codes -->\n(.*)<!-- \/field codes -->/s.exec(page) ?? [];
  const rows = Object.entries(FIELD_CODES).map(
    ([code, { meaning, advice }]) => `| \`${code}\` | ${meaning} | ${advice} |\n`,
  );
  expect(shown).toBe(`| code | meaning | what to do |\n|---|---|---|\n${rows.join('')}`);
});
