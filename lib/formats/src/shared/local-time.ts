import { parseTimestamp } from '@survey/runtime/rest/timestamp';

const LOCAL = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/** The clocks of a time zone. */
export type ZoneClock = Intl.DateTimeFormat;

/** Parses a time in UTC, such as `2024-02-29 09:30:00`. Returns undefined if the text is not a time. */
export const parseLocalTime = (text: string): Date | undefined => parseZonedTime(text, undefined);

/** Parses a time in a zone. RFC 3339 times have their own zone. Returns undefined if the text is not a time. */
export function parseZonedTime(text: string, zone: ZoneClock | undefined): Date | undefined {
  const given = text.trim();
  const exact = parseTimestamp(given);
  if (exact !== undefined) return exact;
  const parts = LOCAL.exec(given);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts;
  const utc = parseTimestamp(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`);
  return utc && new Date(utc.getTime() - (zone === undefined ? 0 : offsetAt(utc, zone)));
}

/** Offset of a zone in milliseconds, at the moment when its clocks show this local time. */
function offsetAt(shown: Date, zone: ZoneClock): number {
  const guess = offsetOf(shown, zone);
  return offsetOf(new Date(shown.getTime() - guess), zone);
}

function offsetOf(moment: Date, zone: ZoneClock): number {
  const parts = zone.formatToParts(moment);
  const textOf = (type: string) => parts.find((one) => one.type === type)?.value;
  const part = (type: string) => Number(textOf(type));
  const year = textOf('era') === 'BC' ? 1 - part('year') : part('year');
  const local = new Date(0);
  // `Date.UTC` takes years up to 99 for those from 1900 on.
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(moment.getTime() / 1000) * 1000;
}

/**
 * The clock of a zone (IANA name). Returns undefined for UTC and unknown zones. Make it once for a file: it is slow to
 * make.
 */
export function toZoneClock(timeZone = 'UTC'): ZoneClock | undefined {
  if (timeZone === 'UTC' || timeZone === 'Z') return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    // Intl throws a RangeError for unknown zones.
    return undefined;
  }
}

function pad(part: string | undefined): string {
  return (part ?? '').padStart(2, '0');
}
