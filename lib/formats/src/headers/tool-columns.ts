import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import type { HeaderIndex } from './header-index.ts';
import { questionOf } from './heading-target.ts';
import { findItemRuns } from './item-runs.ts';
import { isResponseWord, type ToolColumn } from './tool-header.ts';

/** A column that is made of another one. */
export interface MadeColumn {
  /** Position of the other one. */
  readonly from: number;
  readonly target: string;
}

/** Two columns for `other`. */
export interface OtherColumns {
  /** Position of the one with whether `other` was chosen. */
  readonly chosen: number;
  /** Position of the one with its text. */
  readonly text: number;
}

export interface FoundColumns {
  /** Names of targets by position; empty for a column that is not imported. */
  readonly targets: ReadonlyMap<number, string>;
  readonly made: readonly MadeColumn[];
  readonly others: readonly OtherColumns[];
}

interface Options {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Targets of columns about the response, by position. */
  readonly own: ReadonlyMap<number, string>;
  /** Whether a title that occurs again has a number at its end. */
  readonly numbersTitles: boolean;
}

const NUMBER_AT_END = /\d{1,3}$/;

/**
 * Finds the questions of columns. Questions with the same title are matched by their order, which is that of the
 * survey. Columns that can be of several questions get no target.
 */
export function findToolColumns(
  columns: readonly ToolColumn[],
  { index, questions, own, numbersTitles }: Options,
): FoundColumns {
  const targets = new Map<number, string>();
  const positions = new Map<string, number>();
  const made: MadeColumn[] = [];
  const others: OtherColumns[] = [];
  const titles = new Set(columns.map(({ title }) => title));
  const isOpen = (position: number) => !targets.has(position);

  function assign(position: number, name: string): void {
    const earlier = positions.get(name);
    if (earlier !== undefined && name.endsWith(OTHER_SUFFIX)) {
      others.push({ chosen: earlier, text: position });
      targets.set(earlier, '');
    }
    positions.set(name, position);
    targets.set(position, name);
  }

  /** Target of a column with whole answers; none for files, which have ids of this platform. */
  function wholeOf(id: string): readonly string[] {
    const name = questions.get(id)?.['type'] === 'file_upload' ? undefined : index.findTarget(id)?.name;
    return name === undefined ? [] : [name];
  }

  function readingsOf({ title, part, isFirst, isLast }: ToolColumn): readonly string[] {
    const ids = index.findQuestions(title);
    if (part === undefined) return readingsOfHeading(title, ids);
    const items = ids.flatMap((id) => index.findParts(id, part)).map(({ name }) => name);
    if (items.length > 0) return items;
    if (part !== '') {
      const titled = index.findQuestions(`${title} - ${part}`).flatMap(wholeOf);
      if (titled.length > 0) return titled;
      const cells = cellsOf(title, part);
      if (cells.length > 0) return cells;
    }
    // The second row has words in the language of the account.
    if (isResponseWord(part) || isFirst) return ids.flatMap(wholeOf);
    return isLast ? ids.flatMap((id) => index.findTarget(`${id}${OTHER_SUFFIX}`)?.name ?? []) : [];
  }

  function readingsOfHeading(heading: string, ids: readonly string[]): readonly string[] {
    const whole = ids.flatMap(wholeOf);
    if (whole.length > 0) return whole;
    const found = index.find(heading).targets.filter(({ kind }) => kind !== 'response');
    if (found.length > 0) return found.map(({ name }) => name);
    const stem = heading.replace(NUMBER_AT_END, '');
    // A number counts only if the title occurs without it.
    return numbersTitles && stem !== heading && titles.has(stem) ? index.findQuestions(stem).flatMap(wholeOf) : [];
  }

  /** Targets in questions that are made of the columns of a matrix: `Title – Column`, with a row. */
  function cellsOf(title: string, part: string): readonly string[] {
    for (const [row, column] of index.splitPart(part)) {
      const found = index.findQuestions(`${title} - ${column}`).flatMap((id) => index.findParts(id, row));
      if (found.length > 0) return found.map(({ name }) => name);
    }
    return [];
  }

  function assignRuns(isWhole: boolean): void {
    const accepts = (question: JsonObject) => !positions.has(String(question['id'])) && !hasColumn(question);
    const names = columns.map(({ title, position }) => (own.has(position) ? '' : title));
    for (const run of findItemRuns(names, questions.values(), { isWhole, isOpen, accepts })) {
      for (const [position, name] of run.targets) if (index.findTarget(name) !== undefined) assign(position, name);
    }
  }

  const titled = new Set(columns.flatMap(({ title }) => index.findQuestions(title)));
  const hasColumn = ({ id }: JsonObject) => titled.has(String(id));
  const isMoment = (names: readonly string[]) => {
    const types = names.map((name) => String(questions.get(name)?.['type']));
    return names.length === 2 && types.toSorted().join() === 'date,time';
  };

  const hasParts = columns.some(({ part }) => part !== undefined);
  if (!hasParts) assignRuns(true);
  const byReadings = Map.groupBy(
    columns.filter(({ position }) => isOpen(position)).map((column) => ({ column, readings: readingsOf(column) })),
    ({ readings }) => readings.join('\n'),
  );
  for (const same of byReadings.values()) {
    const names = same[0]?.readings ?? [];
    const [first] = same;
    // A column about the response comes before one with the same title.
    const isOwnFirst = first !== undefined && own.has(first.column.position) && same.length > names.length;
    const rest = isOwnFirst ? same.slice(1) : same;
    const [only, ...more] = rest;
    if (only !== undefined && more.length === 0 && isMoment(names)) {
      // A date and a time in one cell.
      for (const [at, name] of names.entries()) {
        if (at === 0) assign(only.column.position, name);
        else made.push({ from: only.column.position, target: name });
      }
    } else if (names.length === 1 || names.length === rest.length) {
      for (const [at, { column }] of rest.entries()) assign(column.position, names[at] ?? names[0] ?? '');
    }
  }
  if (!hasParts) assignRuns(false);

  for (const { position, title } of columns) {
    const before = index.findTarget(targets.get(position - 1) ?? '');
    const id = before === undefined ? undefined : questionOf(before);
    if (!isOpen(position) || id === undefined) continue;
    const [other, ...more] = index.findParts(id, title);
    if (other?.name === `${id}${OTHER_SUFFIX}` && more.length === 0) assign(position, other.name);
  }
  for (const [position, name] of own) if (isOpen(position)) assign(position, name);
  return { targets, made, others };
}
