/** A cell of a table. */
type Cell = readonly [row: number, column: number];

/** Counts by row and column. All rows have the same number of columns. */
export type Table = readonly (readonly number[])[];

/** Whether each cell of a table is hidden. */
export type Mask = readonly (readonly boolean[])[];

/** Number of cells that the search for cells to hide may still look at, in all tables of a reply together. */
export interface StepBudget {
  left: number;
}

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
 * @param steps once it is used up, tables with small cells are hidden completely
 */
export function hideCells(table: Table, minCell: number, isColumnHidden: readonly boolean[], steps: StepBudget): Mask {
  const mask = table.map((row) =>
    row.map((count, column) => isColumnHidden[column] === true || isSmall(count, minCell)),
  );
  const small = table.flatMap((row, index) =>
    row.flatMap((count, column): Cell[] => (isSmall(count, minCell) ? [[index, column]] : [])),
  );
  for (const cell of small) {
    if (steps.left <= 0) return table.map((row) => row.map(() => true));
    const opposite = findOpposite(table, mask, cell, steps);
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

/**
 * Finds the opposite corner of the rectangle that hides the fewest further cells, or else the fewest responses. It makes
 * no objects, because it looks at up to millions of cells.
 *
 * @param cell a hidden cell that is not empty
 */
function findOpposite(table: Table, mask: Mask, [row, column]: Cell, steps: StepBudget): Cell | undefined {
  const besides = table[row] ?? [];
  const besideMask = mask[row] ?? [];
  let opposite: Cell | undefined;
  let [fewestCells, fewestResponses] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let otherRow = 0; otherRow < table.length; otherRow += 1) {
    if (otherRow === row) continue;
    const counts = table[otherRow] ?? [];
    const otherMask = mask[otherRow] ?? [];
    steps.left -= counts.length;
    const below = counts[column] ?? 0;
    for (let otherColumn = 0; otherColumn < counts.length; otherColumn += 1) {
      if (otherColumn === column) continue;
      const beside = besides[otherColumn] ?? 0;
      const across = counts[otherColumn] ?? 0;
      // A response must be movable along the rectangle, so that no count gets negative. The cell itself is not empty.
      if (across === 0 && (beside === 0 || below === 0)) continue;
      const showsBeside = besideMask[otherColumn] !== true;
      const showsBelow = otherMask[column] !== true;
      const showsAcross = otherMask[otherColumn] !== true;
      const cells = Number(showsBeside) + Number(showsBelow) + Number(showsAcross);
      if (cells === 0) return [otherRow, otherColumn];
      const responses = (showsBeside ? beside : 0) + (showsBelow ? below : 0) + (showsAcross ? across : 0);
      if (cells > fewestCells || (cells === fewestCells && responses >= fewestResponses)) continue;
      opposite = [otherRow, otherColumn];
      fewestCells = cells;
      fewestResponses = responses;
    }
  }
  return opposite;
}
