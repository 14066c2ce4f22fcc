import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createTimeReader, dateOfTime, existingDay } from './times.ts';

describe('a time of another tool', () => {
  it.each([
    ['2024-02-29 09:30:05', undefined, '2024-02-29T09:30:05.000Z'],
    ['2024-2-29 9:30', undefined, '2024-02-29T09:30:00.000Z'],
    ['2024-02-29', undefined, '2024-02-29T00:00:00.000Z'],
    ['2024-02-29 09:30:05.123', 'UTC', '2024-02-29T09:30:05.000Z'],
    ['2024-02-29 09:30:05', 'Europe/Berlin', '2024-02-29T08:30:05.000Z'],
    ['2024-07-01 00:30:00', 'Europe/Berlin', '2024-06-30T22:30:00.000Z'],
    ['2024-03-10 03:30:00', 'America/Denver', '2024-03-10T09:30:00.000Z'],
    // Clocks went from 02:00 to 03:00, and back from 03:00 to 02:00: the first of the two hours is taken.
    ['2024-03-31 02:30:00', 'Europe/Berlin', '2024-03-31T01:30:00.000Z'],
    ['2024-10-27 02:30:00', 'Europe/Berlin', '2024-10-27T01:30:00.000Z'],
    ['0099-06-01 12:00:00', 'Asia/Kolkata', '0099-06-01T06:06:32.000Z'],
    ['0002-01-01 00:00:00', 'America/Denver', '0002-01-01T06:59:56.000Z'],
    ['2024-02-29T09:30:05+02:00', 'Europe/Berlin', '2024-02-29T07:30:05.000Z'],
  ])('%s in the zone %s is %s', (text, zone, expected) => {
    expect(createTimeReader(zone, () => undefined)(text)?.toISOString()).toBe(expected);
  });

  it.each(['', 'yesterday', '2024-02-30 10:00', '2024-13-01', '29.02.2024 10:00', '2024-02-29 25:00'])(
    '%j is no time',
    (text) => {
      expect(createTimeReader(undefined, () => undefined)(text)).toBeUndefined();
    },
  );

  it('is of UTC with a warning if neither the text nor the import has a zone', () => {
    const warnings: FieldProblem[] = [];
    const readTime = createTimeReader(undefined, (_, warning) => warnings.push(warning));
    expect(readTime('2024-02-29T09:30:05+02:00')).toEqual(new Date('2024-02-29T07:30:05Z'));
    expect(readTime('yesterday')).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(readTime('2024-02-29 09:30:05')).toEqual(new Date('2024-02-29T09:30:05Z'));
    expect(warnings).toMatchObject([{ code: 'TIME_ZONE_ASSUMED' }]);
  });

  it('is rejected in an unknown zone', () => {
    const rejected = expect.objectContaining({ errors: [expect.objectContaining({ code: 'UNKNOWN_TIME_ZONE' })] });
    expect(() => createTimeReader('Nowhere/Else', () => undefined)).toThrow(rejected);
  });
});

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
