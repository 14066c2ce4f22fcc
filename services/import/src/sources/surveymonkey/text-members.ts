import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { numberOf } from './question.ts';

/** What a line of text has to be, by SurveyMonkey's names. */
const formats: Readonly<Record<string, string>> = {
  integer: 'integer',
  decimal: 'number',
  email: 'email',
  url: 'url',
};

/** A line of text, as its validation wants it. */
export function textMembers(validation: JsonObject): JsonObject {
  const type = String(validation['type']);
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  if (type !== 'text_length') return { type: 'text', ...(format === undefined ? {} : { format }) };
  const [min, max] = [numberOf(validation['min']), numberOf(validation['max'])];
  const isSound = (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY);
  return {
    type: 'text',
    ...(isSound && isCount(min) ? { min_length: min } : {}),
    ...(isSound && isCount(max) ? { max_length: max } : {}),
  };
}

export function isDateFormat(type: JsonValue | undefined): boolean {
  return type === 'date_us' || type === 'date_intl';
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1;
}
