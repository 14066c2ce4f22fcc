import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, setMember } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { addToList, addToSet, getOrAdd } from '../core/maps.ts';
import { MAX_KNOWN_IDS } from '../core/responses/response.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { objectsOf, questionsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import type { Warn } from '../files/report.ts';
import { readNames } from '../tables/header.ts';
import { firstRows, type NamedTable } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';

/**
 * A row of a repeat: a group of a form that a respondent can answer several times, such as once for each kid. Files
 * have rows of repeats in columns such as `kid[1]/name`, as lists of JSON, or in tables of their own.
 */
interface RepeatRow {
  readonly fields: [name: string, value: JsonValue][];
  readonly repeats: RepeatRows;
}

/** Rows of repeats by name and number. */
type RepeatRows = Map<string, Map<number, RepeatRow>>;

/** A name in the header of a table: `kid[1]/toy[2]/name`. */
const STEP = /([^[\]]+)\[(\d{1,9})\]\//y;
/** Maximum levels of repeats inside each other. */
export const MAX_REPEAT_DEPTH = 16;
/** Maximum rows of a repeat. More rows exceed the limit of metadata in any case. */
export const MAX_REPEAT_ROWS = 10_000;
/** At most this many slashes of a key are read. The key of a submission has none, or few. */
const MAX_SLASHES = 16;
/** The reason why rows above these limits are not imported. */
export const TOO_MANY_ROWS = `a repeat can have ${MAX_REPEAT_ROWS} rows, and be inside ${MAX_REPEAT_DEPTH - 1} others`;

/** Whether a name is that of a column of a repeat, such as `kid[1]/name`. */
export function isRepeatColumn(name: string): boolean {
  return stepsOf(name) !== undefined;
}

/** Splits the cells of a row. Cells of repeats become lists of rows by repeat; the others are the rest. */
export function takeRepeats(
  cells: ReadonlyMap<string, JsonValue>,
  toRepeatName: (name: string) => string,
): { readonly repeats: JsonObject; readonly rest: ReadonlyMap<string, JsonValue> } {
  const root: RepeatRows = new Map();
  const rest = new Map<string, JsonValue>();
  for (const [name, value] of cells) {
    const found = stepsOf(name);
    if (found === undefined) {
      rest.set(name, value);
      continue;
    }
    let row: RepeatRow | undefined;
    for (const [repeat, number] of found.steps) {
      const repeats: RepeatRows = row?.repeats ?? root;
      const key = row === undefined ? toRepeatName(repeat) : repeat;
      const rows = getOrAdd(repeats, key, () => new Map<number, RepeatRow>());
      row = getOrAdd(rows, number, (): RepeatRow => ({ fields: [], repeats: new Map() }));
    }
    const [last = ''] = found.steps.at(-1) ?? [];
    row?.fields.push([withoutPrefix(found.field, last), value]);
  }
  return { repeats: toLists(root), rest };
}

/** Removes the name of a repeat, as Kobo writes it, from the names of members in its rows. Other values stay. */
export function toRows(value: JsonValue, repeat: string): JsonValue {
  if (!Array.isArray(value)) return value;
  return value.map((row) => {
    if (!isObject(row)) return row;
    return Object.fromEntries(
      Object.entries(row).map(([name, member]) => [withoutPrefix(name, repeat), toRows(member, name)]),
    );
  });
}

/** Removes the path of a repeat from a name: `kid/name` becomes `name`. */
export function withoutPrefix(name: string, repeat: string): string {
  return name.startsWith(`${repeat}/`) ? name.slice(repeat.length + 1) : name;
}

function stepsOf(name: string): { readonly steps: readonly [string, number][]; readonly field: string } | undefined {
  if (!name.includes('[')) return undefined;
  const steps: [string, number][] = [];
  let at = 0;
  while (steps.length < MAX_REPEAT_DEPTH) {
    STEP.lastIndex = at;
    const [step, repeat, number] = STEP.exec(name) ?? [];
    if (step === undefined || repeat === undefined) break;
    steps.push([repeat, Number(number)]);
    at += step.length;
  }
  return steps.length === 0 || at === name.length ? undefined : { steps, field: name.slice(at) };
}

function toLists(repeats: RepeatRows): JsonObject {
  return Object.fromEntries(
    [...repeats].map(([name, rows]) => [
      name,
      [...rows]
        .toSorted(([one], [other]) => one - other)
        .map(([, row]) => ({ ...Object.fromEntries(row.fields), ...toLists(row.repeats) })),
    ]),
  );
}

/**
 * Finds the repeats with a path, name or label. A workbook can have cut the name: then the repeats are found whose names
 * it can be, and of these, the ones with most of the fields. Returns their paths; several if the name is ambiguous.
 */
export type FindRepeats = (name: string, fields?: readonly string[]) => readonly string[];

/** Minimum characters that are left of a name that was cut. Workbooks cut names of sheets at 31, less a gap and number. */
const MIN_CUT_LENGTH = 20;
/** The number that workbooks add to equal names. */
const NUMBER_AT_END = /(?:~\d{1,3}|[ _]?\(\d{1,3}\)|_\d{1,3})$/;
/** The gap in the middle of a name that Kobo has cut. */
const GAP = /…|\.{3}/;
/** Maximum number of cut names whose repeats are cached. */
const MAX_CACHED = 2_000;

/** A repeat of the form. */
interface Repeat {
  /** The path of its group, such as `group/kid`. Of a repeat within another one: its name. */
  readonly path: string;
  /** Names of its questions. */
  readonly fields: ReadonlySet<string>;
}

/**
 * The repeats by path, name and label: `group/kid`, `kid` and `Child` for a repeat `kid` in a group. A name or label of
 * several repeats is left out. Repeats within others (`rows` in `source_data`) have only a name.
 */
function indexRepeats(payload: JsonObject): ReadonlyMap<string, Repeat> {
  const repeats = new Map<string, Repeat | undefined>();
  const [outer, inner]: [Repeat[], Repeat[]] = [[], []];
  const toRepeat = (path: string, rows: readonly JsonObject[]): Repeat => {
    const own = rows.filter((row) => row['rows'] === undefined);
    for (const row of rows) {
      if (row['rows'] !== undefined) inner.push(toRepeat(String(row['name']), objectsOf(row['rows'])));
    }
    return { path, fields: new Set(own.map((row) => String(row['name']))) };
  };
  for (const question of questionsOf(payload)) {
    const { source_id: path, kept_as: keptAs, rows } = sourceDataOf(question);
    if (keptAs !== 'json' || typeof path !== 'string') continue;
    const repeat = toRepeat(path, objectsOf(rows));
    outer.push(repeat);
    for (const name of new Set([lastStep(path), ...textsOf(question['title'])])) {
      repeats.set(name, repeats.has(name) ? undefined : repeat);
    }
  }
  // A path is never ambiguous, even if it is the name or label of another repeat.
  for (const repeat of outer) repeats.set(repeat.path, repeat);
  for (const repeat of inner) if (!repeats.has(repeat.path)) repeats.set(repeat.path, repeat);
  return new Map([...repeats].filter((entry): entry is [string, Repeat] => entry[1] !== undefined));
}

/** Creates a search for the repeats of the form. */
export function createFindRepeats(payload: JsonObject): FindRepeats {
  const repeats = indexRepeats(payload);
  const foundByCutName = new Map<string, readonly Repeat[]>();

  /**
   * The repeats whose name a workbook can have cut to this one. It has a gap in the middle, and a number at the end if
   * two names are equal: `kids_of_the…household~2` is cut from `kids_of_the_other_household`.
   */
  function findCut(name: string): readonly Repeat[] {
    const [start = '', end = ''] = name.replace(NUMBER_AT_END, '').split(GAP, 2);
    if (start.length + end.length < MIN_CUT_LENGTH) return [];
    const canBeFullName = (other: string) =>
      other.length > start.length + end.length && other.startsWith(start) && other.endsWith(end);
    return [...new Set([...repeats].flatMap(([other, repeat]) => (canBeFullName(other) ? [repeat] : [])))];
  }

  return (name, fields = []) => {
    const known = repeats.get(name);
    if (known !== undefined) return [known.path];
    const cached = foundByCutName.get(name);
    const found = cached ?? findCut(name);
    if (cached === undefined && foundByCutName.size < MAX_CACHED) foundByCutName.set(name, found);
    const counts = found.map((repeat) => fields.filter((field) => repeat.fields.has(lastStep(field))).length);
    const most = Math.max(0, ...counts);
    return found.filter((_, at) => counts[at] === most).map(({ path }) => path);
  };
}

/** The last name of a path: `name` of `group/name`. */
export function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Tables of repeats in an export of ODK Central. The row with the `KEY` `uuid:1/kid[2]` is the second kid of the
 * submission `uuid:1`, which is its `PARENT_KEY`. The parent can also be a row of another repeat.
 */
export interface RepeatTables {
  /** Whether there is a table of repeats. */
  readonly isUsed: boolean;
  /** The rows of a submission by repeat. Call it with the keys of the submissions in the order of their table. */
  take(key: string): Promise<JsonObject>;
  /** Warns about rows that are not imported. */
  end(): Promise<void>;
  close(): Promise<void>;
}

interface RepeatTable {
  readonly location: string;
  /**
   * Reads on until the window is full. If the keys of submissions are unknown, rows without a submission stay in the
   * window, so it can stay full.
   */
  fill(): Promise<void>;
  take(parentKey: string): readonly WaitingRow[];
  /** Drops the rows of a submission that were not taken, because their parent row is missing. */
  forget(submission: string): void;
  /** Counts rows above the limits of a repeat. */
  countExcess(rows: number): void;
  readonly hasExcess: () => boolean;
  /** Whether rows have no submission, or were not reached. */
  readonly hasRest: () => boolean;
  close(): Promise<void>;
}

const KEY = 'KEY';
const PARENT_KEY = 'PARENT_KEY';
/** Columns that only name rows of other tables. */
const REFERENCE_COLUMN = /^(?:SET-OF-.*|PARENT_KEY)$/;
/**
 * Maximum number and size of the rows in memory that wait for their submission, for all tables together. Few rows wait,
 * because the tables have the order of the submissions.
 */
const WINDOW_ROWS = 20_000;
const WINDOW_BYTES = 32 * 1024 * 1024;
const NO_SUBMISSION = `no submission has their ${PARENT_KEY}, or they are in another order than the submissions`;
/** Maximum characters of the keys of submissions. */
const MAX_KEY_CHARACTERS = 10_000_000;
/** The number of a row at the end of its key: `uuid:1/kids/kid[2]`. */
const NUMBER = /\[\d+\]$/;

/** Whether a column only names rows of other tables. Columns of questions do not, even if they have such a name. */
export function isReference(name: string, { names }: { readonly names: Pick<ReadonlySet<string>, 'has'> }): boolean {
  return REFERENCE_COLUMN.test(name) && !names.has(name);
}

/** Whether a table has rows of repeats with keys. */
export async function isRepeatTable(table: NamedTable): Promise<boolean> {
  const [first] = await firstRows(table, 1);
  const names = first === undefined ? [] : readNames(first);
  return names.includes(KEY) && names.includes(PARENT_KEY);
}

/**
 * Reads the keys of submissions from a column of their rows. Undefined if the column is missing, if they are too many
 * for the memory, or if a row cannot be read: then rows of repeats can belong to any submission.
 */
export async function readSubmissionKeys(rows: AsyncIterable<Row>, keyAt: number): Promise<Set<string> | undefined> {
  if (keyAt < 0) return undefined;
  const keys = new Set<string>();
  let characters = 0;
  try {
    for await (const row of rows) {
      const key = (row.cells[keyAt] ?? '').trim();
      characters += key.length;
      if (keys.size === MAX_KNOWN_IDS || characters > MAX_KEY_CHARACTERS) return undefined;
      keys.add(key);
    }
  } catch (error) {
    // The error is reported later, after the rows before it.
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
  return keys;
}

interface Options {
  /** Keys of the submissions that were not read yet, if they are known. */
  readonly keys: Set<string> | undefined;
  readonly toRepeatName: (name: string) => string;
  readonly warn: Warn;
}

/** Opens tables with rows of repeats. They are read side by side with the submissions, in a window of limited size. */
export async function openRepeatTables(
  tables: readonly NamedTable[],
  { keys, toRepeatName, warn }: Options,
): Promise<RepeatTables> {
  const window = {
    rows: Math.ceil(WINDOW_ROWS / Math.max(1, tables.length)),
    bytes: Math.ceil(WINDOW_BYTES / Math.max(1, tables.length)),
  };
  const opened = tables.map((table) => openRepeatTable(table, { keys, toRepeatName, window }));
  return {
    isUsed: opened.length > 0,
    async take(key) {
      for (const table of opened) await table.fill();
      const rows = rowsOf(key, 0);
      keys?.delete(key);
      for (const table of opened) table.forget(key);
      return rows;
    },
    async end() {
      for (const table of opened) {
        await table.fill();
        const warnOf = (reason: string) => {
          const detail = `Rows of the ${table.location} are not imported: ${reason}`;
          warn({ path: '', code: 'NOT_IMPORTED', detail });
        };
        if (table.hasRest()) warnOf(NO_SUBMISSION);
        if (table.hasExcess()) warnOf(TOO_MANY_ROWS);
      }
    },
    async close() {
      for (const table of opened) await table.close();
    },
  };

  function rowsOf(key: string, depth: number): JsonObject {
    const lists: Record<string, JsonValue[]> = {};
    if (key === '') return lists;
    for (const table of opened) {
      const rows = table.take(key);
      const most = depth < MAX_REPEAT_DEPTH ? MAX_REPEAT_ROWS : 0;
      table.countExcess(Math.max(0, rows.length - most));
      for (const row of rows.slice(0, most)) {
        const list = Object.hasOwn(lists, row.repeat) ? (lists[row.repeat] ?? []) : [];
        list.push({ ...Object.fromEntries(row.fields), ...rowsOf(row.key, depth + 1) });
        setMember(lists, row.repeat, list);
      }
    }
    return lists;
  }
}

interface TableOptions extends Pick<Options, 'keys' | 'toRepeatName'> {
  readonly window: { readonly rows: number; readonly bytes: number };
}

function openRepeatTable(
  { name, location, rows }: NamedTable,
  { keys, toRepeatName, window }: TableOptions,
): RepeatTable {
  const iterator = rows()[Symbol.asyncIterator]();
  const waiting = createWaitingRows(window);
  const parentKeysBySubmission = new Map<string, Set<string>>();
  let header: { readonly names: readonly string[]; readonly keyAt: number; readonly parentAt: number } | undefined;
  let [isOver, hasOrphans, excess] = [false, false, 0];

  function add({ cells }: Row, { names, keyAt, parentAt }: NonNullable<typeof header>): void {
    const [key, parentKey] = [(cells[keyAt] ?? '').trim(), (cells[parentAt] ?? '').trim()];
    // The key of a row is the key of its parent, followed by the path of the repeat.
    const isBelow = key.startsWith(`${parentKey}/`) && NUMBER.test(key);
    const submission = keys === undefined ? undefined : submissionOf(parentKey, keys);
    if (isBelow && keys !== undefined && submission === undefined) {
      hasOrphans = true;
      return;
    }
    if (submission !== undefined) {
      addToSet(parentKeysBySubmission, submission, parentKey);
    }
    const repeat = toRepeatName(isBelow ? key.slice(parentKey.length + 1).replace(NUMBER, '') : name);
    const fields = cells.flatMap((cell, column): readonly (readonly [string, string])[] => {
      const field = names[column] ?? '';
      if (cell.trim() === '' || field === '' || field === KEY || REFERENCE_COLUMN.test(field)) return [];
      return [[withoutPrefix(field, repeat), cell]];
    });
    waiting.add(parentKey, { key, repeat, fields });
  }

  return {
    location,
    async fill() {
      while (!isOver && !waiting.isFull()) {
        const next = await iterator.next();
        if (next.done === true) isOver = true;
        else if (header === undefined) {
          const names = readNames(next.value);
          header = { names, keyAt: names.indexOf(KEY), parentAt: names.indexOf(PARENT_KEY) };
        } else add(next.value, header);
      }
    },
    take: waiting.take,
    forget(submission) {
      for (const parentKey of parentKeysBySubmission.get(submission) ?? [])
        hasOrphans = waiting.take(parentKey).length > 0 || hasOrphans;
      parentKeysBySubmission.delete(submission);
    },
    // If the window is still full, `fill` has not read all rows.
    hasRest: () => hasOrphans || !waiting.isEmpty() || !isOver,
    countExcess(rows) {
      excess += rows;
    },
    hasExcess: () => excess > 0,
    async close() {
      await iterator.return?.();
    },
  };
}

/** The key of the submission that a key belongs to: `uuid:1` for `uuid:1` and for `uuid:1/kid[2]`. */
function submissionOf(key: string, submissions: ReadonlySet<string>): string | undefined {
  if (submissions.has(key)) return key;
  let at = key.indexOf('/');
  for (let count = 0; at !== -1 && count < MAX_SLASHES; count += 1) {
    const start = key.slice(0, at);
    if (submissions.has(start)) return start;
    at = key.indexOf('/', at + 1);
  }
  return undefined;
}

/** A row of a repeat in an export of ODK Central. */
interface WaitingRow {
  readonly key: string;
  readonly repeat: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Rows that wait for their parent, by its key. */
interface WaitingRows {
  add(parentKey: string, row: WaitingRow): void;
  /** Removes and returns the rows of a parent. */
  take(parentKey: string): readonly WaitingRow[];
  readonly isEmpty: () => boolean;
  /** Whether no more rows should be added. */
  readonly isFull: () => boolean;
}

/** Bytes that a row and a cell take in memory, without their texts. */
const ROW_BYTES = 300;
const CELL_BYTES = 100;
const CHARACTER_BYTES = 2;

function createWaitingRows(limit: { readonly rows: number; readonly bytes: number }): WaitingRows {
  const byParent = new Map<string, WaitingRow[]>();
  let [rows, bytes] = [0, 0];

  return {
    add(parentKey, row) {
      rows += 1;
      bytes += bytesOf(parentKey, row);
      addToList(byParent, parentKey, row);
    },
    take(parentKey) {
      const found = byParent.get(parentKey) ?? [];
      byParent.delete(parentKey);
      rows -= found.length;
      for (const row of found) bytes -= bytesOf(parentKey, row);
      return found;
    },
    isEmpty: () => rows === 0,
    isFull: () => rows >= limit.rows || bytes >= limit.bytes,
  };
}

function bytesOf(parentKey: string, { key, fields }: WaitingRow): number {
  const characters = fields.reduce((sum, [, cell]) => sum + cell.length, key.length + parentKey.length);
  return ROW_BYTES + CELL_BYTES * fields.length + CHARACTER_BYTES * characters;
}
