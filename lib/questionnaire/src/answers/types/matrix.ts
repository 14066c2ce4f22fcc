import { rowCells, rowFlagCells } from '../../columns/row-cells.ts';
import { presenceOperand } from '../../logic/operand.ts';
import { idJson, idSetJson, rowsJson } from '../answer-json-schema.ts';
import type { ReadAnswerRules } from '../answer-type.ts';
import { checkOption, checkOptionSet } from '../check-option.ts';
import { coerceOption, coerceOptions, coerceRows } from '../coerce.ts';
import { rowsOf } from '../counting-rule.ts';
import { readOptionList } from '../option-list.ts';
import { checkRows, createInactiveCheck, createRequiredRowsCheck, readRequiredRows } from './row-answers.ts';

/** One column for each row: `{"row": "column"}`, or several with `multiple`: `{"row": ["c1", "c2"]}`. */
export const matrix: ReadAnswerRules<'matrix'> = (members) => {
  const rows = readOptionList(members, 'rows');
  const columns = readOptionList(members, 'columns');
  const multiple = members.get('multiple') ?? false;
  const checkCell = multiple ? checkOptionSet : checkOption;
  const toCellJson = multiple ? idSetJson : idJson;
  const needed = readRequiredRows(members, rows);
  const coerceCell = multiple ? coerceOptions : coerceOption;
  return {
    check: (value) => checkRows(value, rows, (cell) => checkCell(cell, columns)),
    jsonSchema: (required) => rowsJson(rows.activeIds, toCellJson(columns.activeIds), required ? needed : 0),
    coerce: (value) => coerceRows(value, rows, (cell) => coerceCell(cell, columns)),
    namesInactive: createInactiveCheck(rows, columns),
    missing: createRequiredRowsCheck(needed, rows),
    operand: presenceOperand,
    cells: multiple ? rowFlagCells(rows, columns) : rowCells(rows, 'columns'),
    countingRule: rowsOf(rows.ids, columns.ids),
  };
};
