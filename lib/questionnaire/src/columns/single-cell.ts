import { type CellFormat, columnOf, type ListName } from './cell-format.ts';

const singleCellOf = (holds?: ListName): CellFormat => ({
  columns: () => [columnOf([], holds)],
  toCells: (answer) => [String(answer)],
  fromCells: ([cell]) => ({ value: cell === '' ? undefined : cell }),
});

/** One column with the name of the question: texts, numbers and dates. */
export const singleCell = singleCellOf();

/** One column with the name of the question, for the one option of a choice. */
export const optionCell = singleCellOf('options');
