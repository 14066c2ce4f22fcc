import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { Operator } from '@survey/questionnaire/logic/operators';

/** Says which conditions on a question share a variable of a decision diagram, and which have their own. */
export interface QuestionKind {
  /**
   * The conditions that share one variable: those on presence and equality (`values`), or also on order (`order`).
   * Undefined if no conditions share a variable.
   */
  readonly comparison: 'values' | 'order' | undefined;
  /** All possible answers, if they are known. */
  readonly options: readonly string[] | undefined;
  /** Operators whose conditions each have a variable of their own, which is true or false. */
  readonly separateOperators: ReadonlySet<Operator>;
  /** Converts a value of a condition for comparison; undefined if no answer can equal it. */
  toComparable(value: JsonValue): JsonValue | undefined;
}

export const EQUALITY: ReadonlySet<Operator> = new Set<Operator>(['equals', 'not_equals', 'in', 'not_in']);
export const ORDER: ReadonlySet<Operator> = new Set<Operator>([
  'greater_than',
  'greater_or_equal',
  'less_than',
  'less_or_equal',
]);
const PRESENCE: readonly Operator[] = ['is_answered', 'is_not_answered'];
const SEARCH: readonly Operator[] = ['contains', 'not_contains', 'matches'];

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d(?::\d\d)?$/;

export function kindOf(question: JsonObject): QuestionKind {
  const { type, format } = question;
  const options = optionsOf(question);
  const known = new Set<JsonValue>(options);
  if (type === 'single_choice' || (type === 'likert' && itemsOf(question['rows']).length === 0)) {
    return {
      comparison: 'values',
      options,
      separateOperators: new Set(),
      toComparable: (value) => (known.has(value) ? value : undefined),
    };
  }
  if (type === 'multiple_choice') {
    return {
      comparison: undefined,
      options: undefined,
      separateOperators: new Set([...EQUALITY, ...PRESENCE, 'contains', 'not_contains']),
      toComparable: (value) => (known.has(value) ? value : undefined),
    };
  }
  if (type === 'rating') return { ...ordered(toNumber), separateOperators: new Set() };
  if (type === 'date') return { ...ordered(toText(DATE)), separateOperators: new Set() };
  if (type === 'time') return { ...ordered(toTime), separateOperators: new Set() };
  if (type === 'text' && (format === 'number' || format === 'integer')) {
    return { ...ordered(toNumber), separateOperators: new Set(SEARCH) };
  }
  if (type === 'text' || type === 'textarea') {
    return { comparison: 'values', options: undefined, separateOperators: new Set(SEARCH), toComparable: toText(/./s) };
  }
  return {
    comparison: undefined,
    options: undefined,
    separateOperators: new Set(PRESENCE),
    toComparable: () => undefined,
  };
}

function ordered(toComparable: QuestionKind['toComparable']) {
  return { comparison: 'order', options: undefined, toComparable } as const;
}

/** The ids of the options, and `other` if the question allows it. */
function optionsOf(question: JsonObject): readonly string[] {
  const ids = itemsOf(question['options'])
    .map((option) => (isObject(option) ? option['id'] : option))
    .filter((id) => typeof id === 'string');
  return question['allow_other'] === true ? [...ids, 'other'] : ids;
}

function toNumber(value: JsonValue): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function toText(form: RegExp): QuestionKind['toComparable'] {
  // Without surrounding blanks, as the questionnaire compares texts.
  return (value) => (typeof value === 'string' && form.test(value) ? value.normalize('NFC').trim() : undefined);
}

function toTime(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  return value.length === 'HH:MM'.length ? `${value}:00` : value;
}
