import { ApiError } from '@survey/client';
import { describe, expect, it } from 'vitest';
import { diffAnswers, groupErrors } from './correction.ts';

describe('diffAnswers', () => {
  it.each([
    ['nothing', { a: 1, b: ['x'] }, { a: 1, b: ['x'] }, {}],
    ['a changed answer', { a: 1, b: 'x' }, { a: 2, b: 'x' }, { a: 2 }],
    ['a new answer', {}, { a: 0 }, { a: 0 }],
    ['a removed answer', { a: 1, b: 'x', c: 'y' }, { b: '', c: 'y' }, { a: null, b: null }],
    ['an emptied set', { a: ['x'] }, { a: [] }, { a: null }],
    ['an answer that stays absent', {}, { a: '', b: [], c: undefined }, {}],
    ['an answer inside of a row', { a: { r: 'x' } }, { a: { r: 'y' } }, { a: { r: 'y' } }],
  ])('has %s', (_case, before, after, patch) => {
    expect(diffAnswers(before, after)).toEqual(patch);
  });
});

describe('groupErrors', () => {
  it('takes the first error of each question', () => {
    const field = (path: string, detail: string) => ({ path, detail, code: 'REQUIRED' as const });
    const error = new ApiError('invalid', {
      code: 'INVALID_ANSWERS',
      status: 422,
      errors: [
        field('/data/a', 'one'),
        field('/data/a', 'two'),
        field('/data/gone', 'x'),
        field('/metadata/x', 'y'),
        field('/x', 'z'),
      ],
    });
    const { byQuestion, ofMetadata, others } = groupErrors(error, new Set(['a', 'b']));
    expect([...byQuestion]).toEqual([['a', 'one']]);
    expect(others.map(({ path }) => path)).toEqual(['/data/gone', '/x']);
    expect(ofMetadata).toBe('y');
  });
});
