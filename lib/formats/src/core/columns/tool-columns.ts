import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { Row } from '../../tables/row.ts';
import { addToList, getOrAdd } from '../maps.ts';
import { type HeaderIndex, questionIdOf } from './header-index.ts';
import { toLooseKey } from './headings.ts';
import { isResponseWord, RESPONSE_WORDS } from './rows.ts';

/** A column of a tool's table. */
export interface ToolColumn {
  /** From 0. */
  readonly position: number;
  /** Title in the first header row. All columns of a question share it. */
  readonly title: string;
  /** Cell of the second header row; undefined if the table has one row. */
  readonly part: string | undefined;
  /** Heading in messages and in the option `columns`. */
  readonly name: string;
  readonly isFirst: boolean;
  /** Whether it is the last column of its question. */
  readonly isLast: boolean;
}

interface ToolHeader {
  readonly columns: readonly ToolColumn[];
  /** Number of header rows. */
  readonly rows: number;
}

/**
 * Reads a header with one or two rows. In the first of two rows, only the first column of a question has a title. The
 * rows `Which meals?`, `` and `Soup`, `Bread` → the columns `Which meals? - Soup` and `Which meals? - Bread`.
 *
 * @param responseTargetOf finds the target of a heading about the response; undefined for other headings. Columns about
 *   the response are empty in the second row. Without this function, the header has one row.
 */
export function readToolHeader(
  [first, second]: readonly Row[],
  responseTargetOf: ((heading: string) => string | undefined) | undefined,
): ToolHeader {
  const titles = (first?.cells ?? []).map((cell) => cell.trim());
  // A row with an error in a cell is a response.
  const possible = second?.unread === undefined ? (second?.cells ?? []) : [];
  const parts =
    responseTargetOf !== undefined && second !== undefined && isPartRow(titles, possible, responseTargetOf)
      ? possible
      : [];
  if (parts.length === 0) {
    const columns = titles.map((title, position) => ({
      position,
      title,
      part: undefined,
      name: title,
      isFirst: true,
      isLast: true,
    }));
    return { columns, rows: 1 };
  }
  /** Number of columns without the empty ones at the end, such as those of trailing commas. */
  const filled = 1 + Math.max(...[titles, parts].map((cells) => cells.findLastIndex((cell) => cell.trim() !== '')));
  let shared = '';
  const columns = Array.from({ length: Math.max(titles.length, filled) }, (_, position): ToolColumn => {
    const [title = '', part = ''] = [titles[position], parts[position]?.trim()];
    if (title !== '' || position >= filled) shared = title;
    const isFirst = title !== '';
    const isLast = position >= filled - 1 || (titles[position + 1] ?? '') !== '';
    const isSingle = (isFirst && isLast) || part === '';
    const name = isSingle ? title : `${shared} - ${part}`;
    return { position, title: shared, part, name, isFirst, isLast };
  });
  return { columns, rows: 2 };
}

/**
 * Whether a row continues the header. Such a row is empty below the headings about the response. If all these headings
 * are for metadata, a first response can be empty there too. Then the row also needs a word such as `Response`, or a
 * cell below an empty title.
 */
function isPartRow(
  titles: readonly string[],
  cells: readonly string[],
  responseTargetOf: (heading: string) => string | undefined,
): boolean {
  const responseCells = titles.flatMap((title, position) => {
    const target = responseTargetOf(title);
    return target === undefined ? [] : [{ target, cell: cells[position]?.trim() ?? '' }];
  });
  if (responseCells.some(({ cell }) => cell !== '')) return false;
  if (responseCells.some(({ target }) => !target.startsWith('metadata.'))) return true;
  const continuesQuestion = cells.some((cell, position) => cell.trim() !== '' && (titles[position] ?? '') === '');
  return cells.some((cell) => RESPONSE_WORDS.has(toLooseKey(cell))) || (responseCells.length > 0 && continuesQuestion);
}

interface Options {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Targets of columns about the response, by position. */
  readonly responseTargets: ReadonlyMap<number, string>;
  /** Whether the tool adds a number at the end of a repeated title. */
  readonly appendsNumberToTitle: boolean;
}

/**
 * Finds the questions of columns. If as many columns as questions have the same title, they are assigned in order.
 * Otherwise, a column that can belong to several questions gets no target.
 */
export function findToolColumns(columns: readonly ToolColumn[], options: Options): FoundColumns {
  const assignment = createColumnAssignment();
  const hasParts = columns.some(({ part }) => part !== undefined);
  // Use the surest evidence first: neighbouring columns with all options of a question, then titles. Next come columns
  // with some options of a question, and columns for `other` directly after a column of their question.
  if (!hasParts) assignRuns(columns, assignment, true, options);
  assignByTitle(columns, assignment, options);
  if (!hasParts) assignRuns(columns, assignment, false, options);
  assignOthers(columns, assignment, options);
  for (const [position, name] of options.responseTargets)
    if (assignment.isOpen(position)) assignment.assign(position, name);
  return assignment;
}

/** Assigns columns with options or rows as headings, without the title of their question. */
function assignRuns(
  columns: readonly ToolColumn[],
  { assign, isOpen, hasTarget }: ColumnAssignment,
  needsAllItems: boolean,
  { index, questions, responseTargets }: Options,
): void {
  const titles = new Set(columns.map(({ title }) => title));
  const titled = new Set([...titles].flatMap((title) => index.findQuestionIds(title)));
  const accepts = ({ id }: JsonObject) => !hasTarget(String(id)) && !titled.has(String(id));
  const headings = columns.map(({ title, position }) => (responseTargets.has(position) ? '' : title));
  for (const run of findItemRuns(headings, questions.values(), { needsAllItems, isOpen, accepts })) {
    for (const [position, name] of run.targets) if (index.findTarget(name) !== undefined) assign(position, name);
  }
}

/** Assigns columns by title. Columns with the same possible targets get them in order, if there is one for each. */
function assignByTitle(
  columns: readonly ToolColumn[],
  { assign, assignAgain, isOpen }: ColumnAssignment,
  options: Options,
): void {
  const read = createTargetFinder(columns, options);
  const open = columns.filter(({ position }) => isOpen(position)).map((column) => ({ column, names: read(column) }));
  const keys = new Map(open.map(({ names }) => [names, '']));
  for (const names of keys.keys()) keys.set(names, names.join('\n'));
  for (const group of Map.groupBy(open, ({ names }) => keys.get(names)).values()) {
    const names = group[0]?.names ?? [];
    const [first] = group;
    // A column about the response comes before a column of a question with the same title.
    const isResponseFirst =
      first !== undefined && options.responseTargets.has(first.column.position) && group.length > names.length;
    const rest = isResponseFirst ? group.slice(1) : group;
    const [only, ...more] = rest;
    if (only !== undefined && more.length === 0 && isDateAndTime(names, options)) {
      // A date and a time in one cell.
      const [one = '', two = ''] = names;
      assign(only.column.position, one);
      assignAgain(only.column.position, two);
    } else if (names.length === 1 || names.length === rest.length) {
      for (const [at, { column }] of rest.entries()) assign(column.position, names[at] ?? names[0] ?? '');
    }
  }
}

/** Whether two targets are a date and a time. */
function isDateAndTime(names: readonly string[], { questions }: Options): boolean {
  const types = names.map((name) => String(questions.get(name)?.['type']));
  return names.length === 2 && types.toSorted().join() === 'date,time';
}

/** Assigns columns with the text of `other` to the question of the column before. */
function assignOthers(
  columns: readonly ToolColumn[],
  { targets, assign, isOpen }: ColumnAssignment,
  { index }: Options,
) {
  for (const { position, title } of columns) {
    const before = index.findTarget(targets.get(position - 1) ?? '');
    const id = before === undefined ? undefined : questionIdOf(before);
    if (!isOpen(position) || id === undefined) continue;
    const [other, ...more] = index.findPart(id, title);
    if (other?.name === `${id}${OTHER_SUFFIX}` && more.length === 0) assign(position, other.name);
  }
}

/** Neighbouring columns with the options or rows of one question as headings. */
interface ItemRun {
  readonly questionId: string;
  /** Names of targets by position. */
  readonly targets: ReadonlyMap<number, string>;
}

interface RunOptions {
  /** Whether all options or rows of a question must have a column. */
  readonly needsAllItems: boolean;
  /** Whether a column can belong to a run. */
  isOpen(position: number): boolean;
  /** Whether a question can have a run. */
  accepts(question: JsonObject): boolean;
}

/** Maximum pairs of a column and an item that are compared. Further questions have no runs. */
const MAX_PAIRS = 2_000_000;
/** Lists with a column for each item, by question type. */
const LISTS: Readonly<Record<string, string>> = { multiple_choice: 'options', matrix: 'rows', likert: 'rows' };

/**
 * Finds columns whose headings are options or rows without the title of the question. Of equally long runs, prefers the
 * first one after the run of the question before.
 */
function findItemRuns(
  headings: readonly string[],
  questions: Iterable<JsonObject>,
  { needsAllItems, isOpen, accepts }: RunOptions,
): readonly ItemRun[] {
  const positions = new Map<string, number[]>();
  for (const [position, heading] of headings.entries()) {
    const key = toLooseKey(heading);
    if (key !== '' && isOpen(position)) addToList(positions, key, position);
  }
  const taken = new Set<number>();
  const runs: ItemRun[] = [];
  let [end, pairs] = [-1, 0];
  for (const question of questions) {
    const list = LISTS[String(question['type'])];
    if (list === undefined || !accepts(question) || pairs > MAX_PAIRS) continue;
    const { matches, active } = findItems(question, list, positions);
    pairs += matches.length;
    const candidates = runsOf(matches, taken).filter((run) =>
      needsAllItems ? active.isSubsetOf(new Set(run.values())) : run.size >= Math.min(2, active.size),
    );
    const longest = candidates.reduce((most, { size }) => Math.max(most, size), 0);
    const best = candidates.filter(({ size }) => size === longest);
    const run = best.find((one) => firstOf(one) > end) ?? best[0];
    if (run === undefined || run.size === 0) continue;
    const id = String(question['id']);
    runs.push({ questionId: id, targets: new Map([...run].map(([position, item]) => [position, `${id}[${item}]`])) });
    for (const position of run.keys()) {
      taken.add(position);
      end = position;
    }
  }
  return runs;
}

function findItems(question: JsonObject, list: string, positions: ReadonlyMap<string, readonly number[]>) {
  const matches: [position: number, item: string][] = [];
  const active = new Set<string>();
  for (const source of itemsOf(question[list])) {
    const option = toOption(source);
    if (option === undefined) continue;
    // Tools leave out deleted choices, so inactive options need no column.
    if (!(isObject(source) && source['inactive'] === true)) active.add(option.id);
    const keys = new Set(option.texts.map(toLooseKey));
    for (const key of keys) {
      for (const position of positions.get(key) ?? [])
        if (matches.length < MAX_PAIRS) matches.push([position, option.id]);
    }
  }
  return { matches: matches.toSorted(([one], [other]) => one - other), active };
}

/** Divides items into runs of neighbouring columns with different items. */
function runsOf(
  found: readonly (readonly [position: number, item: string])[],
  taken: ReadonlySet<number>,
): readonly ReadonlyMap<number, string>[] {
  const runs: Map<number, string>[] = [];
  let run = new Map<number, string>();
  let items = new Set<string>();
  let last = -2;
  for (const [position, item] of found) {
    if (taken.has(position) || position === last) continue;
    if (position !== last + 1 || items.has(item)) {
      run = new Map();
      items = new Set();
      runs.push(run);
    }
    run.set(position, item);
    items.add(item);
    last = position;
  }
  return runs;
}

function firstOf(run: ReadonlyMap<number, string>): number {
  const [first = -1] = run.keys();
  return first;
}

/** A second target for a column, as if it were two columns: its cells have a date and a time, for two questions. */
interface SecondTarget {
  /** Position of the column. */
  readonly from: number;
  readonly target: string;
}

/** Two columns for the same `other`. */
interface OtherColumns {
  /** Position of the column that shows whether `other` was chosen. */
  readonly chosen: number;
  /** Position of the column with the text of `other`. */
  readonly text: number;
}

export interface FoundColumns {
  /** Names of targets by position. The name is empty for a column that is not imported. */
  readonly targets: ReadonlyMap<number, string>;
  readonly secondTargets: readonly SecondTarget[];
  readonly otherColumns: readonly OtherColumns[];
}

/** Collects the targets of columns. */
interface ColumnAssignment extends FoundColumns {
  /**
   * Gives a column a target. Of two columns for the same `other`, the first shows whether it is chosen, and the second
   * has the text. A third one stays open.
   */
  assign(position: number, name: string): void;
  /** Gives a column a second target. */
  assignAgain(from: number, target: string): void;
  /** Whether a column has no target yet. */
  isOpen(position: number): boolean;
  /** Whether a column has this target. */
  hasTarget(name: string): boolean;
}

function createColumnAssignment(): ColumnAssignment {
  const targets = new Map<number, string>();
  const positions = new Map<string, number>();
  const secondTargets: SecondTarget[] = [];
  const otherColumns: OtherColumns[] = [];
  /** The targets with two columns. */
  const paired = new Set<string>();
  return {
    targets,
    secondTargets,
    otherColumns,
    assign(position, name) {
      const earlier = positions.get(name);
      if (earlier !== undefined && name.endsWith(OTHER_SUFFIX)) {
        if (paired.has(name)) return;
        paired.add(name);
        otherColumns.push({ chosen: earlier, text: position });
        targets.set(earlier, '');
      }
      positions.set(name, position);
      targets.set(position, name);
    },
    assignAgain: (from, target) => secondTargets.push({ from, target }),
    isOpen: (position) => !targets.has(position),
    hasTarget: (name) => positions.has(name),
  };
}

interface TargetOptions {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Whether the tool adds a number at the end of a repeated title. */
  readonly appendsNumberToTitle: boolean;
}

const NUMBER_AT_END = /\d{1,3}$/;

/**
 * Creates a function that finds the names of all targets that a column of a file can stand for, in the order of the
 * survey. A target is an answer or a part of it. A heading has the title of a question, and a part: a row or an option.
 */
function createTargetFinder(
  columns: readonly ToolColumn[],
  { index, questions, appendsNumberToTitle }: TargetOptions,
): (column: ToolColumn) => readonly string[] {
  const titles = new Set(columns.map(({ title }) => title));

  /** The target for whole answers to a question. A file question has none: its answers are ids of this platform. */
  function wholeOf(id: string): readonly string[] {
    const name = questions.get(id)?.['type'] === 'file_upload' ? undefined : index.findTarget(id)?.name;
    return name === undefined ? [] : [name];
  }

  function readHeading(heading: string, ids: readonly string[]): readonly string[] {
    const whole = ids.flatMap(wholeOf);
    if (whole.length > 0) return whole;
    const found = index.find(heading).targets.filter(({ kind }) => kind !== 'response');
    if (found.length > 0) return found.map(({ name }) => name);
    if (!appendsNumberToTitle) return [];
    // The tool added the number only if the title also occurs without the number. The title can end with digits too.
    const [number = ''] = NUMBER_AT_END.exec(heading) ?? [];
    const stems = [...number].map((_, at) => heading.slice(0, -1 - at)).filter((stem) => titles.has(stem));
    return stems.map((stem) => index.findQuestionIds(stem).flatMap(wholeOf)).find(({ length }) => length > 0) ?? [];
  }

  /**
   * Finds the targets for a part that names a row and a column. A matrix of the tool can be several questions of the
   * survey: one for each column, with the title `Title - Column`.
   */
  function findCellTargets(title: string, part: string): readonly string[] {
    for (const [row, column] of index.splitPart(part)) {
      const found = index.findTitledPart(`${title} - ${column}`, row);
      if (found.length > 0) return found.map(({ name }) => name);
    }
    return [];
  }

  function find({ title, part, isFirst, isLast }: ToolColumn): readonly string[] {
    const ids = index.findQuestionIds(title);
    if (part === undefined) return readHeading(title, ids);
    const items = index.findTitledPart(title, part).map(({ name }) => name);
    if (items.length > 0) return items;
    if (part !== '') {
      const titled = index.findQuestionIds(`${title} - ${part}`).flatMap(wholeOf);
      if (titled.length > 0) return titled;
      const cellTargets = findCellTargets(title, part);
      if (cellTargets.length > 0) return cellTargets;
    }
    // The part can be a word such as `Response`, in any language. So the position of the column also counts.
    if (isResponseWord(part) || isFirst) return ids.flatMap(wholeOf);
    return isLast ? ids.flatMap((id) => index.findTarget(`${id}${OTHER_SUFFIX}`)?.name ?? []) : [];
  }

  // Many columns can have the same heading, and it can be the title of many questions.
  const found = new Map<string, readonly string[]>();
  return (column) => {
    const key = JSON.stringify([column.title, column.part ?? null, column.isFirst, column.isLast]);
    return getOrAdd(found, key, () => find(column));
  };
}
