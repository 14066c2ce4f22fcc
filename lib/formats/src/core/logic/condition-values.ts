import type { JsonValue } from '@bufbuild/protobuf';
import type { Condition } from './formula.ts';

/** The values that a condition compares with. Operators such as `in` have several. */
export function valuesOf({ value }: Condition): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
