import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ANSWER_CODES } from '@survey/questionnaire/answers/answer-codes';
import { LINT_CODES } from '@survey/questionnaire/lint/lint-codes';
import { errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES, OPERATION_CODES } from '@survey/runtime/errors/field-codes';
import { expect, it } from 'vitest';
import { findContractBase } from '../support/contract-base.ts';
import { root, runTool } from '../support/run-step.ts';

/** The codes that a source file declares, those of errors with their status: `400 INVALID_CURSOR`. */
function declaredCodes(source: string): string[] {
  const members = source.matchAll(/^ {2}([A-Z][A-Z0-9_]*): \{(?:[^}]*?\bstatus: (\d{3}))?/gm);
  return [...members].map(([, code, status]) => (status === undefined ? `${code}` : `${status} ${code}`));
}

it('reads the codes of a source file', () => {
  const source =
    "  INVALID_CURSOR: { status: 400 },\n  LINK_USED_UP: {\n    status: 410,\n  },\n  TOO_DEEP: { advice: '' },\n";
  expect(declaredCodes(source)).toEqual(['400 INVALID_CURSOR', '410 LINK_USED_UP', 'TOO_DEEP']);
});

it('there are all codes of the last release, because clients compare with them', async ({ skip }) => {
  const base = await findContractBase();
  skip(base === undefined, 'there is no earlier commit to compare with');
  const current = [
    ...Object.entries(errorCodes).map(([code, { status }]) => `${status} ${code}`),
    ...Object.keys(FIELD_CODES),
  ];
  for (const [file, someCode] of [
    ['error-codes.ts', '400 INVALID_CURSOR'],
    ['field-codes.ts', 'TOO_DEEP'],
  ]) {
    const { passed, output } = await runTool('git', ['show', `${base}:lib/runtime/src/errors/${file}`]);
    expect(passed, output).toBe(true);
    const released = declaredCodes(output);
    expect(released).toContain(someCode);
    expect(current).toEqual(expect.arrayContaining(released));
  }
});

it('every code of a field that a process reports is documented', async () => {
  const guide = await readFile(join(root, 'docs/import.md'), 'utf8');
  const documented = new Set([
    ...[errorCodes, FIELD_CODES, OPERATION_CODES, ANSWER_CODES, LINT_CODES].flatMap(Object.keys),
    ...[...guide.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
  ]);
  const reported = new Set<string>();
  for await (const path of glob('{services/*,gateway,lib/runtime}/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|\/testing\//.test(path)) continue;
    const source = await readFile(join(root, path), 'utf8');
    for (const [, code = ''] of source.matchAll(/\bcode: '([A-Z_]+)',\s*detail\b/g)) reported.add(code);
  }
  expect(reported).toContain('NOT_IN_FUTURE');
  expect([...reported].filter((code) => !documented.has(code))).toEqual([]);
});
