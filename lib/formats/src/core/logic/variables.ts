import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Cells } from './diagrams.ts';
import type { Condition, Leaf } from './formula.ts';
import { EQUALITY, kindOf, ORDER, type QuestionKind } from './question-kind.ts';

/** Alternatives of conditions: all conditions of at least one alternative hold. */
export type Alternatives = readonly (readonly Condition[])[];

/** Partitions the answers to one question into cells that conditions can distinguish. "No answer" has a cell too. */
interface Variable {
  readonly size: number;
  /** The cell of "no answer". */
  readonly unanswered: number;
  /** The cells for which a condition holds. The variable must have been created with this condition. */
  cellsOf(condition: Condition): Cells;
  /** Conditions for "the answer is in one of the cells", or the reason why no conditions can express it. */
  conditionsFor(cells: Cells): Alternatives | string;
}

interface AnswerEntry {
  readonly source: string;
  readonly variable: Variable;
}

/** A variable that answers do not determine, with the reason. */
interface UnknownEntry {
  readonly reason: string;
}

type Entry = AnswerEntry | UnknownEntry;

/** The variables of a set of formulas. */
export interface VariableTable {
  readonly entries: readonly Entry[];
  /** Number of cells of each variable. */
  readonly sizes: readonly number[];
  /** The variables of a question, with their indexes in `entries`. */
  ofSource(source: string): readonly { readonly index: number; readonly variable: Variable }[];
  /** The index of a leaf's variable in `entries`, and the cells for which the leaf holds. */
  find(leaf: Leaf): { readonly index: number; cells(): Cells };
}

/** The cells of a flag. `NO`: the condition does not hold, or there is no answer. */
const NO = 0;
const YES = 1;

/** A condition in comparable form, with the key of its variable. */
interface KeyedCondition {
  readonly key: string;
  readonly condition: Condition;
}

/**
 * Assigns the leaves of formulas to variables. Conditions that compare the answers to a question share one variable:
 * `age > 17` and `age > 64` have one with six cells: below 17, 17, between 17 and 64, 64, above 64, and no answer. Each
 * other condition has a variable of its own, a flag, and so has each unknown leaf.
 *
 * @param leaves all leaves. Variables are numbered in the order of their first leaf
 */
export function createVariableTable(
  questions: ReadonlyMap<string, JsonObject>,
  leaves: readonly Leaf[],
): VariableTable {
  const kindOfSource = createKinds(questions);
  const keyedByLeaf = new Map<Leaf, KeyedCondition>();
  const conditionsByKey = new Map<string, Condition[]>();
  const indexByKey = new Map<string | Leaf, number>();
  for (const leaf of leaves) {
    if (keyedByLeaf.has(leaf) || indexByKey.has(leaf)) continue;
    if (leaf.kind === 'unknown') {
      // Each unknown leaf is a variable of its own, even if the reasons are equal.
      indexByKey.set(leaf, indexByKey.size);
      continue;
    }
    const keyed = toKeyed(kindOfSource(leaf.condition.source), leaf.condition);
    keyedByLeaf.set(leaf, keyed);
    const known = conditionsByKey.get(keyed.key);
    if (known !== undefined) known.push(keyed.condition);
    else {
      conditionsByKey.set(keyed.key, [keyed.condition]);
      indexByKey.set(keyed.key, indexByKey.size);
    }
  }
  const entries = [...indexByKey.keys()].map((key): Entry => {
    if (typeof key !== 'string') return { reason: key.kind === 'unknown' ? key.reason : '' };
    const conditions = conditionsByKey.get(key) ?? [];
    const source = conditions[0]?.source ?? '';
    return { source, variable: createVariable(kindOfSource(source), conditions, key === source) };
  });
  const bySource = Map.groupBy(
    entries.flatMap((entry, index) => (isAnswerEntry(entry) ? [{ ...entry, index }] : [])),
    ({ source }) => source,
  );
  return {
    entries,
    sizes: entries.map((entry) => (isAnswerEntry(entry) ? entry.variable.size : 2)),
    ofSource: (source) => bySource.get(source) ?? [],
    find(leaf) {
      const keyed = keyedByLeaf.get(leaf);
      const index = indexByKey.get(keyed?.key ?? leaf) ?? 0;
      const entry = entries[index];
      const cells = () =>
        keyed !== undefined && entry !== undefined && isAnswerEntry(entry)
          ? entry.variable.cellsOf(keyed.condition)
          : new Set([YES]);
      return { index, cells };
    },
  };
}

export function isAnswerEntry(entry: Entry): entry is AnswerEntry {
  return 'variable' in entry;
}

/** The kind of a question by id; undefined for an unknown question. */
type KindOfSource = (source: string) => QuestionKind | undefined;

export function createKinds(questions: ReadonlyMap<string, JsonObject>): KindOfSource {
  const kinds = new Map<string, QuestionKind | undefined>();
  return (source) => {
    if (kinds.has(source)) return kinds.get(source);
    const question = questions.get(source);
    const kind = question === undefined ? undefined : kindOf(question);
    kinds.set(source, kind);
    return kind;
  };
}

/** The reason why answers cannot be compared as a condition demands; undefined if they can. */
export function faultOf({ source, operator, value }: Condition, kindOfSource: KindOfSource): string | undefined {
  const kind = kindOfSource(source);
  if (kind === undefined) return `there is no question ${source}`;
  if (!isCompared(kind, operator) && !kind.separateOperators.has(operator)) {
    return `the operator ${operator} is not supported for ${source}`;
  }
  if (operator === 'matches' || isSearch(kind, operator)) return undefined;
  const incomparable = valuesOf(value).find((one) => kind.toComparable(one) === undefined);
  return incomparable === undefined
    ? undefined
    : `answers to ${source} cannot be compared with ${JSON.stringify(incomparable)}`;
}

/**
 * Finds the variable of a condition. A condition that cannot be compared gets a flag of its own, and is written
 * unchanged. If it is invalid, the lint of the survey then reports it.
 */
function toKeyed(kind: QuestionKind | undefined, condition: Condition): KeyedCondition {
  const { source, operator, value } = condition;
  if (kind === undefined || !isCompared(kind, operator)) return toFlag(condition);
  if (operator === 'is_answered' || operator === 'is_not_answered')
    return { key: source, condition: { source, operator } };
  const isSet = operator === 'in' || operator === 'not_in';
  const values = valuesOf(value).map((one) => kind.toComparable(one));
  if (values.length === 0 || (Array.isArray(value) && !isSet)) return toFlag(condition);
  const comparable = values.filter((one) => one !== undefined);
  if (comparable.length < values.length) return toFlag(condition);
  return { key: source, condition: { source, operator, value: comparable } };
}

/** Negated operators and their positive forms. */
const positives: Readonly<Partial<Record<Operator, Operator>>> = {
  not_contains: 'contains',
  not_equals: 'equals',
  not_in: 'in',
  is_not_answered: 'is_answered',
};
const negationOf = new Map(Object.entries(positives).map(([negation, positive]) => [positive, negation as Operator]));

function toFlag(condition: Condition): KeyedCondition {
  const { source, operator, value = null } = condition;
  return { key: JSON.stringify([source, positives[operator] ?? operator, value]), condition };
}

/** Whether conditions with the operator share the variable for comparisons. */
function isCompared({ comparison }: QuestionKind, operator: Operator): boolean {
  if (comparison === undefined) return false;
  const isPresence = operator === 'is_answered' || operator === 'is_not_answered';
  return isPresence || EQUALITY.has(operator) || (comparison === 'order' && ORDER.has(operator));
}

/** Whether the operator searches in a text. A search accepts any value, so its value is not converted. */
function isSearch({ comparison }: QuestionKind, operator: Operator): boolean {
  return comparison !== undefined && (operator === 'contains' || operator === 'not_contains');
}

/** The values that a condition compares with. Operators such as `in` have several. */
function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** @param isShared true: the conditions compare answers. False: all are the same condition, or its negation */
function createVariable(kind: QuestionKind | undefined, conditions: readonly Condition[], isShared: boolean): Variable {
  const [first] = conditions;
  if (!isShared && first !== undefined) return createFlagVariable(first);
  const source = first?.source ?? '';
  return kind?.comparison === 'order'
    ? createOrderVariable(source, conditions)
    : createValueVariable(source, conditions, kind?.options);
}

/**
 * A variable with two cells: the condition holds or not. For operators whose conditions are not compared with each
 * other, such as `contains`.
 */
function createFlagVariable(condition: Condition): Variable {
  const positive = { ...condition, operator: positives[condition.operator] ?? condition.operator };
  const negation = negationOf.get(positive.operator);
  return {
    size: 2,
    unanswered: NO,
    cellsOf: ({ operator }) => new Set([operator === positive.operator ? YES : NO]),
    conditionsFor(cells) {
      if (cells.has(YES)) return [[positive]];
      return negation === undefined ? `${positive.operator} has no opposite` : [[{ ...positive, operator: negation }]];
    },
  };
}

/**
 * A variable for equality: a cell for each value in conditions, one for all other answers, one for no answer.
 *
 * @param options all possible answers, if they are known
 */
function createValueVariable(
  source: string,
  conditions: readonly Condition[],
  options: readonly string[] | undefined,
): Variable {
  const named = [...new Set(conditions.flatMap(({ value }) => valuesOf(value)))];
  const cellOf = new Map(named.map((value, cell) => [value, cell]));
  const other = named.length;
  const unanswered = named.length + 1;
  const isComplete = options?.every((option) => cellOf.has(option)) === true;
  const allCells = [...named.keys(), other, unanswered];

  return {
    size: allCells.length,
    unanswered,
    cellsOf({ operator, value }) {
      if (operator === 'is_answered') return new Set(allCells.filter((cell) => cell !== unanswered));
      if (operator === 'is_not_answered') return new Set([unanswered]);
      const cells = new Set(valuesOf(value).flatMap((one) => cellOf.get(one) ?? []));
      if (operator === 'equals' || operator === 'in') return cells;
      return new Set(allCells.filter((cell) => !cells.has(cell)));
    },
    conditionsFor(chosen) {
      const included = named.filter((_, cell) => chosen.has(cell));
      const excluded = named.filter((_, cell) => !chosen.has(cell));
      // If the conditions name every option, the cell `other` is empty. So "not X" is right even if `chosen` lacks
      // `other`.
      const takesOthers = isComplete ? chosen.has(unanswered) || excluded.length === 0 : chosen.has(other);
      if (takesOthers) {
        const without = excluded.length === 0 ? [] : [conditionOn(source, excluded, 'not_equals', 'not_in')];
        return [chosen.has(unanswered) ? without : [{ source, operator: 'is_answered' }, ...without]];
      }
      const alternatives: Alternatives = included.length === 0 ? [] : [[conditionOn(source, included, 'equals', 'in')]];
      return chosen.has(unanswered) ? [...alternatives, [{ source, operator: 'is_not_answered' }]] : alternatives;
    },
  };
}

function conditionOn(
  source: string,
  values: readonly JsonValue[],
  one: 'equals' | 'not_equals',
  several: 'in' | 'not_in',
): Condition {
  const [first] = values;
  return values.length === 1 && first !== undefined
    ? { source, operator: one, value: first }
    : { source, operator: several, value: [...values] };
}

type Scalar = string | number;

/** A range of consecutive cells, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * A variable for ordered answers: numbers, or dates and times as texts whose alphabetical order is their order in time.
 * Odd cells are the values in conditions, even cells the gaps around them. The last cell is "no answer".
 */
function createOrderVariable(source: string, conditions: readonly Condition[]): Variable {
  const values = conditions.flatMap(({ value }) => valuesOf(value));
  const points = [...new Set(values.filter(isScalar))].sort((one, other) => (one < other ? -1 : 1));
  const last = 2 * points.length;
  const unanswered = last + 1;
  const cellOfPoint = new Map<JsonValue, number>(points.map((point, index) => [point, 2 * index + 1]));
  const pointsIn = (cells: readonly number[]) => cells.map((cell) => points[(cell - 1) / 2] ?? 0);
  const answeredCells = (matches: (cell: number) => boolean): ReadonlySet<number> =>
    new Set(Array.from({ length: last + 1 }, (_, cell) => cell).filter(matches));

  const rangeConditions = ({ from, to }: Range): readonly Condition[] => {
    const low = bound(source, points, from, isPoint(from) ? 'greater_or_equal' : 'greater_than', from / 2 - 1);
    const high = bound(source, points, to, isPoint(to) ? 'less_or_equal' : 'less_than', to / 2);
    const found = [...(from === 0 ? [] : low), ...(to === last ? [] : high)];
    return found.length === 0 ? [{ source, operator: 'is_answered' }] : found;
  };

  return {
    size: last + 2,
    unanswered,
    cellsOf({ operator, value }) {
      const cells = new Set(valuesOf(value).map((one) => cellOfPoint.get(one) ?? unanswered));
      const [cell = 0] = cells;
      switch (operator) {
        case 'equals':
        case 'in':
          return cells;
        case 'not_equals':
        case 'not_in':
          return new Set([...answeredCells((one) => !cells.has(one)), unanswered]);
        case 'greater_than':
          return answeredCells((one) => one > cell);
        case 'greater_or_equal':
          return answeredCells((one) => one >= cell);
        case 'less_than':
          return answeredCells((one) => one < cell);
        case 'less_or_equal':
          return answeredCells((one) => one <= cell);
        case 'is_answered':
          return answeredCells(() => true);
        default:
          return new Set([unanswered]);
      }
    },
    conditionsFor(cells) {
      const excluded = [...answeredCells((cell) => !cells.has(cell))];
      const takesUnanswered = cells.has(unanswered);
      if (excluded.every(isPoint) && (takesUnanswered || excluded.length > 0)) {
        const without = excluded.length === 0 ? [] : [conditionOn(source, pointsIn(excluded), 'not_equals', 'not_in')];
        return [takesUnanswered ? without : [{ source, operator: 'is_answered' }, ...without]];
      }
      const ranges = rangesOf([...cells].filter((cell) => cell !== unanswered));
      const single = ranges.flatMap(({ from, to }) => (from === to && isPoint(from) ? [from] : []));
      return [
        ...(single.length === 0 ? [] : [[conditionOn(source, pointsIn(single), 'equals', 'in')]]),
        ...ranges.filter(({ from, to }) => from !== to || !isPoint(from)).map(rangeConditions),
        ...(takesUnanswered ? [[{ source, operator: 'is_not_answered' } as const]] : []),
      ];
    },
  };
}

/** Odd cells are points, even cells are the gaps around them. */
function isPoint(cell: number): boolean {
  return cell % 2 === 1;
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * The condition for the cell at one end of a range. If the cell is a point, the condition compares with that point. If
 * the cell is a gap, the condition compares with `points[neighbour]`.
 */
function bound(
  source: string,
  points: readonly Scalar[],
  cell: number,
  operator: Operator,
  neighbour: number,
): readonly Condition[] {
  const value = points[isPoint(cell) ? (cell - 1) / 2 : neighbour];
  return value === undefined ? [] : [{ source, operator, value }];
}

function rangesOf(cells: readonly number[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const cell of cells.toSorted((one, other) => one - other)) {
    const before = ranges.at(-1);
    if (before?.to === cell - 1) ranges[ranges.length - 1] = { from: before.from, to: cell };
    else ranges.push({ from: cell, to: cell });
  }
  return ranges;
}
