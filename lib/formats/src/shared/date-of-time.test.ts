import { expect, it } from 'vitest';
import { dateOfTime, existingDay } from './date-of-time.ts';

it.each([
  ['2024-05-01T09:30:00.000Z', '2024-05-01'],
  ['2024-05-01 00:00:00', '2024-05-01'],
  ['2024-05-01', '2024-05-01'],
  ['2024-05-01 or later', '2024-05-01 or later'],
  ['2024-05-012', '2024-05-012'],
  ['', ''],
])('%j has the date %j', (text, date) => {
  expect(dateOfTime(text)).toBe(date);
});

it.each([
  ['2024-02-29', '2024-02-29'],
  ['2024-02-30', undefined],
  ['2024-13-01', undefined],
  ['2024-5-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('the existing day of %j is %j', (text, day) => {
  expect(existingDay(text)).toBe(day);
});
