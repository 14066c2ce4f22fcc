import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { toLooseKey } from '../columns/headings.ts';
import { addToList } from '../maps.ts';

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

/** Maximum matches of a column and an item. After them, further questions have no runs. */
const MAX_MATCHES = 2_000_000;
/** Lists with a column for each item, by question type. */
const ITEM_LISTS: Readonly<Record<string, string>> = { multiple_choice: 'options', matrix: 'rows', likert: 'rows' };

/**
 * Finds columns whose headings are options or rows without the title of the question. A question has the longest run.
 * Of several ones, it has the first one after the run of the question before, or else the first one.
 */
export function findItemRuns(
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
  /** Last column of the run before, and number of matches so far. */
  let [end, matched] = [-1, 0];
  for (const question of questions) {
    const list = ITEM_LISTS[String(question['type'])];
    if (list === undefined || !accepts(question) || matched > MAX_MATCHES) continue;
    const { matches, active } = findItems(question, list, positions);
    matched += matches.length;
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
        if (matches.length < MAX_MATCHES) matches.push([position, option.id]);
    }
  }
  return { matches: matches.toSorted(([one], [other]) => one - other), active };
}

/** Divides matches into runs of neighbouring columns with different items. */
function runsOf(
  matches: readonly (readonly [position: number, item: string])[],
  taken: ReadonlySet<number>,
): readonly ReadonlyMap<number, string>[] {
  const runs: Map<number, string>[] = [];
  let run = new Map<number, string>();
  let items = new Set<string>();
  let last = -2;
  for (const [position, item] of matches) {
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
