import { describe, expect, it } from 'vitest';
import { readRating, readText, shownText, understoodNumber } from './number-text.ts';

describe.each([
  ['', 'en', undefined, undefined],
  [' ', 'en', undefined, undefined],
  ['3', 'en', '3', 3],
  ['3.', 'en', '3', 3],
  ['3.50', 'en', '3.50', 3.5],
  ['5 ', 'en', '5', 5],
  ['.5', 'en', '0.5', 0.5],
  ['-', 'en', '-', '-'],
  ['3,5', 'en', '3,5', '3,5'],
  ['36,6', 'de', '36.6', 36.6],
  ['٣٦٫٦', 'ar', '36.6', 36.6],
  ['many', 'en', 'many', 'many'],
  ['0x10', 'en', '0x10', '0x10'],
])('%j in the language %s', (typed, language, text, rating) => {
  it('is read', () => expect([readText(typed, language), readRating(typed, language)]).toEqual([text, rating]));
});

it('shows what was typed as long as it is the answer', () => {
  const read = (typed: string) => readRating(typed, 'de');
  expect(shownText('3,50', 3.5, read)).toBe('3,50');
  expect(shownText('3..5', '3..5', read)).toBe('3..5');
  expect(shownText('3.50', 4, read)).toBe('4');
  expect(shownText('3.50', undefined, read)).toBe('');
  expect(shownText('', 7, read)).toBe('7');
});

it('shows the number that was understood after a decimal comma', () => {
  expect(understoodNumber('1,234', 'de')).toEqual(['1,234', '1.234']);
  expect([understoodNumber('1.234', 'de'), understoodNumber('1,234', 'en'), understoodNumber('7', 'de')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
