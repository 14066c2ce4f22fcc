import { type CellFormat, type CellKind, columnOf, type ListName } from './cell-format.ts';

function singleCellOf({ holds, kind }: { readonly holds?: ListName; readonly kind?: CellKind } = {}): CellFormat {
  return {
    columns: () => [{ ...columnOf([], holds), ...(kind === undefined ? {} : { kind }) }],
    toCells: (answer) => [String(answer)],
    fromCells: ([cell]) => ({ value: cell === '' ? undefined : cell }),
  };
}

/** One column with the question's name, for texts. */
export const textCell = singleCellOf();

/** One column with the question's name, for numbers. */
export const numberCell = singleCellOf({ kind: 'number' });

/** One column with the question's name, for days: YYYY-MM-DD. */
export const dateCell = singleCellOf({ kind: 'date' });

/** One column with the question's name, for times of day: HH:MM or HH:MM:SS. */
export const timeCell = singleCellOf({ kind: 'time' });

/** One column with the question's name, for an option id. */
export const optionCell = singleCellOf({ holds: 'options' });
