import type { JsonValue } from '@bufbuild/protobuf';
import { toUnknown } from '../core/columns/choices.ts';
import type { SourceOption } from '../core/source-questions.ts';
import { foldText, isNumberLike } from './logic.ts';

/**
 * Creates a lookup of option ids by value. It finds the option with exactly this value; if there is none, the first one
 * that is equal in SurveyJS expressions (see `isSameValue`) or as JSON. It takes the same time for any number of
 * options. Unknown values become values that validation rejects. See `toUnknown`.
 */
export function createOptionIdLookup(options: readonly SourceOption[]): (value: JsonValue) => JsonValue {
  const exact = new Map<JsonValue, string>();
  const positions = new Map<string, number>();
  for (const [position, { id, value }] of options.entries()) {
    if (!exact.has(value)) exact.set(value, id);
    for (const key of keysOf(value)) if (!positions.has(key)) positions.set(key, position);
  }
  return (value) => {
    const same = exact.get(value);
    if (same !== undefined) return same;
    const found = equalKeysOf(value).flatMap((key) => positions.get(key) ?? []);
    const option = found.length === 0 ? undefined : options[Math.min(...found)];
    if (option !== undefined) return option.id;
    return toUnknown(typeof value === 'object' ? JSON.stringify(value) : String(value), options);
  };
}

/**
 * Keys of an option's value. A text has further keys, because SurveyJS also compares it with booleans and, if it is
 * numeric, with numbers.
 */
function keysOf(value: JsonValue): readonly string[] {
  if (typeof value === 'object') return [`json ${JSON.stringify(value)}`];
  if (typeof value !== 'string') return [`${typeof value} ${String(value)}`];
  const keys = [`string ${foldText(value)}`, `text as boolean ${value.toLowerCase()}`];
  return isNumberLike(value) ? [...keys, `text as number ${Number(value)}`] : keys;
}

/** Keys of the options that are equal to a value. */
function equalKeysOf(value: JsonValue): readonly string[] {
  switch (typeof value) {
    case 'string':
      return [
        `string ${foldText(value)}`,
        `boolean ${value.toLowerCase()}`,
        ...(isNumberLike(value) ? [`number ${Number(value)}`] : []),
      ];
    case 'number':
      return [
        `number ${value}`,
        `text as number ${value}`,
        ...(value === 0 || value === 1 ? [`boolean ${value === 1}`] : []),
      ];
    case 'boolean':
      return [`text as boolean ${value}`, `number ${Number(value)}`];
    default:
      return keysOf(value);
  }
}
