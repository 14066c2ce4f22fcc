import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { type ListItem, OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isObject } from '@survey/questionnaire/json';
import { OTHER_TEXT, textsOf } from '../texts.ts';
import { addToSet, type HeaderIndex, type HeadingTarget } from './header-index.ts';
import { toLooseKey } from './headings.ts';
import type { FoundColumns } from './tool-columns.ts';

/** Converts a cell of a tool to the form that exports of this platform have. */
export type ReadCell = (cell: string) => string;

interface Options extends FoundColumns {
  readonly index: HeaderIndex;
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Headings by position. */
  readonly names: readonly string[];
  readonly statuses: ReadonlyMap<string, string>;
  /** Reader of the tool's answers to a question; undefined if the tool writes them like other tools. */
  readonly readerOf: (question: JsonObject) => ReadCell | undefined;
}

/** The positions of the column of a choice, and of the column with the text of `other`. */
interface ChoiceColumns {
  readonly choice: number;
  readonly text: number;
  readonly isOption: (cell: string) => boolean;
  /** Whether a cell is the label of `other`. */
  readonly isLabel: (cell: string) => boolean;
}

const IN_UTC = /\(utc\)$/i;
const WITHOUT_ZONE = /:\d{2}(?:\.\d+)?$/;

/**
 * Creates a converter of rows. A converted row has a cell for each heading, then one for each further target of a
 * column (`made`), then the cells beyond the header unless all of them are blank.
 */
export function createToolCells(options: Options): (cells: readonly string[]) => readonly string[] {
  const { index, questions, targets, made, others, names, readerOf } = options;
  const width = names.length;
  const readers = new Map<number, ReadCell>();
  for (const [position, name] of targets) {
    const target = index.findTarget(name);
    const read = target === undefined ? undefined : cellReaderOf(target, names[position] ?? '', options);
    if (read !== undefined) readers.set(position, read);
  }
  const secondTargets = made.map(({ from, target }) => {
    const question = questions.get(target);
    return { from, read: question === undefined ? undefined : readerOf(question) };
  });
  const choices = choiceColumnsOf(options);

  return (given) => {
    const extra = given.slice(width).every((cell) => cell.trim() === '') ? [] : given.slice(width);
    const cells = Array.from({ length: width }, (_, position) => given[position] ?? '');
    const added = secondTargets.map(({ from, read }) => read?.(cells[from] ?? '') ?? cells[from] ?? '');
    for (const [position, read] of readers) cells[position] = read(cells[position] ?? '');
    for (const { chosen, text } of others) {
      if (!isBlank(cells[chosen]) && isBlank(cells[text])) cells[text] = OTHER_TEXT;
    }
    for (const { choice, text, isOption, isLabel } of choices) {
      const [cell = '', other = ''] = [cells[choice], cells[text]];
      // A cell that is not the label of `other` can be a removed option. Validation rejects and reports it.
      if (isBlank(cell) || isOption(cell) || !isLabel(cell)) continue;
      cells[choice] = OTHER;
      if (isBlank(other)) cells[text] = OTHER_TEXT;
    }
    return [...cells, ...added, ...extra];
  };
}

function cellReaderOf(target: HeadingTarget, heading: string, options: Options): ReadCell | undefined {
  if (target.kind === 'response') {
    if (target.column === 'status') return (cell) => options.statuses.get(cell.trim().toLowerCase()) ?? cell;
    return IN_UTC.test(heading) ? (cell) => (WITHOUT_ZONE.test(cell.trim()) ? `${cell.trim()}Z` : cell) : undefined;
  }
  if (target.kind !== 'answer') return undefined;
  const { question_id: id, items, kind } = target.column;
  const question = options.questions.get(id);
  if (kind === 'flag') return flagReader(id, items.at(-1), options.index);
  if (question === undefined || items.length > 0) return undefined;
  return options.readerOf(question) ?? (question['type'] === 'rating' ? labelReader(question) : undefined);
}

/** Converts the text of a chosen option to 1. Else an option with the text "No" would seem not chosen. */
function flagReader(id: string, item: ListItem | undefined, index: HeaderIndex): ReadCell | undefined {
  if (item === undefined) return undefined;
  const find = index.itemsOf(id);
  return (cell) => (!isBlank(cell) && find(item.list, cell).includes(item.id) ? '1' : cell);
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
    const [number, ...others] = exact.get(cell.trim()) ?? loose.get(toLooseKey(cell)) ?? [];
    return number === undefined || others.length > 0 ? cell : number;
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

function choiceColumnsOf({ targets, questions, index, names }: Options): readonly ChoiceColumns[] {
  const positions = new Map([...targets].map(([position, name]) => [name, position]));
  return [...questions].flatMap(([id, { type }]) => {
    const [choice, text] = [positions.get(id), positions.get(`${id}${OTHER_SUFFIX}`)];
    if (type !== 'single_choice' || choice === undefined || text === undefined) return [];
    const find = index.itemsOf(id);
    const isOption = (cell: string) => find('options', cell).length > 0;
    const heading = toLooseKey(names[text] ?? '');
    // The survey does not have the tool's label of `other`. But the heading of the text column is that label, or ends
    // with it.
    const isHeading = (key: string) => key !== '' && (heading === key || heading.endsWith(` - ${key}`));
    const isLabel = (cell: string) =>
      isHeading(toLooseKey(cell)) ||
      index.findPartTargets(id, cell.trim()).some(({ name }) => name === `${id}${OTHER_SUFFIX}`);
    return [{ choice, text, isOption, isLabel }];
  });
}

function isBlank(cell: string | undefined): boolean {
  return cell === undefined || cell.trim() === '';
}
