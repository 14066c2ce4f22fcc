import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import type { HeaderIndex } from './header-index.ts';
import { isResponseWord } from './rows.ts';
import type { ToolColumn } from './tool-header.ts';

interface Options {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Whether the tool adds a number at the end of a repeated title. */
  readonly numbersTitles: boolean;
}

const NUMBER_AT_END = /\d{1,3}$/;

/**
 * Creates a function that finds the names of all targets that a column of a file can stand for, in the order of the
 * survey. A target is an answer or a part of it. A heading has the title of a question, and a part: a row or an option.
 */
export function createTargetFinder(
  columns: readonly ToolColumn[],
  { index, questions, numbersTitles }: Options,
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
    const stem = heading.replace(NUMBER_AT_END, '');
    // The tool added the number only if the title also occurs without the number.
    return numbersTitles && stem !== heading && titles.has(stem) ? index.findQuestions(stem).flatMap(wholeOf) : [];
  }

  /**
   * Finds the targets for a part that names a row and a column. A matrix of the tool can be several questions of the
   * survey: one for each column, with the title `Title - Column`.
   */
  function cellsOf(title: string, part: string): readonly string[] {
    for (const [row, column] of index.splitPart(part)) {
      const found = index.findParts(`${title} - ${column}`, row);
      if (found.length > 0) return found.map(({ name }) => name);
    }
    return [];
  }

  return ({ title, part, isFirst, isLast }) => {
    const ids = index.findQuestions(title);
    if (part === undefined) return readHeading(title, ids);
    const items = index.findParts(title, part).map(({ name }) => name);
    if (items.length > 0) return items;
    if (part !== '') {
      const titled = index.findQuestions(`${title} - ${part}`).flatMap(wholeOf);
      if (titled.length > 0) return titled;
      const cells = cellsOf(title, part);
      if (cells.length > 0) return cells;
    }
    // The part can be a word such as `Response`, in any language. So the position of the column also counts.
    if (isResponseWord(part) || isFirst) return ids.flatMap(wholeOf);
    return isLast ? ids.flatMap((id) => index.findTarget(`${id}${OTHER_SUFFIX}`)?.name ?? []) : [];
  };
}
