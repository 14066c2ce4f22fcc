import type { JsonObject } from '@bufbuild/protobuf';
import { existingDay } from '../core/responses/times.ts';

export type DateParts = 'date' | 'time';

/** The parts that a date format asks for; without a format, the date. */
export function datePartsOf(format: string): DateParts | 'both' {
  const hasDate = format === '' || /[dmy]/.test(format);
  const hasTime = /H|MM/.test(format);
  if (hasDate) return hasTime ? 'both' : 'date';
  return hasTime ? 'time' : 'date';
}

/** Converts limits that are a day or year. Expressions and relative dates are ignored. */
export function readDateLimits(attributes: ReadonlyMap<string, string>): JsonObject {
  const [min, max] = [toDay(attributes.get('date_min'), '01-01'), toDay(attributes.get('date_max'), '12-31')];
  if (min !== undefined && max !== undefined && min > max) return {};
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

export function isDay(value: string | undefined): boolean {
  return toDay(value, '01-01') !== undefined;
}

/** Reads a day or a year. `end` completes a year to a day, such as `01-01`. */
function toDay(value: string | undefined, end: string): string | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{4}$/.test(text)) return `${text}-${end}`;
  return existingDay(/^\d{4}-\d{2}-\d{2}(?= 00:00|$)/.exec(text)?.[0]);
}
