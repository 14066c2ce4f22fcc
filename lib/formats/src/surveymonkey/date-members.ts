import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { existingDay } from '../core/responses/times.ts';
import { dateOf, isDayFirst } from './dates.ts';

export function isDateFormat(type: JsonValue | undefined): boolean {
  return type === 'date_us' || type === 'date_intl';
}

export function dateMembers(validation: JsonObject): JsonObject {
  const [min, max] = [validation['min'], validation['max']].map((limit) => limitOf(limit, validation['type']));
  if (min !== undefined && max !== undefined && min > max) return { type: 'date' };
  return { type: 'date', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Keeps the date format in `source_data`: it tells whether answers begin with the day or the month. */
export function dateSource({ type = '' }: JsonObject): JsonObject {
  return isDateFormat(type) ? { date_format: type } : {};
}

/** Converts a limit, in the format of answers or as YYYY-MM-DD, to YYYY-MM-DD. Undefined if it is no valid date. */
function limitOf(limit: JsonValue | undefined, type: JsonValue | undefined): string | undefined {
  if (!isDateFormat(type) || typeof limit !== 'string') return undefined;
  return existingDay(dateOf(limit, isDayFirst(type))?.trim());
}
