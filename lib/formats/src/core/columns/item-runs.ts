import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { toLooseKey } from './heading-key.ts';

/** Neighbouring columns with the options or rows of one question as headings. */
export interface ItemRun {
  readonly questionId: string;
  /** Names of targets by position. */
  readonly targets: ReadonlyMap<number, string>;
}

interface Options {
  /** Whether all options of a question must have a column. */
  readonly isWhole: boolean;
  /** Whether a column can belong to a run. */
  isOpen(position: number): boolean;
  /** Whether a question can have a run. */
  accepts(question: JsonObject): boolean;
}

/** Lists with a column for each item, by question type. */
const LISTS: Readonly<Record<string, string>> = { multiple_choice: 'options', matrix: 'rows', likert: 'rows' };

/**
 * Finds columns whose headings are options or rows without the title of the question. Assumes that the questions are in
 * the order of the columns.
 */
export function findItemRuns(
  headings: readonly string[],
  questions: Iterable<JsonObject>,
  { isWhole, isOpen, accepts }: Options,
): readonly ItemRun[] {
  const positions = new Map<string, number[]>();
  for (const [position, heading] of headings.entries()) {
    const key = toLooseKey(heading);
    if (key === '' || !isOpen(position)) continue;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [position]);
    else known.push(position);
  }
  const taken = new Set<number>();
  const runs: ItemRun[] = [];
  let end = -1;
  for (const question of questions) {
    const list = LISTS[String(question['type'])];
    if (list === undefined || !accepts(question)) continue;
    const { found, count } = findItems(question, list, positions);
    const candidates = runsOf(found, taken).filter(({ size }) => size >= (isWhole ? count : Math.min(2, count)));
    const longest = Math.max(0, ...candidates.slice(0, 1_000).map(({ size }) => size));
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
  const found: [position: number, item: string][] = [];
  let count = 0;
  for (const source of itemsOf(question[list])) {
    const option = toOption(source);
    if (option === undefined) continue;
    // Tools leave out deleted choices, so inactive options need no column.
    if (!(isObject(source) && source['inactive'] === true)) count += 1;
    const keys = new Set(option.texts.map(toLooseKey));
    for (const key of keys) {
      for (const position of positions.get(key) ?? []) found.push([position, option.id]);
    }
  }
  return { found: found.toSorted(([one], [other]) => one - other), count };
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
