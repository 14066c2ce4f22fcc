import { expect, it } from 'vitest';
import { readNumber, shownText } from './number-text.ts';

it.each([
  ['', undefined],
  [' ', undefined],
  ['3', 3],
  ['3.', 3],
  ['3.50', 3.5],
  ['05', 5],
  ['5 ', 5],
  ['-2', -2],
  ['.5', 0.5],
  ['-', '-'],
  ['3,5', '3,5'],
  ['many', 'many'],
  ['0x10', '0x10'],
  ['Infinity', 'Infinity'],
])('reads %j as %j', (text, answer) => {
  expect(readNumber(text)).toBe(answer);
});

it('shows what was typed as long as it is the answer', () => {
  expect(shownText('3.50', 3.5)).toBe('3.50');
  expect(shownText('3,5', '3,5')).toBe('3,5');
  expect(shownText('3.50', 4)).toBe('4');
  expect(shownText('3.50', undefined)).toBe('');
  expect(shownText('', 7)).toBe('7');
});
