import type { JsonValue } from '@bufbuild/protobuf';
import { valuesOf } from './condition-values.ts';
import type { Condition } from './formula.ts';
import type { Variable } from './variable.ts';

type Scalar = string | number;

/** A range of consecutive cells, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * A variable for ordered answers: numbers, or texts that sort like their values. It has a cell for each value in
 * conditions, for each gap around these values, and for "no answer".
 */
export function createOrderVariable(source: string, conditions: readonly Condition[]): Variable {
  const points = [...new Set(conditions.flatMap(valuesOf).filter(isScalar))].sort((one, other) =>
    one < other ? -1 : 1,
  );
  /** Odd cells are points, even cells are the gaps around them. */
  const last = 2 * points.length;
  const unanswered = last + 1;
  const cellOfPoint = new Map<JsonValue, number>(points.map((point, index) => [point, 2 * index + 1]));
  const cellOf = (value: JsonValue) => cellOfPoint.get(value) ?? unanswered;
  const answeredCells = (matches: (cell: number) => boolean): ReadonlySet<number> =>
    new Set(Array.from({ length: last + 1 }, (_, cell) => cell).filter(matches));

  const rangeConditions = ({ from, to }: Range): readonly Condition[] => {
    if (from === to && from % 2 === 1) return [{ source, operator: 'equals', value: points[(from - 1) / 2] ?? 0 }];
    const low = bound(source, points, from, from % 2 === 1 ? 'greater_or_equal' : 'greater_than', from / 2 - 1);
    const high = bound(source, points, to, to % 2 === 1 ? 'less_or_equal' : 'less_than', to / 2);
    const found = [...(from === 0 ? [] : low), ...(to === last ? [] : high)];
    return found.length === 0 ? [{ source, operator: 'is_answered' }] : found;
  };

  return {
    size: last + 2,
    unanswered,
    cellsOf(condition) {
      const values = valuesOf(condition).map(cellOf);
      const [cell = 0] = values;
      switch (condition.operator) {
        case 'equals':
        case 'in':
          return new Set(values);
        case 'not_equals':
        case 'not_in':
          return new Set([...answeredCells((one) => !values.includes(one)), unanswered]);
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
      if (cells.has(unanswered) && excluded.every((cell) => cell % 2 === 1)) {
        const values = excluded.map((cell) => points[(cell - 1) / 2] ?? 0);
        const [first = 0] = values;
        if (excluded.length === 1) return [[{ source, operator: 'not_equals', value: first }]];
        return [[{ source, operator: 'not_in', value: values }]];
      }
      const ranges = rangesOf([...cells].filter((cell) => cell !== unanswered)).map(rangeConditions);
      return cells.has(unanswered) ? [...ranges, [{ source, operator: 'is_not_answered' }]] : ranges;
    },
  };
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
  operator: Condition['operator'],
  neighbour: number,
): readonly Condition[] {
  const value = points[cell % 2 === 1 ? (cell - 1) / 2 : neighbour];
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
