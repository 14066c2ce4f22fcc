import { describe, expect, it } from 'vitest';
import { findOffsets } from './timestamp.ts';

describe('the offset of a time zone', () => {
  it.each([
    ['UTC', '2024-03-31T23:59:59.999Z', '2024-03-31'],
    ['Europe/Berlin', '2024-03-31T21:59:59Z', '2024-03-31'],
    ['Europe/Berlin', '2024-03-31T22:00:00Z', '2024-04-01'],
    ['America/New_York', '2024-01-01T04:59:59Z', '2023-12-31'],
    ['Pacific/Kiritimati', '2024-01-01T10:00:00Z', '2024-01-02'],
    // Clocks went back from 00:01 to 23:01 of the day before.
    ['America/St_Johns', '2010-11-07T02:30:30Z', '2010-11-07'],
    ['America/St_Johns', '2010-11-07T02:31:30Z', '2010-11-06'],
    ['Africa/Monrovia', '1971-01-01T00:44:29Z', '1970-12-31'],
    ['Africa/Monrovia', '1971-01-01T00:44:30Z', '1971-01-01'],
    ['UTC', '0099-12-31T00:00:00Z', '0099-12-31'],
  ])('in %s of %s is %s', (timeZone, time, day) => {
    const timeMs = Date.parse(time);
    const offset = findOffsets(timeZone)?.(timeMs) ?? Number.NaN;
    expect(new Date(timeMs + offset).toISOString().slice(0, 10)).toBe(day);
  });

  it.each(['Nowhere/Else', '+02:00', '-0130', ' ', 'UTC+1'])('is unknown in %j', (timeZone) => {
    expect(findOffsets(timeZone)).toBeUndefined();
  });
});
