import { AppError } from '@survey/runtime/errors/app-error';

const MINUTE_MS = 60_000;
/** Since 1972, when Liberia was the last to change, every zone changes on whole minutes, by whole minutes (IANA database). */
const FIRST_MINUTE = Math.floor(Date.UTC(1973, 0) / MINUTE_MS);
const REMEMBERED = 10_000;

/** Tells the day of a moment, YYYY-MM-DD. */
export type DayOf = (time: Date) => string;

/** The days of a time zone, by its name in the IANA database. Throws `INVALID_REQUEST` when there is none of the name. */
export function dayIn(timeZone: string): DayOf {
  const { format } = formatIn(timeZone);
  const known = new Map<number, string>();

  function dayOf(time: Date): string {
    // `formatToParts` takes three times as long.
    const [month = '', day = '', year = ''] = format(time).split('/');
    return `${year.padStart(4, '0')}-${month}-${day}`;
  }

  return (time) => {
    const minute = Math.floor(time.getTime() / MINUTE_MS);
    if (minute < FIRST_MINUTE) return dayOf(time);
    const day = known.get(minute) ?? dayOf(time);
    if (known.size === REMEMBERED) known.clear();
    known.set(minute, day);
    return day;
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    // Offsets are taken for time zones, but are no names of any.
    if (/^[+-]/.test(timeZone)) throw new RangeError('an offset');
    return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('INVALID_REQUEST', { errors: [UNKNOWN_ZONE], cause: error });
    throw error;
  }
}

const UNKNOWN_ZONE = { path: '/tz', code: 'UNKNOWN_TIME_ZONE', detail: 'there is no time zone of this name' };
