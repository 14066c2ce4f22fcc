import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createWarnOnce } from './warn-once.ts';

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

  it('is not emitted for ever more keys of a file', () => {
    const { warnings, warnOnce } = collect();
    for (let key = 0; key < 20_000; key += 1) warnOnce(`${key}`, warning);
    expect(warnings).toHaveLength(10_000);
  });
});
