import { isArray, isObject } from '../json.ts';
import { type CellFormat, columnOf } from './cell-format.ts';

const SEPARATOR = '|';

/** One column with the file ids, separated by `|`. */
export const fileCell: CellFormat = {
  columns: () => [columnOf([])],
  toCells: (answer) => [
    (isArray(answer) ? answer : []).map((file) => (isObject(file) ? String(file.file_id) : '')).join(SEPARATOR),
  ],
  fromCells: ([cell = '']) => ({
    value: cell === '' ? undefined : cell.split(SEPARATOR).map((id) => ({ file_id: id.trim() })),
  }),
};
