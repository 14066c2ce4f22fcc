import { expect, it } from 'vitest';
import { dateOfTime } from './date-of-time.ts';

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
