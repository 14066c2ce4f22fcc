import { rowCells } from '../../columns/row-cells.ts';
import { optionCell } from '../../columns/text-cell.ts';
import { optionOperand, presenceOperand } from '../../logic/operand.ts';
import { idJson, rowsJson } from '../answer-json-schema.ts';
import type { ReadAnswerRules } from '../answer-type.ts';
import { checkOption } from '../check-option.ts';
import { coerceOption, coerceRows } from '../coerce.ts';
import { choicesOf, rowsOf } from '../counting-rule.ts';
import { readOptionList } from '../option-list.ts';
import { checkRows, createInactiveCheck, createRequiredRowsCheck, readRequiredRows } from './row-answers.ts';

/** One option of a scale: `"agree"`, or one for each row: `{"row": "agree"}`. */
export const likert: ReadAnswerRules<'likert'> = (members) => {
  const options = readOptionList(members, 'options');
  if (members.list('rows').length === 0) {
    return {
      check: (value) => checkOption(value, options),
      jsonSchema: () => idJson(options.activeIds),
      coerce: (value) => coerceOption(value, options),
      namesInactive: options.hasInactive ? (answer) => options.get(String(answer))?.inactive === true : undefined,
      operand: optionOperand(options, undefined, String),
      cells: optionCell,
      countingRule: choicesOf(options.ids, (answer) => [String(answer)]),
    };
  }
  const rows = readOptionList(members, 'rows');
  const needed = readRequiredRows(members, rows);
  return {
    check: (value) => checkRows(value, rows, (cell) => checkOption(cell, options)),
    jsonSchema: (required) => rowsJson(rows.activeIds, idJson(options.activeIds), required ? needed : 0),
    coerce: (value) => coerceRows(value, rows, (cell) => coerceOption(cell, options)),
    namesInactive: createInactiveCheck(rows, options),
    missing: createRequiredRowsCheck(needed, rows),
    operand: presenceOperand,
    cells: rowCells(rows, 'options'),
    countingRule: rowsOf(rows.ids, options.ids),
  };
};
