import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import type { WarnOnce } from '../../files/report.ts';
import { textsBeforeDate } from '../../tables/dates.ts';
import type { Row } from '../../tables/row.ts';
import { questionsOf } from '../source-questions.ts';
import { isChosenWord, toUnknown } from './choices.ts';
import { type HeaderIndex, type IdUse, longestText } from './header-index.ts';
import { cutHeading } from './headings.ts';
import type { MatchedColumn, ResponseHeader } from './match-headers.ts';
import { withoutItem } from './overrides.ts';

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
  /** Whether cells can have ids of options. In columns with names of our exports, ids come first. */
  readonly ids: IdUse;
  readonly warnOnce: WarnOnce;
}

/** Maximum cells whose options are cached, and maximum characters of one. */
const MAX_FOUND = 10_000;
const MAX_CACHED = 500;
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
  { readsOther, ids, warnOnce }: Options,
): AnswerCells {
  const sources = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const longest = new Map<string, number>();
  const columnNames = new Set(answerColumns.map(({ target }) => target.name));
  const takesOther = (id: string) => sources.get(id)?.['allow_other'] === true && !columnNames.has(`${id}.other`);
  const foundItems = new Map<string, Map<string, readonly string[]>>();
  let foundCount = 0;
  /** Finds options by id or text. Most cells of a column repeat earlier ones. */
  function findItems(questionId: string, list: ListName, text: string): readonly string[] {
    const key = `${list} ${questionId}`;
    const known = foundItems.get(key) ?? new Map<string, readonly string[]>();
    foundItems.set(key, known);
    const found = known.get(text) ?? index.itemFinderOf(questionId)(list, text, ids);
    if (foundCount < MAX_FOUND && text.length < MAX_CACHED && !known.has(text)) {
      foundCount += 1;
      known.set(text, found);
    }
    return found;
  }
  const splitCache = new Map<string, ReturnType<typeof splitChoices>>();

  function toFlag(cell: string, questionId: string, { target }: MatchedColumn): string {
    const text = cell.trim();
    if (text === '') return '';
    // The text of the option comes first: an option can have the text "No".
    const item = target?.kind === 'answer' ? target.column.items.at(-1) : undefined;
    const found = item === undefined ? [] : findItems(questionId, item.list, text);
    if (found.length === 1 && found[0] === item?.id) return '1';
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
    const list = isRow ? 'columns' : 'options';
    const read = splitChoices(cell, (text) => findItems(questionId, list, text), longestIn(questionId, list));
    // Most responses choose one of few combinations.
    if (splitCache.size < 1_000 && key.length < MAX_CACHED) splitCache.set(key, read);
    return read;
  }

  /** Columns whose cells have options, with the list of these. */
  const optionColumns = [
    ...answerColumns.flatMap(({ column, target }) => {
      const { question_id: id, kind, holds, items } = target.column;
      const isFlag = kind === 'flag';
      const list = isFlag ? items.at(-1)?.list : holds;
      // Columns with names of our exports have ids.
      const isOne = !isFlag && (readsOther || column.foundBy !== 'name');
      return list === undefined ? [] : [{ column, id, list, isFlag, isOne }];
    }),
    ...choiceColumns.map(({ column, target: { questionId: id, row } }) => ({
      column,
      id,
      list: row === undefined ? ('options' as const) : ('columns' as const),
      isFlag: false,
      isOne: false,
    })),
  ].map((one) => ({ ...one, hasDates: !one.isFlag && hasTextLikeDate(sources.get(one.id)?.[one.list]) }));

  /** The option that a spreadsheet turned into a date; undefined if the cell is no date or can be of several options. */
  function findTurned(cell: string, { id, list }: (typeof optionColumns)[number]): string | undefined {
    const found = new Set(textsBeforeDate(cell).flatMap((text) => findItems(id, list, text)));
    return found.size === 1 ? [...found][0] : undefined;
  }

  const listIds = new Map<string, readonly { readonly id: string }[]>();
  function idsIn(questionId: string, list: ListName): readonly { readonly id: string }[] {
    const key = JSON.stringify([questionId, list]);
    const known =
      listIds.get(key) ??
      itemsOf(sources.get(questionId)?.[list]).flatMap((item) => {
        const id = toOption(item)?.id;
        return id === undefined ? [] : [{ id }];
      });
    listIds.set(key, known);
    return known;
  }

  /** The reason why a cell is no answer, although validation would take it for the id of an option. */
  function problemOf(found: readonly string[], cell: string, { id, list }: (typeof optionColumns)[number]) {
    if (found.length === 1 || toUnknown(cell, idsIn(id, list)) === cell) return undefined;
    if (found.length > 1) {
      const detail = `the cell could mean ${found.join(' or ')}; name the column like the id of the question if the cells have ids of options`;
      return { code: 'AMBIGUOUS_ANSWER', detail };
    }
    // The text of `other`.
    if (readsOther && takesOther(id)) return undefined;
    return { code: 'UNKNOWN_OPTION', detail: 'the question has no such option' };
  }

  return {
    toOptions(row) {
      const changed = new Map<number, string>();
      const unread = new Map(row.unread);
      for (const option of optionColumns) {
        const { column, id, list, isFlag, isOne, hasDates } = option;
        const { position, heading } = column;
        const [cell = '', number] = [row.cells[position], row.numbers?.get(position)];
        const isShownOtherwise = number !== undefined && number !== cell;
        if (cell.trim() === '' || !(isOne || isShownOtherwise || hasDates)) continue;
        const found = findItems(id, list, cell);
        const isFoundByNumber = isShownOtherwise && (isFlag || findItems(id, list, number).length > 0);
        const problem = isOne && !isFoundByNumber ? problemOf(found, cell, option) : undefined;
        if (problem !== undefined) {
          unread.set(position, { ...problem, value: cell });
          changed.set(position, '');
        }
        if (problem !== undefined || found.length > 0) continue;
        if (isFoundByNumber) changed.set(position, number);
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
          const [option, ...more] = findItems(id, holds, cell);
          const isOther = readsOther && option === undefined && items.length === 0 && takesOther(id);
          if (isOther) named.push([target.name, OTHER], [`${id}.other`, cell]);
          else named.push([target.name, option !== undefined && more.length === 0 ? option : cell]);
        }
      }
      return Object.fromEntries(named);
    },

    addChoices(cells, answers) {
      for (const { column, target } of choiceColumns) {
        const { questionId, row } = target;
        const { ids: chosen, unknown } = split(questionId, row !== undefined, cells[column.position] ?? '');
        if (chosen.length + unknown.length === 0) continue;
        const list = idsIn(questionId, row === undefined ? 'options' : 'columns');
        // Unknown texts are kept, so that validation rejects them.
        const withUnknown = [...chosen, ...unknown.map((text) => toUnknown(text, list))];
        const before = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
        if (row !== undefined) {
          const rows = { ...(isObject(before) ? before : {}) };
          setMember(rows, row, withUnknown);
          setMember(answers, questionId, rows);
          continue;
        }
        const isOther = readsOther && unknown.length > 0 && takesOther(questionId);
        const other = isOther ? unknown.join(', ') : isObject(before) ? before['other'] : undefined;
        const options = isOther ? chosen : withUnknown;
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
        setMember(remaining, id, withoutItem(answer, path));
      }
      return remaining;
    },
  };
}

function hasTextLikeDate(list: unknown): boolean {
  return itemsOf(list).some((item) => toOption(item)?.texts.some((text) => LIKE_DATE.test(text.trim())) === true);
}

/** The ids in a cell with several options. */
interface SplitChoices {
  /** Ids of options, in the order of the cell, without duplicates. */
  readonly ids: readonly string[];
  /** Texts that are no option. */
  readonly unknown: readonly string[];
}

/** Ids of the options with a text: none, one, or several if the text is ambiguous. */
type FindOptions = (text: string) => readonly string[];

const SEPARATOR = /[;,|\n\r]+/g;
/** Maximum number of neighbouring pieces that together can be an option. */
const MAX_JOINED_PIECES = 24;
/** Maximum number of pieces of a cell. */
const MAX_PIECES = 2_000;

/**
 * Splits a cell with several options at `;`, `,`, `|` or line ends. Options can contain separators. Of all ways to read
 * the cell, this function chooses the one with the fewest unknown pieces, and among those the longest options.
 *
 * @param longest length of the longest text that can be an option with separators
 */
export function splitChoices(cell: string, find: FindOptions, longest = Number.POSITIVE_INFINITY): SplitChoices {
  const whole = singleId(find(cell));
  if (whole !== undefined) return { ids: [whole], unknown: [] };
  const pieces = piecesOf(cell);
  const steps = bestSteps(cell, pieces, find, longest);
  const ids = new Set<string>();
  const unknown: string[] = [];
  let unknownFrom: number | undefined;
  const endUnknown = (end: number) => {
    if (unknownFrom !== undefined) unknown.push(textOf(cell, pieces, unknownFrom, end));
    unknownFrom = undefined;
  };
  for (let at = 0; at < pieces.length; ) {
    const step = steps[at];
    if (step?.id === undefined) {
      // Neighbouring unknown pieces are one text that contains separators.
      unknownFrom ??= at;
      at += 1;
      continue;
    }
    endUnknown(at);
    ids.add(step.id);
    at += step.length;
  }
  endUnknown(pieces.length);
  return { ids: [...ids], unknown };
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The non-blank texts between separators. If there are too many, the last piece is the rest of the cell. */
function piecesOf(cell: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  const add = (end: number) => {
    if (cell.slice(start, end).trim() !== '') pieces.push({ start, end });
  };
  for (const { index, 0: separator } of cell.matchAll(SEPARATOR)) {
    if (pieces.length === MAX_PIECES - 1) break;
    add(index);
    start = index + separator.length;
  }
  add(cell.length);
  return pieces;
}

interface Step {
  /** Option that begins at a piece; undefined if the piece is unknown. */
  readonly id: string | undefined;
  /** Number of pieces that the step covers. */
  readonly length: number;
  /** Number of unknown pieces in the rest of the cell, from this one. */
  readonly unknownCount: number;
  /** Number of options in the rest of the cell. */
  readonly optionCount: number;
}

/** For each piece, the best reading of the rest of the cell. */
function bestSteps(cell: string, pieces: readonly Piece[], find: FindOptions, longest: number): readonly Step[] {
  const steps: Step[] = [];
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const after = (length: number) => steps[at + length] ?? { unknownCount: 0, optionCount: 0 };
    const next = after(1);
    let best: Step = { id: undefined, length: 1, unknownCount: next.unknownCount + 1, optionCount: next.optionCount };
    for (let length = Math.min(MAX_JOINED_PIECES, pieces.length - at); length >= 1; length -= 1) {
      const text = textOf(cell, pieces, at, at + length);
      const id = length > 1 && text.length > longest ? undefined : singleId(find(text));
      if (id === undefined) continue;
      const { unknownCount, optionCount } = after(length);
      // Of readings with equally many unknown pieces, choose that with fewer options: its options have longer texts.
      if (
        unknownCount < best.unknownCount ||
        (unknownCount === best.unknownCount && optionCount + 1 < best.optionCount)
      ) {
        best = { id, length, unknownCount, optionCount: optionCount + 1 };
      }
    }
    steps[at] = best;
  }
  return steps;
}

function textOf(cell: string, pieces: readonly Piece[], from: number, end: number): string {
  return cell.slice(pieces[from]?.start, pieces[end - 1]?.end).trim();
}

function singleId(ids: readonly string[]): string | undefined {
  const [id, ...more] = ids;
  return more.length === 0 ? id : undefined;
}
