import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListItem, ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import type { WarnOnce } from '../../files/report.ts';
import { textsBeforeDate } from '../../tables/dates.ts';
import type { Row } from '../../tables/row.ts';
import { getOrAdd } from '../maps.ts';
import { questionsOf } from '../source-questions.ts';
import { isChosenWord, toUnknown } from './choices.ts';
import { type HeaderIndex, type IdUse, longestText } from './header-index.ts';
import { cutHeading } from './headings.ts';
import type { MatchedColumn, ResponseHeader } from './match-headers.ts';
import { withoutItem } from './overrides.ts';

/**
 * Converts the cells of a row to the cells that our export would have. "Option" also means a row or column of a matrix.
 *
 * - `Red` in a column of a single choice → the id of the option
 * - `yes`, `1` or `Red` in the column of the option Red → `1`
 * - `Red; Blue` in a column of a multiple choice → the ids of both options
 */
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
  readonly idUse: IdUse;
  readonly warnOnce: WarnOnce;
}

/**
 * Reads cells depending on how the heading of their column was found. Columns with names of our exports must have the
 * values of our exports. In other columns, texts of options can differ in case.
 */
export function createAnswerCells(
  header: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
  { readsOther, idUse, warnOnce }: Options,
): AnswerCells {
  const { answerColumns, choiceColumns } = header;
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const search = createOptionSearch(questions, index, idUse);
  const columnNames = new Set(answerColumns.map(({ target }) => target.name));
  const takesOther = (id: string) =>
    readsOther && questions.get(id)?.['allow_other'] === true && !columnNames.has(`${id}.other`);

  /** The cell of our export for the column of an option: 1 or empty. A cell that says neither stays. */
  function toFlag(cell: string, questionId: string, item: ListItem | undefined): string {
    const text = cell.trim();
    if (text === '') return '';
    // The text of the option comes first: an option can have the text "No".
    if (item !== undefined && search.find(questionId, item.list, text).includes(item.id)) return '1';
    const isChosen = isChosenWord(text);
    return isChosen === undefined ? cell : isChosen ? '1' : '';
  }

  return {
    toOptions: createToOptions(header, questions, search, { readsOther, takesOther, warnOnce }),

    toCells(cells) {
      const named: [string, string][] = [];
      for (const { column, target } of answerColumns) {
        const { question_id: id, kind, holds, items } = target.column;
        const cell = cells[column.position] ?? '';
        if (column.foundBy === 'name' && !readsOther) named.push([target.name, cell]);
        else if (kind === 'flag') named.push([target.name, toFlag(cell, id, items.at(-1))]);
        else if (holds === undefined || cell.trim() === '') named.push([target.name, cell]);
        else {
          const [option, ...more] = search.find(id, holds, cell);
          const isOther = option === undefined && items.length === 0 && takesOther(id);
          if (isOther) named.push([target.name, OTHER], [`${id}.other`, cell]);
          else named.push([target.name, option !== undefined && more.length === 0 ? option : cell]);
        }
      }
      return Object.fromEntries(named);
    },

    addChoices(cells, answers) {
      for (const { column, target } of choiceColumns) {
        const { questionId, row } = target;
        const list = listOfChoices(target);
        const { ids: chosen, unknown } = search.split(questionId, list, cells[column.position] ?? '');
        if (chosen.length + unknown.length === 0) continue;
        // Unknown texts are kept, so that validation rejects them.
        const withUnknown = [...chosen, ...unknown.map((text) => toUnknown(text, search.optionsIn(questionId, list)))];
        const before = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
        if (row !== undefined) {
          const rows = { ...(isObject(before) ? before : {}) };
          setMember(rows, row, withUnknown);
          setMember(answers, questionId, rows);
          continue;
        }
        const isOther = unknown.length > 0 && takesOther(questionId);
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
        if (kind !== 'flag' || answer === undefined || cell.trim() === '') continue;
        if (toFlag(cell, id, items.at(-1)) !== '') continue;
        const path = items.map((item) => item.id);
        remaining = { ...remaining };
        setMember(remaining, id, withoutItem(answer, path));
      }
      return remaining;
    },
  };
}

type Questions = ReadonlyMap<string, JsonObject>;

/** The list of the options in a cell with several ones. */
function listOfChoices({ row }: { readonly row: string | undefined }): ListName {
  return row === undefined ? 'options' : 'columns';
}

/** Finds the options that cells name. Caches results, because most cells of a column repeat earlier ones. */
interface OptionSearch {
  /** Ids of the options with this id or text: none, one, or several if it is ambiguous. */
  find(questionId: string, list: ListName, text: string): readonly string[];
  split(questionId: string, list: ListName, cell: string): SplitChoices;
  /** The ids of all options. */
  optionsIn(questionId: string, list: ListName): readonly { readonly id: string }[];
}

/** Maximum cells whose options are cached, maximum characters of one, and maximum combinations of options. */
const MAX_FOUND = 10_000;
const MAX_CACHED = 500;
const MAX_COMBINATIONS = 1_000;

function createOptionSearch(questions: Questions, index: HeaderIndex, idUse: IdUse): OptionSearch {
  const found = new Map<string, Map<string, readonly string[]>>();
  let foundCount = 0;
  const combinations = new Map<string, SplitChoices>();
  const longest = new Map<string, number>();
  const options = new Map<string, readonly { readonly id: string }[]>();
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

  function find(questionId: string, list: ListName, text: string): readonly string[] {
    const key = `${list} ${questionId}`;
    const inList = getOrAdd(found, key, () => new Map<string, readonly string[]>());
    const ofText = inList.get(text) ?? index.itemFinderOf(questionId)(list, text, idUse);
    if (foundCount < MAX_FOUND && text.length < MAX_CACHED && !inList.has(text)) {
      foundCount += 1;
      inList.set(text, ofText);
    }
    return ofText;
  }

  function longestIn(questionId: string, list: ListName): number {
    const source = questions.get(questionId) ?? {};
    return getOrAdd(longest, keyOf(questionId, list), () => longestText({ source }, list));
  }

  return {
    find,
    split(questionId, list, cell) {
      const key = keyOf(questionId, list, cell);
      const known = combinations.get(key);
      if (known !== undefined) return known;
      const read = splitChoices(cell, (text) => find(questionId, list, text), longestIn(questionId, list));
      // Most responses choose one of few combinations.
      if (combinations.size < MAX_COMBINATIONS && key.length < MAX_CACHED) combinations.set(key, read);
      return read;
    },
    optionsIn(questionId, list) {
      const read = () => optionsOf(questions.get(questionId)?.[list]).map(({ id }) => ({ id }));
      return getOrAdd(options, keyOf(questionId, list), read);
    },
  };
}

function optionsOf(list: unknown) {
  return itemsOf(list).flatMap((item) => toOption(item) ?? []);
}

/** Texts that spreadsheets turn into dates: `1-5`, `2/50`. */
const LIKE_DATE = /^\d{1,2} ?[-–/.] ?\d{1,4}$/;
const DATE_IN_CHOICE = {
  code: 'DATE_IN_CHOICE',
  detail: 'the cell has a date that a spreadsheet has perhaps made of an option; export again, or correct the cell',
};
const NO_SUCH_OPTION = { code: 'UNKNOWN_OPTION', detail: 'the question has no such option' };

/** A column whose cells have options of a question. */
interface OptionColumn {
  readonly column: MatchedColumn;
  readonly id: string;
  readonly list: ListName;
  /** The column is for one option, and its cells say if it is chosen. */
  readonly isFlag: boolean;
  /** Each cell must have one option. */
  readonly isOne: boolean;
  /** A spreadsheet can have turned options into dates. */
  readonly hasDates: boolean;
}

interface ToOptionsContext extends Pick<Options, 'readsOther' | 'warnOnce'> {
  /** True if an unknown text is the text of `other`. */
  takesOther(questionId: string): boolean;
}

function createToOptions(
  { answerColumns, choiceColumns }: ResponseHeader,
  questions: Questions,
  search: OptionSearch,
  { readsOther, takesOther, warnOnce }: ToOptionsContext,
): AnswerCells['toOptions'] {
  const hasTextLikeDate = (id: string, list: ListName) =>
    optionsOf(questions.get(id)?.[list]).some(({ texts }) => texts.some((text) => LIKE_DATE.test(text.trim())));
  const single = answerColumns.flatMap(({ column, target }): readonly OptionColumn[] => {
    const { question_id: id, kind, holds, items } = target.column;
    const isFlag = kind === 'flag';
    const list = isFlag ? items.at(-1)?.list : holds;
    if (list === undefined) return [];
    // Columns with names of our exports have ids.
    const isOne = !isFlag && (readsOther || column.foundBy !== 'name');
    return [{ column, id, list, isFlag, isOne, hasDates: !isFlag && hasTextLikeDate(id, list) }];
  });
  const several = choiceColumns.map(({ column, target }): OptionColumn => {
    const [id, list] = [target.questionId, listOfChoices(target)];
    return { column, id, list, isFlag: false, isOne: false, hasDates: hasTextLikeDate(id, list) };
  });
  const columns = [...single, ...several];

  /** The option that a spreadsheet turned into a date; undefined if the cell is no date, or of several options. */
  function findTurned(cell: string, { id, list }: OptionColumn): string | undefined {
    const found = new Set(textsBeforeDate(cell).flatMap((text) => search.find(id, list, text)));
    return found.size === 1 ? [...found][0] : undefined;
  }

  /** The reason why a cell is no answer, although validation would take it for the id of an option. */
  function problemOf(found: readonly string[], cell: string, { id, list }: OptionColumn) {
    if (found.length === 1 || toUnknown(cell, search.optionsIn(id, list)) === cell) return undefined;
    if (found.length === 0) return takesOther(id) ? undefined : NO_SUCH_OPTION;
    const detail = `the cell could mean ${found.join(' or ')}; name the column like the id of the question if the cells have ids of options`;
    return { code: 'AMBIGUOUS_ANSWER', detail };
  }

  return (row) => {
    const changed = new Map<number, string>();
    const unread = new Map(row.unread);
    for (const option of columns) {
      const { column, id, list, isFlag, isOne, hasDates } = option;
      const { position, heading } = column;
      const [cell = '', number] = [row.cells[position], row.numbers?.get(position)];
      const isShownOtherwise = number !== undefined && number !== cell;
      if (cell.trim() === '' || !(isOne || isShownOtherwise || hasDates)) continue;
      const found = search.find(id, list, cell);
      const isFoundByNumber = isShownOtherwise && (isFlag || search.find(id, list, number).length > 0);
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
  };
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
