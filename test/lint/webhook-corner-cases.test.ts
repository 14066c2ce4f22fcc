import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const COUNT = 55;
const page = await readFile(join(root, 'docs/webhook-corner-cases.md'), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const cells = line.split(' | ');
  const number = /^\| (\d+)$/.exec(cells[0] ?? '')?.[1];
  return number === undefined ? [] : [{ number: Number(number), cells }];
});

/** The tests in a row, with their files. */
function testsOf(cell: string): readonly { readonly file: string; readonly name: string }[] {
  return [...cell.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, path = '', name = '']) => ({
    file: /^(test|lib)\//.test(path) ? path : `services/webhook/src/${path}`,
    name,
  }));
}

describe('the corner cases of webhooks', () => {
  it('are listed in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  });

  it.each(rows)('case $number has existing tests or an explanation', async ({ cells }) => {
    expect(cells).toHaveLength(4);
    const shownBy = (cells[3] ?? '').replace(/ \|$/, '');
    if (shownBy === 'reason') return;
    const tests = testsOf(shownBy);
    expect(tests.map(({ file, name }) => `${file} "${name}"`).length).toBe(shownBy.split('; ').length);
    for (const { file, name } of tests) expect(await readFile(join(root, file), 'utf8'), file).toContain(`'${name}'`);
  });
});
