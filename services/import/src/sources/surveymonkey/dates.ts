import type { JsonValue } from '@bufbuild/protobuf';

const DATE = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/;
const ONLY_TIME = /^\s*\d{1,2}:\d\d(?::\d\d)?\s*(?:[AP]M)?\s*$/i;
const TIME = /(?:^|\s)(\d{1,2}):(\d\d)(?::\d\d)?\s*([AP]M)?\s*$/i;

/**
 * The date of an answer as YYYY-MM-DD, by whether its day or month comes first; undefined when it is a time alone, and any
 * other text stays as it is.
 */
export function dateOf(text: string, isDayFirst: boolean): string | undefined {
  const [, first, second, year] = DATE.exec(text) ?? [];
  if (first === undefined || second === undefined || year === undefined) {
    return ONLY_TIME.test(text) ? undefined : text;
  }
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The time of an answer as HH:MM; undefined when it has none. */
export function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = TIME.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** Whether the day comes first in dates of a format. */
export function isDayFirst(format: JsonValue | undefined): boolean {
  return format === 'date_intl';
}
