import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const page = await readFile(join(root, 'SECURITY.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
  .map(([, rule = '', keptIn = '', shownBy = '']) => ({ rule, keptIn, shownBy }))
  .filter(({ rule }) => rule !== 'rule');

/** The tests or test groups in a row, with their files. */
function testsOf(cell: string): readonly { readonly file: string; readonly name: string }[] {
  return [...cell.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));
}

describe('the boundaries', () => {
  it('are listed', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('$rule', async ({ keptIn, shownBy }) => {
    const files = [...keptIn.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(keptIn.split(', ')).toHaveLength(files.length);
    for (const file of files) await expect(access(join(root, file)), file).resolves.toBeUndefined();
    const tests = testsOf(shownBy);
    expect(tests.map(({ file, name }) => `\`${file}\` "${name}"`)).toEqual(shownBy.split('; '));
    for (const { file, name } of tests) expect(await readFile(join(root, file), 'utf8'), file).toContain(`'${name}'`);
  });
});
