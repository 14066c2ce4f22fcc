import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import type { WarnOnce } from '../../files/report.ts';
import { textsBeforeDate } from '../../tables/dates.ts';
import type { Row } from '../../tables/row.ts';
import { questionsOf } from '../source-questions.ts';
import { isChosenWord } from './choices.ts';
import { type HeaderIndex, longestText } from './header-index.ts';
import { cutHeading } from './headings.ts';
import type { MatchedColumn, ResponseHeader } from './match-headers.ts';
import { withoutItems } from './overrides.ts';
import { splitChoices } from './split-choices.ts';

/** Converts the cells of a row to the cells that our export would have. */
export interface AnswerCells {
  /**
   * Replaces cells that mean an option as something else: as a number of a workbook that is displayed with decimals, or
   * as a date that a spreadsheet made of an option such as `1-5`. Such a date of no option becomes unread.
   */
  toOptions(row: Row): Row;
  /** Cells by the names of columns in our exports. */
  toCells(cells: readonly string[]): Record<string, string>;
  /** Adds the answers of cells with several options. */
  addChoices(cells: readonly string[], answers: Record<string, unknown>): void;
  /** Removes from answers of other columns the options that the cells say are not chosen. */
  withoutUnchosen(answers: JsonObject, cells: readonly string[]): JsonObject;
}

interface Options {
  /** Whether an unknown text is read as the text of `other`, if the question has `other` without a column for it. */
  readonly readsOther: boolean;
  readonly warnOnce: WarnOnce;
}

/** Texts that spreadsheets turn into dates: `1-5`, `2/50`. */
const LIKE_DATE = /^\d{1,2} ?[-–/.] ?\d{1,4}$/;
const DATE_IN_CHOICE = {
  code: 'DATE_IN_CHOICE',
  detail: 'the cell has a date that a spreadsheet has perhaps made of an option; export again, or correct the cell',
};

/**
 * Reads cells depending on how the heading of their column was found. Columns with names of our exports must have the
 * values of our exports. In other columns, texts of options can differ in case. If the column is for one option, the
 * cells can have its text, or a word such as "yes", instead of 1.
 */
export function createAnswerCells(
  { answerColumns, choiceColumns }: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
  { readsOther, warnOnce }: Options,
): AnswerCells {
  const sources = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const longest = new Map<string, number>();
  const columnNames = new Set(answerColumns.map(({ target }) => target.name));
  const takesOther = (id: string) => sources.get(id)?.['allow_other'] === true && !columnNames.has(`${id}.other`);
  const splitCache = new Map<string, ReturnType<typeof splitChoices>>();

  function toFlag(cell: string, questionId: string, { target }: MatchedColumn): string {
    const text = cell.trim();
    if (text === '') return '';
    // The text of the option comes first: an option can have the text "No".
    const item = target?.kind === 'answer' ? target.column.items.at(-1) : undefined;
    const ids = item === undefined ? [] : index.itemsOf(questionId)(item.list, text);
    if (ids.length === 1 && ids[0] === item?.id) return '1';
    const isChosen = isChosenWord(text);
    return isChosen === undefined ? cell : isChosen ? '1' : '';
  }

  function longestIn(questionId: string, list: ListName): number {
    const key = JSON.stringify([questionId, list]);
    const source = sources.get(questionId);
    const length = longest.get(key) ?? (source === undefined ? 0 : longestText({ source }, list));
    longest.set(key, length);
    return length;
  }

  function split(questionId: string, isRow: boolean, cell: string): ReturnType<typeof splitChoices> {
    const key = JSON.stringify([questionId, cell]);
    const known = splitCache.get(key);
    if (known !== undefined) return known;
    const find = index.itemsOf(questionId);
    const list = isRow ? 'columns' : 'options';
    const read = splitChoices(cell, (text) => find(list, text), longestIn(questionId, list));
    // Most responses choose one of few combinations.
    if (splitCache.size < 1_000 && key.length < 500) splitCache.set(key, read);
    return read;
  }

  /** Columns whose cells have options, with the list of these. */
  const optionColumns = [
    ...answerColumns.flatMap(({ column, target }) => {
      const { question_id: id, kind, holds, items } = target.column;
      const isFlag = kind === 'flag';
      const list = isFlag ? items.at(-1)?.list : holds;
      return list === undefined ? [] : [{ column, id, list, isFlag }];
    }),
    ...choiceColumns.map(({ column, target: { questionId: id, row } }) => ({
      column,
      id,
      list: row === undefined ? ('options' as const) : ('columns' as const),
      isFlag: false,
    })),
  ].map((one) => ({ ...one, hasDates: !one.isFlag && hasTextLikeDate(sources.get(one.id)?.[one.list]) }));

  /** The option that a spreadsheet turned into a date; undefined if the cell is no date or can be of several options. */
  function findTurned(cell: string, { id, list }: (typeof optionColumns)[number]): string | undefined {
    const found = new Set(textsBeforeDate(cell).flatMap((text) => index.itemsOf(id)(list, text)));
    return found.size === 1 ? [...found][0] : undefined;
  }

  return {
    toOptions(row) {
      const changed = new Map<number, string>();
      const unread = new Map(row.unread);
      for (const option of optionColumns) {
        const { column, id, list, isFlag, hasDates } = option;
        const { position, heading } = column;
        const [cell = '', number] = [row.cells[position], row.numbers?.get(position)];
        const isShownOtherwise = number !== undefined && number !== cell;
        if (cell.trim() === '' || !(isShownOtherwise || hasDates)) continue;
        if (index.itemsOf(id)(list, cell).length > 0) continue;
        if (isShownOtherwise && (isFlag || index.itemsOf(id)(list, number).length > 0)) changed.set(position, number);
        else if (hasDates && textsBeforeDate(cell).length > 0) {
          const turned = findTurned(cell, option);
          if (turned === undefined) unread.set(position, { ...DATE_IN_CHOICE, value: cell });
          changed.set(position, turned ?? '');
          if (turned === undefined) continue;
          const detail = `The column ${cutHeading(heading)} has dates that a spreadsheet made of options, and they are read as these options`;
          warnOnce(heading, { path: '', code: 'READ_AS_OPTION', detail });
        }
      }
      if (changed.size === 0) return row;
      const cells = row.cells.map((cell, position) => changed.get(position) ?? cell);
      return { ...row, cells, ...(unread.size > 0 && { unread }) };
    },

    toCells(cells) {
      const named: [string, string][] = [];
      for (const { column, target } of answerColumns) {
        const { question_id: id, kind, holds, items } = target.column;
        const cell = cells[column.position] ?? '';
        if (column.foundBy === 'name' && !readsOther) named.push([target.name, cell]);
        else if (kind === 'flag') named.push([target.name, toFlag(cell, id, column)]);
        else if (holds === undefined || cell.trim() === '') named.push([target.name, cell]);
        else {
          const [option, ...others] = index.itemsOf(id)(holds, cell);
          const isOther = readsOther && option === undefined && items.length === 0 && takesOther(id);
          if (isOther) named.push([target.name, OTHER], [`${id}.other`, cell]);
          else named.push([target.name, option !== undefined && others.length === 0 ? option : cell]);
        }
      }
      return Object.fromEntries(named);
    },

    addChoices(cells, answers) {
      for (const { column, target } of choiceColumns) {
        const { questionId, row } = target;
        const { ids, unknown } = split(questionId, row !== undefined, cells[column.position] ?? '');
        if (ids.length + unknown.length === 0) continue;
        const before = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
        if (row !== undefined) {
          const rows = { ...(isObject(before) ? before : {}) };
          // Unknown texts are kept, so that validation rejects them.
          setMember(rows, row, [...ids, ...unknown]);
          setMember(answers, questionId, rows);
          continue;
        }
        const isOther = readsOther && unknown.length > 0 && takesOther(questionId);
        const other = isOther ? unknown.join(', ') : isObject(before) ? before['other'] : undefined;
        const options = isOther ? ids : [...ids, ...unknown];
        setMember(answers, questionId, other === undefined ? options : { options, other });
      }
    },

    withoutUnchosen(answers, cells) {
      let remaining = answers;
      for (const { column, target } of answerColumns) {
        const { question_id: id, kind, items } = target.column;
        const cell = cells[column.position] ?? '';
        const answer = Object.hasOwn(remaining, id) ? remaining[id] : undefined;
        if (kind !== 'flag' || answer === undefined || cell.trim() === '' || toFlag(cell, id, column) !== '') continue;
        remaining = { ...remaining };
        const path = items.map((item) => item.id);
        setMember(remaining, id, withoutItems(answer, path));
      }
      return remaining;
    },
  };
}

function hasTextLikeDate(list: unknown): boolean {
  return itemsOf(list).some((item) => toOption(item)?.texts.some((text) => LIKE_DATE.test(text.trim())) === true);
}
