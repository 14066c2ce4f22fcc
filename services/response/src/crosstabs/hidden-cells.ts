/** A cell of a table. */
type Cell = readonly [row: number, column: number];

/** Counts by row and column. All rows have the same number of columns. */
export type Table = readonly (readonly number[])[];

/** Whether each cell of a table is hidden. */
export type Mask = readonly (readonly boolean[])[];

/** Tables that need more steps are hidden completely. */
const MAX_STEPS = 10_000_000;

/** Whether a count is small: zero says nothing about a person. */
export function isSmall(count: number, minCell: number): boolean {
  return count > 0 && count < minCell;
}

/**
 * Selects columns to hide: those with a small count, and another one, because the total reveals a single hidden count.
 *
 * @param isHidden columns that are hidden already
 */
export function hideSmallCounts(
  counts: readonly number[],
  minCell: number,
  isHidden: readonly boolean[] = [],
): readonly boolean[] {
  const hidden = counts.map((count, column) => isHidden[column] === true || isSmall(count, minCell));
  const hasSmall = hidden.includes(true);
  // A count of zero hides less: readers may know that nobody is in the group.
  const isProtected = () => hidden.filter((one, column) => one && (counts[column] ?? 0) > 0).length !== 1;
  if (!hasSmall || isProtected()) return hidden;
  const [smallest] = counts
    .map((count, column) => [count, column] as const)
    .filter(([count, column]) => count > 0 && !hidden[column])
    .sort(([one], [other]) => one - other);
  if (smallest !== undefined) hidden[smallest[1]] = true;
  return hidden;
}

/**
 * Selects cells to hide: small ones, and others from which the sums of rows and columns would reveal them.
 *
 * A small cell is safe if it is a corner of a rectangle of hidden cells, along which one response can be moved: one corner
 * gets one more, its neighbours one less, the opposite corner one more. No sum changes, so no sum can reveal the cell.
 *
 * @param isColumnHidden columns whose cells are all hidden
 */
export function hideCells(table: Table, minCell: number, isColumnHidden: readonly boolean[]): Mask {
  const mask = table.map((row) =>
    row.map((count, column) => isColumnHidden[column] === true || isSmall(count, minCell)),
  );
  const small = table.flatMap((row, index) =>
    row.flatMap((count, column): Cell[] => (isSmall(count, minCell) ? [[index, column]] : [])),
  );
  if (small.length === 0) return mask;
  const columns = table[0]?.length ?? 0;
  if (small.length * table.length * columns > MAX_STEPS) return table.map((row) => row.map(() => true));
  for (const cell of small) {
    const opposite = findOpposite(table, mask, cell);
    // Without an opposite corner, the sums show the cell even if all cells are hidden.
    if (opposite !== undefined) for (const [row, column] of cornersOf(cell, opposite)) set(mask, row, column);
  }
  return mask;
}

function set(mask: boolean[][], row: number, column: number): void {
  const cells = mask[row];
  if (cells !== undefined) cells[column] = true;
}

function cornersOf([row, column]: Cell, [otherRow, otherColumn]: Cell): readonly Cell[] {
  return [
    [row, column],
    [row, otherColumn],
    [otherRow, column],
    [otherRow, otherColumn],
  ];
}

/** Finds the opposite corner of the rectangle that hides the fewest further cells, or else the fewest responses. */
function findOpposite(table: Table, mask: Mask, cell: Cell): Cell | undefined {
  let best: { readonly opposite: Cell; readonly cells: number; readonly responses: number } | undefined;
  for (const [row, counts] of table.entries()) {
    if (row === cell[0]) continue;
    for (const column of counts.keys()) {
      if (column === cell[1] || !canMove(table, cell, [row, column])) continue;
      const shown = cornersOf(cell, [row, column]).filter(([one, other]) => mask[one]?.[other] !== true);
      const responses = shown.reduce((sum, [one, other]) => sum + (table[one]?.[other] ?? 0), 0);
      if (shown.length === 0) return [row, column];
      const isBetter =
        best === undefined || shown.length < best.cells || (shown.length === best.cells && responses < best.responses);
      if (isBetter) best = { opposite: [row, column], cells: shown.length, responses };
    }
  }
  return best?.opposite;
}

/** Whether a response can be moved along a rectangle, so that no count gets negative. */
function canMove(table: Table, [row, column]: Cell, [otherRow, otherColumn]: Cell): boolean {
  const has = (one: number, other: number) => (table[one]?.[other] ?? 0) > 0;
  return (has(row, otherColumn) && has(otherRow, column)) || (has(row, column) && has(otherRow, otherColumn));
}
