import type { JsonValue } from '@bufbuild/protobuf';

const DATE = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/;
const ONLY_TIME = /^\d{1,2}:\d\d(?::\d\d)?\s*(?:[AP]M)?$/i;
const TIME = /(?:^|\s)(\d{1,2}):(\d\d)(?::\d\d)?\s*([AP]M)?$/i;

/** Converts a date to YYYY-MM-DD. A time alone gives undefined; other texts are returned unchanged. */
export function dateOf(text: string, isDayFirst: boolean): string | undefined {
  const [, first, second, year] = DATE.exec(text) ?? [];
  if (first === undefined || second === undefined || year === undefined) {
    return ONLY_TIME.test(text.trim()) ? undefined : text;
  }
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Extracts the time as HH:MM; undefined if there is none. */
export function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = TIME.exec(text.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** Whether a date format begins with the day. */
export function isDayFirst(format: JsonValue | undefined): boolean {
  return format === 'date_intl';
}
