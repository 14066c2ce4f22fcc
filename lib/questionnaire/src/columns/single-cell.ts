import type { CellFormat } from './cell-format.ts';

/** One column with the name of the question: texts, numbers, dates, and the one option of a choice. */
export const singleCell: CellFormat = {
  suffixes: () => [''],
  toCells: (answer) => [String(answer)],
  fromCells: ([cell]) => ({ value: cell === '' ? undefined : cell }),
};
