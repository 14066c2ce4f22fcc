import { isRejection } from '../answers/answer-type.ts';
import type { OptionList } from '../answers/option-list.ts';
import { isObject, ownMember } from '../json.ts';
import { type CellFormat, columnOf, type ListName } from './cell-format.ts';
import { flagColumnOf, fromFlags, toFlags } from './flag-cells.ts';

/** A column `q[row]` with the chosen option or column id for each row. */
export function rowCells(rows: OptionList, holds: ListName): CellFormat {
  return {
    columns: () => rows.ids.map((id) => columnOf([{ list: 'rows', id }], holds)),
    toCells: (answer) => rows.ids.map((row) => String(cellOf(answer, row) ?? '')),
    fromCells: (cells) => toRows(rows.ids.map((row, index) => [row, cells[index] ?? ''] as const)),
  };
}

/** A column `q[row][column]` with 1 or nothing for each row and column. */
export function rowFlagCells(rows: OptionList, columns: OptionList): CellFormat {
  return {
    columns: () =>
      rows.ids.flatMap((row) =>
        columns.ids.map((id) =>
          flagColumnOf([
            { list: 'rows', id: row },
            { list: 'columns', id },
          ]),
        ),
      ),
    toCells: (answer) => rows.ids.flatMap((row) => toFlags(cellOf(answer, row), columns)),
    fromCells: (cells) => {
      const width = columns.ids.length;
      const answered: (readonly [string, readonly string[]])[] = [];
      for (const [index, row] of rows.ids.entries()) {
        const chosen = fromFlags(cells.slice(index * width, (index + 1) * width), columns, `[${row}]`);
        if (isRejection(chosen)) return chosen;
        answered.push([row, chosen.value]);
      }
      return toRows(answered);
    },
  };
}

function cellOf(answer: unknown, row: string): unknown {
  return isObject(answer) ? ownMember(answer, row) : undefined;
}

function toRows(cells: readonly (readonly [row: string, cell: string | readonly string[]])[]) {
  const answered = cells.filter(([, cell]) => cell.length > 0);
  return { value: answered.length === 0 ? undefined : Object.fromEntries(answered) };
}
