import type { JsonObject } from '@bufbuild/protobuf';
import { numberOf } from '../core/source-questions.ts';

/** Text formats by validation type. */
const formats: Readonly<Record<string, string>> = {
  integer: 'integer',
  decimal: 'number',
  email: 'email',
  url: 'url',
};

export function textMembers(validation: JsonObject): JsonObject {
  const type = String(validation['type']);
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  return { type: 'text', ...(format === undefined ? {} : { format }), ...lengthMembers(validation) };
}

export function lengthMembers(validation: JsonObject): JsonObject {
  if (validation['type'] !== 'text_length') return {};
  const [min, max] = [numberOf(validation['min']), numberOf(validation['max'])];
  if ((min ?? 0) > (max ?? Number.POSITIVE_INFINITY)) return {};
  return {
    ...(isCount(min) ? { min_length: min } : {}),
    ...(isCount(max) ? { max_length: max } : {}),
  };
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1;
}
