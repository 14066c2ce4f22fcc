import { parseTimestamp } from '@survey/runtime/rest/timestamp';

const LOCAL = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/**
 * Parses a time such as `2024-02-29 09:30:00` in a time zone (IANA name; unknown zones are UTC). RFC 3339 times have
 * their own zone. Gives undefined if the text is not a time.
 */
export function parseLocalTime(text: string, timeZone = 'UTC'): Date | undefined {
  const given = text.trim();
  const exact = parseTimestamp(given);
  if (exact !== undefined) return exact;
  const parts = LOCAL.exec(given);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts;
  const utc = parseTimestamp(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`);
  return utc && new Date(utc.getTime() - offsetAt(utc, timeZone));
}

/** Offset of a zone in milliseconds, at the moment when its clocks show this local time. */
function offsetAt(shown: Date, timeZone: string): number {
  const guess = offsetOf(shown, timeZone);
  return offsetOf(new Date(shown.getTime() - guess), timeZone);
}

function offsetOf(moment: Date, timeZone: string): number {
  const parts = formatOf(timeZone)?.formatToParts(moment);
  if (parts === undefined) return 0;
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const local = Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'));
  return local - Math.trunc(moment.getTime() / 1000) * 1000;
}

let latest: { readonly timeZone: string; readonly format: Intl.DateTimeFormat | undefined } | undefined;

/** The format of a zone, which is kept for the next time: a file has one zone, and formats are slow to make. */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (timeZone === 'UTC' || timeZone === 'Z') return undefined;
  if (latest?.timeZone !== timeZone) latest = { timeZone, format: createFormat(timeZone) };
  return latest.format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
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
