import { type CellFormat, columnOf, type ListName } from './cell-format.ts';

function singleCellOf(holds?: ListName): CellFormat {
  return {
    columns: () => [columnOf([], holds)],
    toCells: (answer) => [String(answer)],
    fromCells: ([cell]) => ({ value: cell === '' ? undefined : cell }),
  };
}

/** One column with the question's name: texts and dates. */
export const singleCell = singleCellOf();

/** One column with the question's name, for numbers. */
export const numberCell: CellFormat = { ...singleCell, columns: () => [{ ...columnOf([]), isNumber: true }] };

/** One column with the question's name, for an option id. */
export const optionCell = singleCellOf('options');
