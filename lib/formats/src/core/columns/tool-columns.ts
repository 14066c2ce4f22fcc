import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { type ColumnAssignment, createColumnAssignment, type FoundColumns } from './column-assignment.ts';
import { createTargetFinder } from './column-targets.ts';
import type { HeaderIndex } from './header-index.ts';
import { questionOf } from './heading-target.ts';
import { findItemRuns } from './item-runs.ts';
import type { ToolColumn } from './tool-header.ts';

interface Options {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Targets of columns about the response, by position. */
  readonly own: ReadonlyMap<number, string>;
  /** Whether the tool adds a number at the end of a repeated title. */
  readonly numbersTitles: boolean;
}

/**
 * Finds the questions of columns. Columns with the same title get the questions with this title in the order of the
 * survey. A column that can belong to several questions gets no target.
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
  for (const [position, name] of options.own) if (assignment.isOpen(position)) assignment.assign(position, name);
  return assignment;
}

/** Assigns columns with options or rows as headings, without the title of their question. */
function assignRuns(
  columns: readonly ToolColumn[],
  { assign, isOpen, hasTarget }: ColumnAssignment,
  isWhole: boolean,
  { index, questions, own }: Options,
): void {
  const titled = new Set(columns.flatMap(({ title }) => index.findQuestions(title)));
  const accepts = ({ id }: JsonObject) => !hasTarget(String(id)) && !titled.has(String(id));
  const names = columns.map(({ title, position }) => (own.has(position) ? '' : title));
  for (const run of findItemRuns(names, questions.values(), { isWhole, isOpen, accepts })) {
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
  for (const group of Map.groupBy(open, ({ names }) => names.join('\n')).values()) {
    const names = group[0]?.names ?? [];
    const [first] = group;
    // A column about the response comes before a column of a question with the same title.
    const isResponseFirst =
      first !== undefined && options.own.has(first.column.position) && group.length > names.length;
    const rest = isResponseFirst ? group.slice(1) : group;
    const [only, ...more] = rest;
    const [one, other] = names;
    if (
      only !== undefined &&
      more.length === 0 &&
      one !== undefined &&
      other !== undefined &&
      isDateAndTime(names, options)
    ) {
      // A date and a time in one cell.
      assign(only.column.position, one);
      assignAgain(only.column.position, other);
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
    const id = before === undefined ? undefined : questionOf(before);
    if (!isOpen(position) || id === undefined) continue;
    const [other, ...more] = index.findPartTargets(id, title);
    if (other?.name === `${id}${OTHER_SUFFIX}` && more.length === 0) assign(position, other.name);
  }
}
