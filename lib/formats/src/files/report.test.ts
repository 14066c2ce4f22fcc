import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createWarnOnce } from './report.ts';

function collect() {
  const warnings: FieldProblem[] = [];
  return { warnings, warnOnce: createWarnOnce((warning) => warnings.push(warning)) };
}
const warning = { path: '', code: 'NOT_IMPORTED', detail: 'x' };

describe('a warning', () => {
  it('is emitted once for each code and key', () => {
    const { warnings, warnOnce } = collect();
    const other = { ...warning, code: 'NO_SUCH_TYPE' };
    for (const one of [warning, warning, other]) warnOnce('a', one);
    warnOnce('b', warning);
    expect(warnings).toEqual([warning, other, warning]);
  });

  it('has a key with spaces that differs from a key with a question', () => {
    const { warnings, warnOnce } = collect();
    warnOnce('a b', warning);
    warnOnce('a', warning, 'b');
    expect(warnings).toHaveLength(2);
  });

  it('is not emitted for ever more keys of a file', () => {
    const { warnings, warnOnce } = collect();
    for (let key = 0; key < 20_000; key += 1) warnOnce(`${key}`, warning);
    expect(warnings).toHaveLength(10_000);
  });

  it('is emitted for each question, up to ten and one that says that there are more', () => {
    const { warnings, warnOnce } = collect();
    for (const question of [...'aabcdefghijklmn']) warnOnce('hidden', { ...warning, path: question }, question);
    expect(warnings.map(({ path }) => path)).toEqual([...'abcdefghijk']);
    expect(warnings.map(({ detail }) => detail).slice(-2)).toEqual(['x', 'x. The same happens to other questions']);
    warnOnce('hidden', warning);
    expect(warnings).toHaveLength(12);
  });
});
