const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_CACHED = 10_000;
/** `GMT`, `GMT+05:30`, or `GMT-00:44:30` in history. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Local time of a time zone minus UTC at a time, both in milliseconds. */
export type OffsetAt = (timeMs: number) => number;

/** Returns the offsets of a time zone of the IANA database; undefined if the name is unknown. */
export function findOffsets(timeZone: string): OffsetAt | undefined {
  const zone = findFormat(timeZone);
  if (zone === undefined) return undefined;
  const { format } = zone;
  /** The offsets at the starts of days in UTC. No zone changes its offset twice within such a day. */
  const atMidnight = new Map<number, number>();

  function read(timeMs: number): number {
    // `formatToParts` is three times slower.
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(format(timeMs)) ?? [];
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -ms : ms;
  }

  function readMidnight(day: number): number {
    const known = atMidnight.get(day);
    if (known !== undefined) return known;
    const offset = read(day * DAY_MS);
    if (atMidnight.size === MAX_CACHED) atMidnight.clear();
    atMidnight.set(day, offset);
    return offset;
  }

  return (timeMs) => {
    const day = Math.floor(timeMs / DAY_MS);
    const offset = readMidnight(day);
    return offset === readMidnight(day + 1) ? offset : read(timeMs);
  };
}

function findFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  // `Intl` accepts offsets, but they are not names of time zones.
  if (/^[+-]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses an RFC 3339 timestamp with any offset and up to nine digits of fraction; keeps milliseconds. Returns undefined
 * if the text is malformed or the time does not exist. A leap second becomes the next second.
 */
export function parseTimestamp(value: string): Date | undefined {
  const match = RFC3339.exec(value);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that does not exist rolls over into the next month.
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  const shifted = new Date(date.getTime() + (sign === '-' ? offsetMs : -offsetMs));
  // Protobuf's timestamps are limited to these years.
  return shifted.getUTCFullYear() >= 1 && shifted.getUTCFullYear() <= 9999 ? shifted : undefined;
}
