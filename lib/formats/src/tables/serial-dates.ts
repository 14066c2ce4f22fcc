const DAY_SECONDS = 86_400;
/** 31 December 9999, the last day of spreadsheets. */
const LAST_DAY = 2_958_465;
/** Number of 1 March 1900. Spreadsheets have a 29 February 1900 before it, which did not exist. */
const FIRST_OF_MARCH_1900 = 61;
const DAYS_FROM_1900_TO_1904 = 1462;

interface Options {
  /** Whether days count from 1904, as in old workbooks of the Mac. */
  readonly is1904?: boolean;
}

/**
 * The date and time of a serial number of spreadsheets: `HH:MM` or `HH:MM:SS` below 1, `YYYY-MM-DD` for a whole day,
 * else `YYYY-MM-DDTHH:MM:SS`. Undefined if no date has this number.
 */
export function fromSerial(serial: number, { is1904 = false }: Options = {}): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined;
  const total = Math.round(serial * DAY_SECONDS);
  const [day, seconds] = [Math.floor(total / DAY_SECONDS), total % DAY_SECONDS];
  if (day === 0) return timeOf(seconds);
  const date = dateOf(is1904 ? day + DAYS_FROM_1900_TO_1904 : day);
  if (date === undefined || seconds === 0) return date;
  return `${date}T${new Date(seconds * 1000).toISOString().slice(11, 19)}`;
}

function dateOf(day: number): string | undefined {
  if (day > LAST_DAY || day === FIRST_OF_MARCH_1900 - 1) return undefined;
  const sinceEpoch = day - (day < FIRST_OF_MARCH_1900 ? 25_568 : 25_569);
  return new Date(sinceEpoch * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000).toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}
