import { describe, expect, it } from 'vitest';
import { parseLocalTime, parseZonedTime, toZoneClock } from './local-time.ts';

describe('a time of another tool', () => {
  it.each([
    ['2024-02-29 09:30:05', undefined, '2024-02-29T09:30:05.000Z'],
    ['2024-2-29 9:30', undefined, '2024-02-29T09:30:00.000Z'],
    ['2024-02-29', undefined, '2024-02-29T00:00:00.000Z'],
    ['2024-02-29 09:30:05.123', 'Z', '2024-02-29T09:30:05.000Z'],
    ['2024-02-29 09:30:05', 'Europe/Berlin', '2024-02-29T08:30:05.000Z'],
    ['2024-07-01 00:30:00', 'Europe/Berlin', '2024-06-30T22:30:00.000Z'],
    ['2024-03-10 03:30:00', 'America/Denver', '2024-03-10T09:30:00.000Z'],
    ['2024-02-29 09:30:05', 'No/Such', '2024-02-29T09:30:05.000Z'],
    ['0099-06-01 12:00:00', 'Asia/Kolkata', '0099-06-01T06:06:32.000Z'],
    ['0002-01-01 00:00:00', 'America/Denver', '0002-01-01T06:59:56.000Z'],
    ['2024-02-29T09:30:05+02:00', 'Europe/Berlin', '2024-02-29T07:30:05.000Z'],
  ])('%s in the zone %s is %s', (text, zone, expected) => {
    expect(parseZonedTime(text, toZoneClock(zone))?.toISOString()).toBe(expected);
  });

  it.each(['', 'yesterday', '2024-02-30 10:00', '2024-13-01', '29.02.2024 10:00', '2024-02-29 25:00'])(
    '%j is no time',
    (text) => {
      expect(parseLocalTime(text)).toBeUndefined();
    },
  );
});
