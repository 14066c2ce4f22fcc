import { AppError } from '@survey/runtime/errors/app-error';

const MINUTE_MS = 60_000;
/** From 1973 on, the offsets of all zones in the IANA database are whole minutes, so all times of a minute share a day. */
const FIRST_MINUTE = Math.floor(Date.UTC(1973, 0) / MINUTE_MS);
const MAX_CACHED = 10_000;

/** Returns the day of a time as YYYY-MM-DD. */
export type DayOf = (time: Date) => string;

/** Returns the calendar of a time zone of the IANA database. Throws `INVALID_REQUEST` if the name is unknown. */
export function dayIn(timeZone: string): DayOf {
  const { format } = formatIn(timeZone);
  const dayByMinute = new Map<number, string>();

  function dayOf(time: Date): string {
    // `formatToParts` is three times slower.
    const [month = '', day = '', year = ''] = format(time).split('/');
    return `${year.padStart(4, '0')}-${month}-${day}`;
  }

  return (time) => {
    const minute = Math.floor(time.getTime() / MINUTE_MS);
    if (minute < FIRST_MINUTE) return dayOf(time);
    const day = dayByMinute.get(minute) ?? dayOf(time);
    if (dayByMinute.size === MAX_CACHED) dayByMinute.clear();
    dayByMinute.set(minute, day);
    return day;
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    // `Intl` accepts offsets, but they are not names of time zones.
    if (/^[+-]/.test(timeZone)) throw new RangeError('an offset');
    return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('INVALID_REQUEST', { errors: [UNKNOWN_ZONE], cause: error });
    throw error;
  }
}

const UNKNOWN_ZONE = {
  path: '/tz',
  code: 'UNKNOWN_TIME_ZONE',
  detail: 'must be the name of an IANA time zone, such as Europe/Berlin',
};
