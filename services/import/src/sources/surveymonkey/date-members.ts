import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { dateOf, isDayFirst } from './dates.ts';

export function isDateFormat(type: JsonValue | undefined): boolean {
  return type === 'date_us' || type === 'date_intl';
}

/** A date, as its validation wants it. */
export function dateMembers(validation: JsonObject): JsonObject {
  const [min, max] = [validation['min'], validation['max']].map((limit) => limitOf(limit, validation['type']));
  if (min !== undefined && max !== undefined && min > max) return { type: 'date' };
  return { type: 'date', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Whether day or month comes first in answers. */
export function dateSource({ type = '' }: JsonObject): JsonObject {
  return isDateFormat(type) ? { date_format: type } : {};
}

/** A day that there is, as answers are written or as YYYY-MM-DD. */
function limitOf(limit: JsonValue | undefined, type: JsonValue | undefined): string | undefined {
  if (!isDateFormat(type) || typeof limit !== 'string') return undefined;
  const day = dateOf(limit, isDayFirst(type))?.trim();
  return day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : undefined;
}
