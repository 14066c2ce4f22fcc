import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { readNames } from '../../tables/header.ts';
import { rowsAfter, type Table } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget } from '../../tables/table-options.ts';
import { addToSet } from '../maps.ts';
import { questionsOf } from '../source-questions.ts';
import { OTHER_TEXT, textsOf } from '../texts.ts';
import { type FoundColumns, findToolColumns } from '../tool-columns/assign-columns.ts';
import { readToolHeader, type ToolColumn } from '../tool-columns/header.ts';
import type { HeaderIndex, HeadingTarget } from './header-index.ts';
import { cutHeading, toLooseKey } from './headings.ts';
import { givenTargets, matchGiven } from './match-headers.ts';

/** The differences between tools whose tables have titles as headings. */
export interface ToolTable {
  /** Targets of columns about the response, by heading in lower case without spaces. */
  readonly words: ReadonlyMap<string, string>;
  /**
   * Targets of the first columns, by position, for accounts in other languages than English. They are used if the first
   * heading is `ID`, and the next two headings are no words of the tool.
   */
  readonly leading?: readonly string[];
  /** Headings of further columns about the response, such as the points of a question. They are kept as metadata. */
  readonly metadata?: RegExp;
  /** Whether a second header row can have the texts of options and rows. */
  readonly hasPartRow?: boolean;
  /** Whether the tool adds a number at the end of a repeated title, such as `Name2`. */
  readonly appendsNumberToTitle?: boolean;
  /** Whether cells are masked against formulas, like those of `maskFormula`; undefined to detect it. */
  readonly isMasked?: boolean;
  /** Whether cells can have the numbers of options in place of their texts. */
  readonly canNumberOptions?: boolean;
  /** Our statuses of responses by those of the tool, in lower case. */
  readonly statuses?: ReadonlyMap<string, string>;
  /** Reads the tool's answers to a question; undefined if the tool writes them like other tools. */
  readonly readerOf?: (question: JsonObject) => ReadCell | undefined;
}

/** The columns of a tool's table, in the form of a table with titles. */
export interface ToolLayout {
  /** The header as a single row: the headings of the file, then an added one for each column with a second target. */
  readonly header: Row | undefined;
  /** Number of header rows in the file. */
  readonly headerRows: number;
  /** Targets of all columns, including those of the option `columns`. */
  readonly columns: readonly ColumnTarget[];
  /** Number of columns of the file. */
  readonly width: number;
  /** Metadata targets by position, for columns without other targets, unless `ToolTable.metadata` has their heading. */
  readonly metadataColumns: ReadonlyMap<number, string>;
  /** Targets that were chosen only by the position of their column. */
  readonly guessed: ReadonlyMap<number, string>;
  /** Converts the cells of a row of the file to cells below `header`. */
  toCells(cells: readonly string[]): readonly string[];
}

/** Columns about the response, by position. */
interface ResponseColumns {
  readonly targets: ReadonlyMap<number, string>;
  /** Targets that were chosen only by the position of their column. */
  readonly guessed: ReadonlyMap<number, string>;
}

const METADATA = 'metadata.';
const MAX_MEMBER = 80;

/**
 * Finds the targets of the columns of a tool's table: those of the option `columns`, then those found by headings. Other
 * columns become metadata. Throws `INVALID_IMPORT` if the option `columns` is invalid.
 *
 * @param rows the first two rows of the table
 * @param columnTargets the option `columns`
 */
export function layOutTable(
  rows: readonly Row[],
  { payload, index }: { readonly payload: JsonObject; readonly index: HeaderIndex },
  tool: ToolTable,
  columnTargets: readonly ColumnTarget[],
): ToolLayout {
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const header = readHeader(rows, tool);
  const names = header.columns.map(({ name }) => name);
  const { targets: responseTargets, guessed } = findResponseTargets(header.columns, tool);
  const options = { index, questions, responseTargets, appendsNumberToTitle: tool.appendsNumberToTitle ?? false };
  const [first] = rows;
  const headings = readNames(first && { ...first, cells: names });
  const given = new Map(
    matchGiven(headings, index, columnTargets).map(({ position, target }) => [position, target?.name ?? '']),
  );
  const found = withGiven(findToolColumns(header.columns, options), given);
  const metadataTargets = findMetadataTargets(names, found.targets, index);
  const isUnknown = (position: number) => tool.metadata?.test(names[position] ?? '') !== true;
  const { statuses = new Map<string, string>(), readerOf = () => undefined } = tool;
  const targets = [
    ...found.targets,
    ...metadataTargets,
    ...found.secondTargets.map(({ target }, at) => [names.length + at, target] as const),
  ];
  return {
    header: first && { ...first, cells: [...names, ...found.secondTargets.map(({ target }) => target)] },
    headerRows: header.rows,
    width: names.length,
    columns: targets.map(([position, target]) => toColumnTarget(position, target)),
    metadataColumns: new Map([...metadataTargets].filter(([position]) => isUnknown(position))),
    guessed: new Map([...guessed].filter(([position, target]) => found.targets.get(position) === target)),
    toCells: createToolCells({ ...found, index, questions, names, statuses, readerOf }),
  };
}

/** Number of header rows of a tool's table. */
export function countHeaderRows(rows: readonly Row[], tool: ToolTable): number {
  return readHeader(rows, tool).rows;
}

function readHeader(rows: readonly Row[], { words, hasPartRow }: ToolTable) {
  return readToolHeader(rows, hasPartRow === true ? (heading) => words.get(toWord(heading)) : undefined);
}

/** Finds the columns about the response in a table with one header row. */
export function findResponseColumns(headings: readonly string[], tool: ToolTable): ResponseColumns {
  const header = readToolHeader([{ number: 1, cells: headings }], undefined);
  return findResponseTargets(header.columns, tool);
}

/** Names the column by its position, so that its heading does not matter. */
export function toColumnTarget(position: number, target: string): ColumnTarget {
  return { heading: `#${position + 1}`, position, target };
}

/** Replaces targets by those of the option `columns`. Removes other uses of these columns. */
function withGiven(found: FoundColumns, given: ReadonlyMap<number, string>): FoundColumns {
  return {
    targets: new Map([...found.targets, ...given]),
    secondTargets: found.secondTargets.filter(({ from }) => !given.has(from)),
    otherColumns: found.otherColumns.filter(({ chosen, text }) => !given.has(chosen) && !given.has(text)),
  };
}

/** Warnings about the columns whose target was chosen only by position, unless the option `columns` names them. */
export function guessWarnings(
  guessed: ReadonlyMap<number, string>,
  headings: readonly string[],
  columnTargets: readonly ColumnTarget[],
): readonly FieldProblem[] {
  const given = givenTargets(headings, columnTargets);
  return [...guessed].flatMap(([position, target]) => {
    if (given.has(position)) return [];
    const heading = headings[position] ?? '';
    const detail = `The column ${cutHeading(heading)} becomes ${target} by its position; if it is a question, set its target with columns`;
    return [{ path: '', code: 'COLUMN_GUESSED', detail }];
  });
}

/** A table with the header of a layout as its first row. */
export function applyLayout(table: Table, { header, headerRows, toCells }: ToolLayout): Table {
  return {
    ...table,
    async *rows() {
      if (header === undefined) return;
      yield header;
      for await (const row of rowsAfter(table, headerRows)) yield withCells(row, toCells(row.cells));
    },
  };
}

/** Replaces the cells of a row. Cells whose text changed lose their number from the workbook. */
function withCells({ numbers, ...row }: Row, cells: readonly string[]): Row {
  const same = [...(numbers ?? [])].filter(([position]) => cells[position] === row.cells[position]);
  return { ...row, cells, ...(same.length > 0 && { numbers: new Map(same) }) };
}

/** The first column with each word of the tool, and the leading columns in other languages. */
function findResponseTargets(columns: readonly ToolColumn[], { words, leading = [] }: ToolTable): ResponseColumns {
  const targets = new Map<number, string>();
  const taken = new Set<string>();
  const add = (position: number, target: string | undefined) => {
    if (target === undefined || targets.has(position) || taken.has(target)) return;
    taken.add(target);
    targets.set(position, target);
  };
  const wordOf = (column: ToolColumn | undefined) => words.get(toWord(column?.title ?? ''));
  for (const column of columns) if (column.isFirst) add(column.position, wordOf(column));
  const guessed = new Map<number, string>();
  const isTranslated = [1, 2].every((position) => wordOf(columns[position]) === undefined);
  if (toWord(columns[0]?.title ?? '') === 'id' && isTranslated) {
    for (const [position, target] of leading.entries()) {
      if (position >= columns.length || targets.has(position) || taken.has(target)) continue;
      add(position, target);
      guessed.set(position, target);
    }
  }
  return { targets, guessed };
}

/** Finds metadata targets for other columns. Headings of several questions get none: they are a problem to report. */
function findMetadataTargets(
  names: readonly string[],
  targets: ReadonlyMap<number, string>,
  index: HeaderIndex,
): ReadonlyMap<number, string> {
  const kept = new Map<number, string>();
  const toTarget = createMetadataTargets(targets.values());
  for (const [position, name] of names.entries()) {
    if (targets.has(position) || name === '' || index.find(name).targets.length > 1) continue;
    const target = toTarget(name);
    if (index.findTarget(target) !== undefined) kept.set(position, target);
  }
  return kept;
}

/** Creates targets in the metadata for headings. Each is new: `metadata.Note`, `metadata.Note (2)`. */
export function createMetadataTargets(used: Iterable<string>): (heading: string) => string {
  const taken = new Set(used);
  const numbers = new Map<string, number>();
  return (heading) => {
    const base = `${METADATA}${heading.slice(0, MAX_MEMBER).toWellFormed()}`;
    let number = numbers.get(base) ?? 1;
    let target = number === 1 ? base : `${base} (${number})`;
    for (; taken.has(target); target = `${base} (${number})`) number += 1;
    numbers.set(base, number + 1);
    taken.add(target);
    return target;
  };
}

function toWord(heading: string): string {
  return toLooseKey(heading).replaceAll(' ', '');
}

/** Converts a cell of a tool to the form that exports of this platform have. */
export type ReadCell = (cell: string) => string;

interface CellOptions extends FoundColumns {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Headings by position. */
  readonly names: readonly string[];
  readonly statuses: ReadonlyMap<string, string>;
  /** Reader of the tool's answers to a question; undefined if the tool writes them like other tools. */
  readonly readerOf: (question: JsonObject) => ReadCell | undefined;
}

/** The positions of the column of a choice, and of the column with the text of `other`. */
interface ChoiceWithOther {
  readonly choice: number;
  readonly text: number;
  readonly isOption: (cell: string) => boolean;
  /** Whether a cell is the label of `other`. */
  readonly isLabel: (cell: string) => boolean;
}

const IN_UTC = /\(utc\)$/i;
const WITHOUT_ZONE = /:\d{2}(?:\.\d+)?$/;

/**
 * Creates a converter of rows. A converted row has a cell for each heading, then one for each second target, then the
 * cells beyond the header unless all of them are blank.
 */
function createToolCells(options: CellOptions): (cells: readonly string[]) => readonly string[] {
  const { questions, secondTargets, otherColumns, names, readerOf } = options;
  const width = names.length;
  const readers = createCellReaders(options);
  const secondReaders = secondTargets.map(({ from, target }) => {
    const question = questions.get(target);
    return { from, read: question === undefined ? undefined : readerOf(question) };
  });
  const choicesWithOther = findChoicesWithOther(options);

  return (row) => {
    const extra = row.slice(width).every((cell) => cell.trim() === '') ? [] : row.slice(width);
    const cells = Array.from({ length: width }, (_, position) => row[position] ?? '');
    // Second targets get the cells of the file, so they come before the conversion.
    const added = secondReaders.map(({ from, read }) => read?.(cells[from] ?? '') ?? cells[from] ?? '');
    for (const [position, read] of readers) cells[position] = read(cells[position] ?? '');
    for (const columns of otherColumns) addOtherText(cells, columns);
    for (const choice of choicesWithOther) chooseOther(cells, choice);
    return [...cells, ...added, ...extra];
  };
}

/** The readers of cells by position. */
function createCellReaders(options: CellOptions): ReadonlyMap<number, ReadCell> {
  const readers = new Map<number, ReadCell>();
  for (const [position, name] of options.targets) {
    const target = options.index.findTarget(name);
    const read = target === undefined ? undefined : cellReaderOf(target, options.names[position] ?? '', options);
    if (read !== undefined) readers.set(position, read);
  }
  return readers;
}

/** Adds a text of `other` if it was chosen without one. */
function addOtherText(cells: string[], { chosen, text }: FoundColumns['otherColumns'][number]): void {
  if (!isBlank(cells[chosen]) && isBlank(cells[text])) cells[text] = OTHER_TEXT;
}

/** Replaces the label of `other` in the column of a choice. */
function chooseOther(cells: string[], { choice, text, isOption, isLabel }: ChoiceWithOther): void {
  const [cell = '', other = ''] = [cells[choice], cells[text]];
  // A cell that is not the label of `other` can be a removed option. Validation rejects and reports it.
  if (isBlank(cell) || isOption(cell) || !isLabel(cell)) return;
  cells[choice] = OTHER;
  if (isBlank(other)) cells[text] = OTHER_TEXT;
}

function cellReaderOf(target: HeadingTarget, heading: string, options: CellOptions): ReadCell | undefined {
  if (target.kind === 'response') {
    if (target.column === 'status') return (cell) => options.statuses.get(cell.trim().toLowerCase()) ?? cell;
    return IN_UTC.test(heading) ? (cell) => (WITHOUT_ZONE.test(cell.trim()) ? `${cell.trim()}Z` : cell) : undefined;
  }
  if (target.kind !== 'answer') return undefined;
  const { question_id: id, items } = target.column;
  const question = options.questions.get(id);
  if (question === undefined || items.length > 0) return undefined;
  return options.readerOf(question) ?? (question['type'] === 'rating' ? labelReader(question) : undefined);
}

/**
 * Converts the label of a number to the number. Compares exactly, then tolerantly. A label of several numbers stays.
 */
function labelReader({ labels, min, step }: JsonObject): ReadCell | undefined {
  const exact = new Map<string, Set<string>>();
  const loose = new Map<string, Set<string>>();
  for (const [number, label] of numberedLabels(labels, numberOr(min, 1), numberOr(step, 1))) {
    for (const text of textsOf(label)) {
      addToSet(exact, text.trim(), number);
      addToSet(loose, toLooseKey(text), number);
    }
  }
  if (exact.size === 0) return undefined;
  loose.delete('');
  return (cell) => {
    if (isBlank(cell)) return cell;
    const [number, ...more] = exact.get(cell.trim()) ?? loose.get(toLooseKey(cell)) ?? [];
    return number === undefined || more.length > 0 ? cell : number;
  };
}

/** Labels by number: an object has the numbers as names, a list one label for each number of the scale. */
function numberedLabels(
  labels: JsonValue | undefined,
  min: number,
  step: number,
): readonly (readonly [string, JsonValue])[] {
  if (isObject(labels)) return Object.entries(labels);
  return (Array.isArray(labels) ? labels : []).map((label, position) => [
    String(Number((min + position * step).toFixed(9))),
    label,
  ]);
}

function numberOr(value: JsonValue | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function findChoicesWithOther({ targets, questions, index, names }: CellOptions): readonly ChoiceWithOther[] {
  const positions = new Map([...targets].map(([position, name]) => [name, position]));
  return [...questions].flatMap(([id, { type }]) => {
    const [choice, text] = [positions.get(id), positions.get(`${id}${OTHER_SUFFIX}`)];
    if (type !== 'single_choice' || choice === undefined || text === undefined) return [];
    const find = index.itemFinderOf(id);
    const isOption = (cell: string) => find('options', cell, 'never').length > 0;
    const heading = toLooseKey(names[text] ?? '');
    // The survey does not have the tool's label of `other`. But the heading of the text column is that label, or ends
    // with it.
    const isHeading = (key: string) => key !== '' && (heading === key || heading.endsWith(` - ${key}`));
    const isLabel = (cell: string) =>
      isHeading(toLooseKey(cell)) ||
      index.findPart(id, cell.trim()).some(({ name }) => name === `${id}${OTHER_SUFFIX}`);
    return [{ choice, text, isOption, isLabel }];
  });
}

function isBlank(cell: string | undefined): boolean {
  return cell === undefined || cell.trim() === '';
}
