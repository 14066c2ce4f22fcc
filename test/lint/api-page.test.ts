import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorAdvice } from '@survey/runtime/errors/error-advice';
import { type ErrorCode, errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES } from '@survey/runtime/errors/field-codes';
import { expect, it } from 'vitest';
import { findContractBase } from '../support/contract-base.ts';
import { root, runTool } from '../support/run-step.ts';

/** Not documented, because the client has disconnected. */
const UNSEEN = ['CANCELLED'];

/** The codes of both tables of docs/api.md, those of errors with their status: `400 INVALID_CURSOR`. */
function documentedCodes(page: string): string[] {
  const rows = page.matchAll(/^\| (?:(\d{3}) \| )?`([A-Z][A-Z0-9_]*)` \|/gm);
  return [...rows].map(([, status, code]) => (status === undefined ? `${code}` : `${status} ${code}`));
}

it('reads the codes of a page', () => {
  const page = '| 400 | `INVALID_CURSOR` | a | b |\n| `STRING_TOO_LONG` | a | b |\n| `survey.closed` | a |\n';
  expect(documentedCodes(page)).toEqual(['400 INVALID_CURSOR', 'STRING_TOO_LONG']);
});

it('docs/api.md has all codes of the last release, because clients compare with them', async ({ skip }) => {
  const base = await findContractBase();
  skip(base === undefined, 'there is no earlier commit to compare with');
  const { passed, output: released } = await runTool('git', ['show', `${base}:docs/api.md`]);
  expect(passed, released).toBe(true);
  const codes = documentedCodes(released);
  expect(codes.length).toBeGreaterThan(Object.keys(errorCodes).length);
  expect(documentedCodes(await readFile(join(root, 'docs/api.md'), 'utf8'))).toEqual(expect.arrayContaining(codes));
});

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
