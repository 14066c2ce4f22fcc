import { isArray, isObject } from '../json.ts';
import { type AnswerContext, isRejection, type Rejection, rejection } from './answer-type.ts';
import type { OptionList } from './option-list.ts';
import { readNumber } from './text-formats.ts';

/** The result of converting a value of an import. Values that cannot be converted are returned unchanged. */
type Coerced = { readonly value: unknown } | Rejection;

export function coerceNothing(value: unknown): Coerced {
  return { value };
}

/** `"4"` → `4`. */
export function coerceNumber(value: unknown, { language }: AnswerContext): Coerced {
  const number = typeof value === 'string' ? readNumber(value, language) : undefined;
  return { value: number === undefined ? value : Number(number) };
}

/** `42` → `"42"`, for text questions. */
export function coerceText(value: unknown): Coerced {
  return { value: typeof value === 'number' ? String(value) : value };
}

/** The text of an option → its id. A number means the option with that id or text. */
export function coerceOption(value: unknown, options: OptionList): Coerced {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return { value };
  const resolved = options.resolve(text);
  if (resolved === 'ambiguous') return rejection('AMBIGUOUS_OPTION', 'several items have this text; use an id');
  return { value: resolved === 'unknown' ? text : resolved.id };
}

export function coerceOptions(value: unknown, options: OptionList): Coerced {
  return isArray(value) ? coerceAll(value, (item) => coerceOption(item, options)) : { value };
}

/** Converts `{"options": [texts], "other": "…"}` or a list of texts. */
export function coerceChoices(value: unknown, options: OptionList): Coerced {
  if (!isObject(value)) return coerceOptions(value, options);
  const chosen = coerceOptions(value.options, options);
  return isRejection(chosen) ? chosen : { value: { ...value, options: chosen.value } };
}

/** Converts the texts of rows to their ids, and cells with `coerceCell`. */
export function coerceRows(value: unknown, rows: OptionList, coerceCell: (cell: unknown) => Coerced): Coerced {
  if (!isObject(value)) return { value };
  const keys = coerceAll(Object.keys(value), (key) => coerceOption(key, rows));
  const cells = coerceAll(Object.values(value), coerceCell);
  if (isRejection(keys)) return keys;
  if (isRejection(cells)) return cells;
  if (new Set(keys.value).size < keys.value.length) return rejection('DUPLICATE_OPTION', 'a row is given twice');
  return { value: Object.fromEntries(keys.value.map((key, index) => [key, cells.value[index]])) };
}

function coerceAll(
  items: readonly unknown[],
  coerce: (item: unknown) => Coerced,
): { readonly value: readonly unknown[] } | Rejection {
  const value: unknown[] = [];
  for (const item of items) {
    const coerced = coerce(item);
    if (isRejection(coerced)) return coerced;
    value.push(coerced.value);
  }
  return { value };
}
