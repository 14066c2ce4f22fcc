import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideCells, hideSmallCounts, isSmall, type Mask, type Table } from './hidden-cells.ts';

/** Sum of unknown numbers. */
interface Equation {
  readonly unknown: readonly number[];
  readonly sum: number;
}

/** Limits of the unknown numbers, which are whole and not negative. */
type Limits = readonly { readonly low: number; readonly high: number }[];

/** The equations that a reader of a table knows: the sums of rows and columns, without the cells that are shown. */
function equationsOf(table: Table, mask: Mask, isSumHidden: readonly boolean[]): readonly Equation[] {
  const columns = table[0]?.length ?? 0;
  const idOf = (row: number, column: number) => row * columns + column;
  const toEquation = (cells: readonly (readonly [number, number])[]): Equation => {
    const hidden = cells.filter(([row, column]) => mask[row]?.[column]);
    const sum = hidden.reduce((total, [row, column]) => total + (table[row]?.[column] ?? 0), 0);
    return { unknown: hidden.map(([row, column]) => idOf(row, column)), sum };
  };
  return [
    ...table.map((row, index) => toEquation(row.map((_, column) => [index, column] as const))),
    ...Array.from({ length: columns }, (_, column) =>
      isSumHidden[column] ? { unknown: [], sum: 0 } : toEquation(table.map((_row, index) => [index, column] as const)),
    ),
  ].filter(({ unknown }) => unknown.length > 0);
}

/** Finds the numbers that linear equations determine, by Gaussian elimination. */
function solve(equations: readonly Equation[], count: number): ReadonlySet<number> {
  const rows = equations.map(({ unknown }) => {
    const row = new Array<number>(count).fill(0);
    for (const id of unknown) row[id] = 1;
    return row;
  });
  let done = 0;
  for (let column = 0; column < count && done < rows.length; column += 1) {
    const pivot = rows.findIndex((row, index) => index >= done && Math.abs(row[column] ?? 0) > 1e-9);
    if (pivot < 0) continue;
    [rows[done], rows[pivot]] = [rows[pivot] as number[], rows[done] as number[]];
    const pivotRow = rows[done] as number[];
    const first = pivotRow[column] ?? 1;
    for (const [index, value] of pivotRow.entries()) pivotRow[index] = value / first;
    for (const [index, row] of rows.entries()) {
      const factor = row[column] ?? 0;
      if (index !== done && factor !== 0)
        for (const [other, value] of pivotRow.entries()) row[other] = (row[other] ?? 0) - factor * value;
    }
    done += 1;
  }
  const found = new Set<number>();
  for (const row of rows) {
    const [id, ...others] = row.flatMap((value, index) => (Math.abs(value) > 1e-9 ? [index] : []));
    if (id !== undefined && others.length === 0) found.add(id);
  }
  return found;
}

/** Narrows the limits of the numbers with each equation, until nothing changes. */
function narrow(equations: readonly Equation[], count: number): Limits {
  const limits = Array.from({ length: count }, () => ({ low: 0, high: Number.POSITIVE_INFINITY }));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { unknown, sum } of equations) {
      for (const id of unknown) {
        const others = unknown.filter((other) => other !== id).map((other) => limits[other]);
        const high = sum - others.reduce((total, one) => total + (one?.low ?? 0), 0);
        const low = sum - others.reduce((total, one) => total + (one?.high ?? 0), 0);
        const limit = limits[id];
        if (limit === undefined) continue;
        if (high < limit.high || low > limit.low) changed = true;
        limit.high = Math.min(limit.high, high);
        limit.low = Math.max(limit.low, low);
      }
    }
  }
  return limits;
}

/** The cells that a reader can compute. */
function revealed(table: Table, mask: Mask, isSumHidden: readonly boolean[]): ReadonlySet<number> {
  const count = table.length * (table[0]?.length ?? 0);
  const equations = equationsOf(table, mask, isSumHidden);
  const limits = narrow(equations, count);
  return new Set([...solve(equations, count), ...limits.flatMap(({ low, high }, id) => (low === high ? [id] : []))]);
}

const unlimited = () => ({ left: Number.POSITIVE_INFINITY });

const tables = fc
  .record({ rows: fc.integer({ min: 1, max: 6 }), columns: fc.integer({ min: 1, max: 6 }) })
  .chain(({ rows, columns }) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 40 })), {
        minLength: columns,
        maxLength: columns,
      }),
      { minLength: rows, maxLength: rows },
    ),
  );

describe('hidden cells', () => {
  it('are the small ones, and those from which sums would reveal them', () => {
    const table = [
      [20, 1, 30],
      [10, 12, 14],
      [9, 8, 7],
    ];
    expect(hideCells(table, 5, [], unlimited())).toEqual([
      [true, true, false],
      [false, false, false],
      [true, true, false],
    ]);
    const noneIsSmall = table.map((row) => row.map(() => false));
    expect(hideCells(table, 1, [], unlimited())).toEqual(noneIsSmall);
  });

  it('cannot be computed from the sums of rows and columns', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 2, max: 10 }), (table, minCell) => {
        const sums = (table[0] ?? []).map((_, column) => table.reduce((sum, row) => sum + (row[column] ?? 0), 0));
        const isHidden = hideSmallCounts(sums, minCell);
        const mask = hideCells(table, minCell, isHidden, unlimited());
        const all = table.map((row) => row.map(() => true));
        // No choice of cells hides what the sums alone show, such as the cells of a single column.
        const bySums = revealed(table, all, []);
        for (const isSumHidden of [[], isHidden]) {
          const found = revealed(table, mask, isSumHidden);
          for (const [row, counts] of table.entries())
            for (const [column, count] of counts.entries()) {
              const id = row * counts.length + column;
              if (!isSmall(count, minCell)) continue;
              expect(mask[row]?.[column]).toBe(true);
              if (!bySums.has(id)) expect([...found]).not.toContain(id);
            }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are all of a table, if looking for few of them takes too many steps', () => {
    // Small cells on the diagonal, far from each other: each of them needs a rectangle of its own.
    const table = Array.from({ length: 100 }, (_, row) =>
      Array.from({ length: 30 }, (_cell, column) => (row === column ? 1 : 10 + row)),
    );
    const isAll = (mask: Mask) => mask.every((row) => row.every(Boolean));
    const steps = { left: 1_000_000 };
    expect(isAll(hideCells(table, 5, [], steps))).toBe(false);
    const taken = 1_000_000 - steps.left;
    expect(taken).toBeLessThanOrEqual(30 * 99 * 30);
    const fewer = { left: taken - 99 * 30 };
    expect(isAll(hideCells(table, 5, [], fewer))).toBe(true);
    // The next table of the reply gets no steps. A table without small cells needs none.
    expect(isAll(hideCells(table, 5, [], fewer))).toBe(true);
    expect(isAll(hideCells(table, 1, [], fewer))).toBe(false);
    expect(fewer.left).toBeGreaterThan(-99 * 30);
  });
});

describe('hidden counts', () => {
  it('are the small ones and another one, from which the total would reveal them', () => {
    expect(hideSmallCounts([50, 3, 20, 0], 5)).toEqual([false, true, true, false]);
    expect(hideSmallCounts([50, 3, 2, 0], 5)).toEqual([false, true, true, false]);
    expect(hideSmallCounts([50, 30, 0], 5)).toEqual([false, false, false]);
    expect(hideSmallCounts([3], 5)).toEqual([true]);
  });

  it('include those that are hidden already', () => {
    expect(hideSmallCounts([50, 30, 20], 5, [false, true, false])).toEqual([false, true, true]);
    expect(hideSmallCounts([50, 3, 20], 5, [true, false, false])).toEqual([true, true, false]);
  });
});
