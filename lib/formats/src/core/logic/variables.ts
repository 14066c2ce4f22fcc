import type { JsonValue } from '@bufbuild/protobuf';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Cells } from './diagrams.ts';
import type { Condition } from './formula.ts';

/** Alternatives of conditions: all conditions of at least one alternative hold. */
export type Alternatives = readonly (readonly Condition[])[];

/**
 * A variable of decision diagrams. It partitions the answers to a question into cells: groups of answers that conditions
 * can distinguish. "No answer" has a cell too.
 */
export interface Variable {
  /** Id of the question; empty if answers do not determine the variable, such as data about the respondent. */
  readonly source: string;
  /** The reason why answers do not determine the variable. */
  readonly unknown?: string;
  /** Number of cells. */
  readonly size: number;
  /** The cell of "no answer". */
  readonly unanswered: number;
  /** The cells for which a condition holds. The variable must have been created with this condition. */
  cellsOf(condition: Condition): Cells;
  /** Conditions for "the answer is in one of the cells", or the reason why no conditions can express it. */
  conditionsFor(cells: Cells): Alternatives | string;
}

/** The cells of a flag, a variable with two cells. `NO`: its condition does not hold, or there is no answer. */
const NO = 0;
export const YES = 1;

/** Negated operators and their positive forms. */
export const POSITIVES: Readonly<Partial<Record<Operator, Operator>>> = {
  not_contains: 'contains',
  not_equals: 'equals',
  not_in: 'in',
  is_not_answered: 'is_answered',
};
const negationOf = new Map(Object.entries(POSITIVES).map(([negation, positive]) => [positive, negation as Operator]));

/** A flag for something that answers do not determine, with the reason. */
export function createUnknownVariable(reason: string): Variable {
  return {
    source: '',
    unknown: reason,
    size: 2,
    unanswered: NO,
    cellsOf: () => new Set([YES]),
    conditionsFor: () => reason,
  };
}

/**
 * A flag for a condition that shares no cells with other conditions, such as `contains`. A condition and its negation
 * share the flag, so each can create it.
 */
export function createFlagVariable(condition: Condition): Variable {
  const positive = { ...condition, operator: POSITIVES[condition.operator] ?? condition.operator };
  const negation = negationOf.get(positive.operator);
  return {
    source: condition.source,
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
export function createValueVariable(
  source: string,
  conditions: readonly Condition[],
  options: readonly string[] | undefined,
): Variable {
  const values = distinctValues(conditions);
  const cellOf = new Map(values.map((value, cell) => [value, cell]));
  const other = values.length;
  const unanswered = other + 1;
  const answered = [...values.keys(), other];
  const namesEveryOption = options?.every((option) => cellOf.has(option)) === true;
  return {
    source,
    size: unanswered + 1,
    unanswered,
    cellsOf: (condition) => cellsOfEquality(condition, { cellOf, answered, unanswered }),
    conditionsFor(cells) {
      const included = values.filter((_, cell) => cells.has(cell));
      const excluded = values.filter((_, cell) => !cells.has(cell));
      const takesUnanswered = cells.has(unanswered);
      // If the conditions name every option, the cell `other` is empty. So "not X" is right even if `cells` lacks
      // `other`. It is not used if `cells` has only "no answer", or lacks it and an option.
      const isShortAsNegation = takesUnanswered ? included.length > 0 : excluded.length === 0;
      const takesOthers = namesEveryOption ? isShortAsNegation : cells.has(other);
      if (takesOthers) return [allExcept(source, excluded, takesUnanswered)];
      return [
        ...(included.length === 0 ? [] : [[isOneOf(source, included)]]),
        ...(takesUnanswered ? [[isNotAnswered(source)]] : []),
      ];
    },
  };
}

/** Consecutive cells, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * A variable for ordered answers: numbers, or texts of dates and times, whose order is alphabetical. The values in
 * conditions are called points. Odd cells are points, and even cells the gaps around them. The last one is "no answer".
 */
export function createOrderVariable(source: string, conditions: readonly Condition[]): Variable {
  const points = distinctValues(conditions)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .sort((one, other) => (one < other ? -1 : 1));
  const cellOf = new Map<JsonValue, number>(points.map((point, index) => [point, 2 * index + 1]));
  const pointAt = (cell: number) => points[(cell - 1) / 2] ?? 0;
  const lastGap = 2 * points.length;
  const unanswered = lastGap + 1;
  const answered = Array.from({ length: unanswered }, (_, cell) => cell);

  const isInRange = ({ from, to }: Range): readonly Condition[] => {
    // If the range begins or ends with a gap, the point beside the gap is its bound.
    const least: Condition = isPoint(from)
      ? { source, operator: 'greater_or_equal', value: pointAt(from) }
      : { source, operator: 'greater_than', value: pointAt(from - 1) };
    const most: Condition = isPoint(to)
      ? { source, operator: 'less_or_equal', value: pointAt(to) }
      : { source, operator: 'less_than', value: pointAt(to + 1) };
    if (from === 0 && to === lastGap) return [isAnswered(source)];
    return [...(from === 0 ? [] : [least]), ...(to === lastGap ? [] : [most])];
  };

  return {
    source,
    size: unanswered + 1,
    unanswered,
    cellsOf(condition) {
      const equal = cellsOfEquality(condition, { cellOf, answered, unanswered });
      // Operators of order have one value, which is a point.
      const [point = unanswered] = equal;
      const answeredWhere = (holds: (cell: number) => boolean) => new Set(answered.filter(holds));
      switch (condition.operator) {
        case 'greater_than':
          return answeredWhere((cell) => cell > point);
        case 'greater_or_equal':
          return answeredWhere((cell) => cell >= point);
        case 'less_than':
          return answeredWhere((cell) => cell < point);
        case 'less_or_equal':
          return answeredWhere((cell) => cell <= point);
        default:
          return equal;
      }
    },
    conditionsFor(cells) {
      const excluded = answered.filter((cell) => !cells.has(cell));
      const takesUnanswered = cells.has(unanswered);
      if (excluded.every(isPoint) && (takesUnanswered || excluded.length > 0)) {
        return [allExcept(source, excluded.map(pointAt), takesUnanswered)];
      }
      const ranges = rangesOf(answered.filter((cell) => cells.has(cell)));
      const { single = [], longer = [] } = Object.groupBy(ranges, ({ from, to }) =>
        from === to && isPoint(from) ? 'single' : 'longer',
      );
      const values = single.map(({ from }) => pointAt(from));
      return [
        ...(values.length === 0 ? [] : [[isOneOf(source, values)]]),
        ...longer.map(isInRange),
        ...(takesUnanswered ? [[isNotAnswered(source)]] : []),
      ];
    },
  };
}

function isPoint(cell: number): boolean {
  return cell % 2 === 1;
}

/** @param cells in order */
function rangesOf(cells: readonly number[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const cell of cells) {
    const before = ranges.at(-1);
    if (before?.to === cell - 1) ranges[ranges.length - 1] = { from: before.from, to: cell };
    else ranges.push({ from: cell, to: cell });
  }
  return ranges;
}

interface AnswerCells {
  readonly cellOf: ReadonlyMap<JsonValue, number>;
  /** All cells but `unanswered`. */
  readonly answered: readonly number[];
  readonly unanswered: number;
}

/** The cells for which a condition on presence or equality holds. For other operators, the cells of its values. */
function cellsOfEquality({ operator, value }: Condition, { cellOf, answered, unanswered }: AnswerCells): Cells {
  const ofValues = new Set(valuesOf(value).flatMap((one) => cellOf.get(one) ?? []));
  if (operator === 'is_answered') return new Set(answered);
  if (operator === 'is_not_answered') return new Set([unanswered]);
  const isNegated = operator === 'not_equals' || operator === 'not_in';
  return isNegated ? new Set([...answered.filter((cell) => !ofValues.has(cell)), unanswered]) : ofValues;
}

/** The values that a condition compares with. Operators such as `in` have several. */
export function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function distinctValues(conditions: readonly Condition[]): readonly JsonValue[] {
  return [...new Set(conditions.flatMap(({ value }) => valuesOf(value)))];
}

function isAnswered(source: string): Condition {
  return { source, operator: 'is_answered' };
}

function isNotAnswered(source: string): Condition {
  return { source, operator: 'is_not_answered' };
}

function isOneOf(source: string, values: readonly JsonValue[]): Condition {
  const [first = null, ...more] = values;
  return more.length === 0
    ? { source, operator: 'equals', value: first }
    : { source, operator: 'in', value: [...values] };
}

/** Conditions for all answers except some values. */
function allExcept(source: string, values: readonly JsonValue[], takesUnanswered: boolean): readonly Condition[] {
  const [first = null, ...more] = values;
  const condition: Condition =
    more.length === 0
      ? { source, operator: 'not_equals', value: first }
      : { source, operator: 'not_in', value: [...values] };
  return [...(takesUnanswered ? [] : [isAnswered(source)]), ...(values.length === 0 ? [] : [condition])];
}
