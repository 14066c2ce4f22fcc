import { type CellFormat, columnOf, type ListName } from './cell-format.ts';

const singleCellOf = (holds?: ListName): CellFormat => ({
  columns: () => [columnOf([], holds)],
  toCells: (answer) => [String(answer)],
  fromCells: ([cell]) => ({ value: cell === '' ? undefined : cell }),
});

/** One column with the name of the question: texts and dates. */
export const singleCell = singleCellOf();

/** One column with the name of the question, for numbers. */
export const numberCell: CellFormat = { ...singleCell, columns: () => [{ ...columnOf([]), isNumber: true }] };

/** One column with the name of the question, for the one option of a choice. */
export const optionCell = singleCellOf('options');
