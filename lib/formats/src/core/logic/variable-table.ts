import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { Operator } from '@survey/questionnaire/logic/operators';
import { numberOf } from '../source-questions.ts';
import type { Cells } from './diagrams.ts';
import type { Condition, Leaf } from './formula.ts';
import {
  createFlagVariable,
  createOrderVariable,
  createUnknownVariable,
  createValueVariable,
  POSITIVES,
  type Variable,
  valuesOf,
  YES,
} from './variables.ts';

/** The conditions that a question can have, and those of them that share a variable of decision diagrams. */
interface QuestionKind {
  /**
   * The conditions that share one variable: those on presence and equality (`values`), or also on order (`order`).
   * Undefined if no conditions share a variable.
   */
  readonly comparison: 'values' | 'order' | undefined;
  /** All possible answers, if they are known. */
  readonly options?: readonly string[];
  /** Operators whose conditions each have a variable of their own, which is true or false. */
  readonly separateOperators: ReadonlySet<Operator>;
  /** Converts a value of a condition for comparison; undefined if no answer can equal it. */
  toComparable(value: JsonValue): JsonValue | undefined;
}

/** The kinds of questions, by id. */
type QuestionKinds = ReadonlyMap<string, QuestionKind>;

const PRESENCE: readonly Operator[] = ['is_answered', 'is_not_answered'];
const EQUALITY: readonly Operator[] = ['equals', 'not_equals', 'in', 'not_in'];
const ORDER: readonly Operator[] = ['greater_than', 'greater_or_equal', 'less_than', 'less_or_equal'];
const SEARCH: readonly Operator[] = ['contains', 'not_contains', 'matches'];

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d(?::\d\d)?$/;

/** @param questions by id */
export function kindsOf(questions: ReadonlyMap<string, JsonObject>): QuestionKinds {
  return new Map([...questions].map(([id, question]) => [id, kindOf(question)]));
}

function kindOf(question: JsonObject): QuestionKind {
  const { type, format } = question;
  const options = optionsOf(question);
  const known = new Set<JsonValue>(options);
  const toOption = (value: JsonValue) => (known.has(value) ? value : undefined);
  if (type === 'single_choice' || (type === 'likert' && itemsOf(question['rows']).length === 0)) {
    return { comparison: 'values', options, separateOperators: new Set(), toComparable: toOption };
  }
  if (type === 'multiple_choice') {
    const separateOperators = new Set<Operator>([...EQUALITY, ...PRESENCE, 'contains', 'not_contains']);
    return { comparison: undefined, separateOperators, toComparable: toOption };
  }
  if (type === 'rating') return { comparison: 'order', separateOperators: new Set(), toComparable: numberOf };
  if (type === 'date') return { comparison: 'order', separateOperators: new Set(), toComparable: toText(DATE) };
  if (type === 'time') return { comparison: 'order', separateOperators: new Set(), toComparable: toTime };
  if (type === 'text' && (format === 'number' || format === 'integer')) {
    return { comparison: 'order', separateOperators: new Set(SEARCH), toComparable: numberOf };
  }
  if (type === 'text' || type === 'textarea') {
    return { comparison: 'values', separateOperators: new Set(SEARCH), toComparable: toText(/\S/) };
  }
  return { comparison: undefined, separateOperators: new Set(PRESENCE), toComparable: () => undefined };
}

/** The ids of the options, and `other` if the question allows it. */
function optionsOf(question: JsonObject): readonly string[] {
  const ids = itemsOf(question['options'])
    .map((option) => (isObject(option) ? option['id'] : option))
    .filter((id) => typeof id === 'string');
  return question['allow_other'] === true ? [...ids, 'other'] : ids;
}

function toText(form: RegExp): QuestionKind['toComparable'] {
  // Without surrounding blanks, as the questionnaire compares texts.
  return (value) => (typeof value === 'string' && form.test(value) ? value.normalize('NFC').trim() : undefined);
}

function toTime(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  return value.length === 'HH:MM'.length ? `${value}:00` : value;
}

/** Whether conditions with the operator share the variable for comparisons. */
function isCompared({ comparison }: QuestionKind, operator: Operator): boolean {
  if (comparison === undefined) return false;
  return (
    PRESENCE.includes(operator) || EQUALITY.includes(operator) || (comparison === 'order' && ORDER.includes(operator))
  );
}

/** The reason why answers cannot be compared as a condition demands; undefined if they can. */
export function faultOf({ source, operator, value }: Condition, kinds: QuestionKinds): string | undefined {
  const kind = kinds.get(source);
  if (kind === undefined) return `there is no question ${source}`;
  if (!isCompared(kind, operator) && !kind.separateOperators.has(operator)) {
    return `the operator ${operator} is not supported for ${source}`;
  }
  // A search in a text accepts any value. For a multiple choice, `contains` compares options.
  const isSearch = operator === 'matches' || (kind.comparison !== undefined && SEARCH.includes(operator));
  const incomparable = isSearch ? undefined : valuesOf(value).find((one) => kind.toComparable(one) === undefined);
  return incomparable === undefined
    ? undefined
    : `answers to ${source} cannot be compared with ${JSON.stringify(incomparable)}`;
}

/** The variables of a set of formulas. */
export interface VariableTable {
  readonly variables: readonly Variable[];
  /** The variables of a question, with their indexes in `variables`. */
  ofSource(source: string): readonly { readonly index: number; readonly variable: Variable }[];
  /** The index of a leaf's variable in `variables`, and the cells for which the leaf holds. */
  find(leaf: Leaf): { readonly index: number; cells(): Cells };
}

/** A leaf with its variable. */
interface LeafVariable {
  /** Leaves with the same key have the same variable. */
  readonly key: string | Leaf;
  /** The condition of the leaf, with comparable values; undefined for an unknown leaf. */
  readonly condition: Condition | undefined;
  /** Creates the variable, from the conditions of all leaves that share it. */
  create(conditions: readonly Condition[]): Variable;
}

/**
 * Assigns the leaves of formulas to variables. Conditions that compare the answers to a question share one variable:
 * `age > 17` and `age > 64` have one with six cells: below 17, 17, between 17 and 64, 64, above 64, and no answer. Each
 * other condition has a variable of its own, a flag, and so has each unknown leaf.
 *
 * @param leaves all leaves. Variables are numbered in the order of their first leaf
 */
export function createVariableTable(kinds: QuestionKinds, leaves: readonly Leaf[]): VariableTable {
  const variableOfLeaf = new Map(leaves.map((leaf) => [leaf, toLeafVariable(leaf, kinds)]));
  const sharing = Map.groupBy(variableOfLeaf.values(), ({ key }) => key);
  const indexes = new Map([...sharing.keys()].map((key, index) => [key, index]));
  const variables = [...sharing.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [first.create([first, ...more].flatMap(({ condition }) => condition ?? []))],
  );
  const bySource = Map.groupBy(
    variables.map((variable, index) => ({ variable, index })),
    ({ variable }) => variable.source,
  );
  return {
    variables,
    ofSource: (source) => bySource.get(source) ?? [],
    find(leaf) {
      const { key, condition } = variableOfLeaf.get(leaf) ?? toLeafVariable(leaf, kinds);
      const index = indexes.get(key) ?? 0;
      const unknown: Cells = new Set([YES]);
      return { index, cells: () => (condition && variables[index]?.cellsOf(condition)) ?? unknown };
    },
  };
}

/**
 * Finds the variable of a leaf. A condition that cannot be compared gets a flag of its own, and is written unchanged. If
 * it is invalid, the lint of the survey then reports it.
 */
function toLeafVariable(leaf: Leaf, kinds: QuestionKinds): LeafVariable {
  // Each unknown leaf has a variable of its own, even if the reasons are equal.
  if (leaf.kind === 'unknown') {
    return { key: leaf, condition: undefined, create: () => createUnknownVariable(leaf.reason) };
  }
  const { condition } = leaf;
  const { source, operator, value = null } = condition;
  const kind = kinds.get(source);
  const compared = kind && toCompared(condition, kind);
  if (compared === undefined) {
    const key = JSON.stringify([source, POSITIVES[operator] ?? operator, value]);
    return { key, condition, create: () => createFlagVariable(condition) };
  }
  return {
    key: JSON.stringify([source]),
    condition: compared,
    create: (conditions) =>
      kind?.comparison === 'order'
        ? createOrderVariable(source, conditions)
        : createValueVariable(source, conditions, kind?.options),
  };
}

/** The condition with comparable values; undefined if it does not share the variable for comparisons. */
function toCompared({ source, operator, value }: Condition, kind: QuestionKind): Condition | undefined {
  if (!isCompared(kind, operator)) return undefined;
  if (PRESENCE.includes(operator)) return { source, operator };
  const takesList = operator === 'in' || operator === 'not_in';
  const values = valuesOf(value);
  if (values.length === 0 || (Array.isArray(value) && !takesList)) return undefined;
  const comparable = values.map((one) => kind.toComparable(one)).filter((one) => one !== undefined);
  return comparable.length < values.length ? undefined : { source, operator, value: comparable };
}
