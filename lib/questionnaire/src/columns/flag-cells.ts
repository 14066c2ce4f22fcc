import { isRejection, type Rejection, rejection } from '../answers/answer-type.ts';
import type { OptionList } from '../answers/option-list.ts';
import { isArray, isObject } from '../json.ts';
import { type CellFormat, columnOf, type ListItem, OTHER_COLUMN } from './cell-format.ts';

/** A column `q[option]` with 1 or nothing for each option, and `q.other` with the text if allowed. */
export function flagCells(options: OptionList, allowOther: boolean): CellFormat {
  return {
    columns: () => [
      ...options.ids.map((id) => flagColumnOf([{ list: 'options', id }])),
      ...(allowOther ? [OTHER_COLUMN] : []),
    ],
    toCells: (answer) => {
      const chosen = isObject(answer) ? answer.options : answer;
      const flags = toFlags(chosen, options);
      return allowOther ? [...flags, isObject(answer) ? String(answer.other) : ''] : flags;
    },
    fromCells: (cells) => {
      const chosen = fromFlags(cells.slice(0, options.ids.length), options);
      if (isRejection(chosen)) return chosen;
      const other = allowOther ? (cells[options.ids.length] ?? '') : '';
      if (other !== '') return { value: { options: chosen.value, other } };
      return { value: chosen.value.length === 0 ? undefined : chosen.value };
    },
  };
}

/** The column for an option, or for a row and a column, with 1 or nothing. */
export function flagColumnOf(items: readonly ListItem[]) {
  return { ...columnOf(items), kind: 'flag' as const };
}

/** One cell per option: 1 if the id was chosen. */
export function toFlags(chosen: unknown, options: OptionList): readonly string[] {
  const ids = new Set(isArray(chosen) ? chosen : []);
  return options.ids.map((id) => (ids.has(id) ? '1' : ''));
}

/** The ids of cells with 1. An empty cell or 0 means not chosen. `row` precedes the option in the column name. */
export function fromFlags(
  cells: readonly string[],
  options: OptionList,
  row = '',
): { readonly value: readonly string[] } | Rejection {
  const value: string[] = [];
  for (const [index, id] of options.ids.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (cell === '1') value.push(id);
    else if (cell !== '' && cell !== '0') return rejection('WRONG_TYPE', `the column ${row}[${id}] must be 1 or empty`);
  }
  return { value };
}
