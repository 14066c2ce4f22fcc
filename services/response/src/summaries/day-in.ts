import { AppError } from '@survey/runtime/errors/app-error';

/** Tells the day of a moment, YYYY-MM-DD. */
export type DayOf = (time: Date) => string;

/** The days of a time zone, by its name in the IANA database. Throws `INVALID_REQUEST` when there is none of the name. */
export function dayIn(timeZone: string): DayOf {
  const { format } = formatIn(timeZone);
  return (time) => {
    // `formatToParts` takes three times as long.
    const [month = '', day = '', year = ''] = format(time).split('/');
    return `${year.padStart(4, '0')}-${month}-${day}`;
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
