import { isObject, setMember } from '../../json.ts';
import { type Checked, isRejection, type Rejection, rejection } from '../answer-type.ts';
import { type AnswerValue, isUnanswered, type RowAnswers } from '../answer-value.ts';
import type { OptionList } from '../option-list.ts';
import { toNfc } from '../plain-text.ts';
import type { QuestionMembers } from '../question-members.ts';

type CheckCell = (cell: unknown) => { readonly value: string | readonly string[] } | Rejection;

/** Checks answers by row, and returns the answered rows in order. */
export function checkRows(value: unknown, rows: OptionList, checkCell: CheckCell): Checked {
  if (!isObject(value)) return rejection('WRONG_TYPE', 'the answer must be an object of row ids');
  const answered: [row: string, cell: string | readonly string[]][] = [];
  for (const key of Object.keys(value)) {
    const row = toNfc(key);
    const cell = value[key];
    if (!rows.has(row)) return rejection('UNKNOWN_ROW', 'the answer names a row that the question does not have');
    if (isUnanswered(cell)) continue;
    const checked = checkCell(cell);
    if (isRejection(checked)) return rejection(checked.code, `row ${row}: ${checked.detail}`);
    answered.push([row, checked.value]);
    if (answered.length > rows.ids.length) break;
  }
  if (answered.length === 0) return { value: undefined };
  // Different keys can be the same row in NFC.
  const ordered = rows.inOrder(answered, ([row]) => row);
  if (ordered === undefined) return rejection('DUPLICATE_OPTION', 'a row is given twice');
  const byRow: Record<string, string | readonly string[]> = {};
  for (const [row, cell] of ordered) setMember(byRow, row, cell);
  return { value: byRow };
}

/** Reads `required_rows`, the number of rows that must be answered if the question is required. Default: all. */
export function readRequiredRows(members: QuestionMembers<'likert' | 'matrix'>, rows: OptionList): number {
  const given = members.get('required_rows');
  const all = rows.activeIds.length;
  if (given !== undefined && given > all) {
    members.report('BAD_RANGE', 'required_rows', `required_rows is greater than the ${all} rows`);
  }
  return Math.min(given ?? all, all);
}

/**
 * Returns a function that checks whether an answer has a row or a choice that is no longer offered. Returns undefined
 * if all rows and choices are offered.
 */
export function createInactiveCheck(rows: OptionList, choices: OptionList) {
  if (!rows.hasInactive && !choices.hasInactive) return undefined;
  return (answer: AnswerValue): boolean =>
    // Questions with rows have only answers of this shape.
    Object.entries(answer as RowAnswers).some(
      ([row, chosen]) =>
        rows.get(row)?.inactive === true ||
        (typeof chosen === 'string' ? [chosen] : chosen).some((id) => choices.get(id)?.inactive === true),
    );
}

/** Returns a function that returns a problem if too few active rows are answered. */
export function createRequiredRowsCheck(needed: number, rows: OptionList) {
  return (answer: AnswerValue): string | undefined => {
    const answered = Object.keys(answer).filter((row) => rows.get(row)?.inactive !== true);
    if (answered.length >= needed) return undefined;
    return needed === rows.activeIds.length ? 'every row needs an answer' : `at least ${needed} rows need an answer`;
  };
}
