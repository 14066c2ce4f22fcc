import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { type HeaderIndex, questionIdOf } from '../columns/header-index.ts';
import { isResponseWord } from '../columns/rows.ts';
import { getOrAdd } from '../maps.ts';
import type { ToolColumn } from './header.ts';
import { findItemRuns } from './item-runs.ts';

interface Options {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Targets of columns about the response, by position. */
  readonly responseTargets: ReadonlyMap<number, string>;
  /** Whether the tool adds a number at the end of a repeated title. */
  readonly appendsNumberToTitle: boolean;
}

/**
 * Finds the targets of the columns of a tool's table. Each step only assigns columns that are still open, the surest
 * evidence first. With a multiple choice `q` (`Which?`, with `Red`, `Blue` and `other`), and texts `a` and `b` with the
 * same title `Why?`:
 *
 * | step | headings | targets |
 * |---|---|---|
 * | complete runs | `Red`, `Blue` | `q[r]`, `q[b]` |
 * | titles | `Which? - Red`, `Why?`, `Why?` | `q[r]`, `a`, `b` |
 * | incomplete runs | `Blue`, without `Red` | `q[b]` |
 * | others | `Other` after a column of `q` | `q.other` |
 * | response | `Email` | `metadata.email` |
 *
 * Tables with a second header row have no runs, because their columns have titles.
 */
export function findToolColumns(columns: readonly ToolColumn[], options: Options): FoundColumns {
  const assignment = createColumnAssignment();
  const hasParts = columns.some(({ part }) => part !== undefined);
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

/**
 * Assigns columns by title. Columns with the same possible targets get them in order, if there is one for each. If
 * there is a single target, all of them get it. Otherwise, they stay open.
 */
function assignByTitle(
  columns: readonly ToolColumn[],
  { assign, assignSecond, isOpen }: ColumnAssignment,
  options: Options,
): void {
  const findTargets = createTargetFinder(columns, options);
  const openColumns = columns.filter(({ position }) => isOpen(position));
  const found = openColumns.map((column) => ({ column, targets: findTargets(column) }));
  // The finder caches its results. So the names are joined once for each array, not for each column.
  const keys = new Map(found.map(({ targets }) => [targets, '']));
  for (const targets of keys.keys()) keys.set(targets, targets.join('\n'));
  for (const group of Map.groupBy(found, ({ targets }) => keys.get(targets)).values()) {
    const [first] = group;
    const { targets = [] } = first ?? {};
    // A column about the response comes before a column of a question with the same title.
    const isResponseFirst =
      first !== undefined && options.responseTargets.has(first.column.position) && group.length > targets.length;
    const questionColumns = (isResponseFirst ? group.slice(1) : group).map(({ column }) => column.position);
    const [only, ...more] = questionColumns;
    if (only !== undefined && more.length === 0 && isDateAndTime(targets, options)) {
      // A date and a time in one cell.
      const [date = '', time = ''] = targets;
      assign(only, date);
      assignSecond(only, time);
    } else if (targets.length === 1 || targets.length === questionColumns.length) {
      for (const [at, position] of questionColumns.entries()) assign(position, targets[at] ?? targets[0] ?? '');
    }
  }
}

/** Whether two targets are a date and a time. */
function isDateAndTime(targets: readonly string[], { questions }: Options): boolean {
  const types = targets.map((name) => String(questions.get(name)?.['type']));
  return targets.length === 2 && types.toSorted().join() === 'date,time';
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
  assignSecond(position: number, target: string): void;
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
    assignSecond: (position, target) => secondTargets.push({ from: position, target }),
    isOpen: (position) => !targets.has(position),
    hasTarget: (name) => positions.has(name),
  };
}

const NUMBER_AT_END = /\d{1,3}$/;

/**
 * Creates a function that finds the names of all targets that a column of a file can stand for, in the order of the
 * survey. A target is an answer or a part of it. A heading has the title of a question, and a part: a row or an option.
 */
function createTargetFinder(
  columns: readonly ToolColumn[],
  { index, questions, appendsNumberToTitle }: Options,
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
