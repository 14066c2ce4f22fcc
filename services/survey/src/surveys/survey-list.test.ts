import { describe, expect, it } from 'vitest';
import { toTitleWords } from './survey-list.ts';

describe('toTitleWords', () => {
  it.each([
    ['Lunch', ['lunch']],
    ['the canteen', ['canteen', 'the']],
    ['can canteen c CAN', ['canteen']],
    [' é!', ['e']],
  ])('in %j are %j', (q, words) => {
    expect(toTitleWords(q)).toEqual(words);
  });

  it.each(['', ' ', '?!', '🎉'])('rejects %j', (q) => {
    const problem = expect.objectContaining({ path: '/q', code: 'NO_WORD' });
    expect(() => toTitleWords(q)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', errors: [problem] }));
  });
});
