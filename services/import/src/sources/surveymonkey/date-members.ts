import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { dateOf, isDayFirst } from './dates.ts';

export function isDateFormat(type: JsonValue | undefined): boolean {
  return type === 'date_us' || type === 'date_intl';
}

export function dateMembers(validation: JsonObject): JsonObject {
  const [min, max] = [validation['min'], validation['max']].map((limit) => limitOf(limit, validation['type']));
  if (min !== undefined && max !== undefined && min > max) return { type: 'date' };
  return { type: 'date', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Keeps the order of day and month in answers. */
export function dateSource({ type = '' }: JsonObject): JsonObject {
  return isDateFormat(type) ? { date_format: type } : {};
}

/** A valid date, from the format of answers or from YYYY-MM-DD; otherwise undefined. */
function limitOf(limit: JsonValue | undefined, type: JsonValue | undefined): string | undefined {
  if (!isDateFormat(type) || typeof limit !== 'string') return undefined;
  const day = dateOf(limit, isDayFirst(type))?.trim();
  return day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : undefined;
}
