import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import type { Warn } from '../files/warn.ts';
import { firstRows } from '../tables/first-rows.ts';
import { readNames } from '../tables/header.ts';
import type { NamedTable } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { MAX_DEPTH, MAX_ROWS, withoutPrefix } from './repeats.ts';

/** Tables of an export of ODK Central with the rows of repeats, which name the key of their submission or row. */
export interface RepeatTables {
  /** Whether there is a table of repeats. */
  readonly isUsed: boolean;
  /** The rows of a submission by repeat. Call it with the keys of the submissions in the order of their table. */
  take(key: string): Promise<JsonObject>;
  /** Warns about rows without a submission. */
  end(): Promise<void>;
  close(): Promise<void>;
}

interface RepeatRow {
  readonly key: string;
  readonly repeat: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly size: number;
}

interface RepeatTable {
  readonly name: string;
  /** Reads on, as far as the window allows. */
  fill(): Promise<void>;
  take(parentKey: string): readonly RepeatRow[];
  readonly waiting: () => number;
  close(): Promise<void>;
}

const KEY = 'KEY';
const PARENT_KEY = 'PARENT_KEY';
/** Columns that only name rows of other tables. */
export const OF_REPEAT = /^(?:SET-OF-.*|PARENT_KEY)$/;
/** Rows and characters of all tables that wait for their submission. Tables have the order of the submissions. */
const WINDOW_ROWS = 20_000;
const WINDOW_SIZE = 16 * 1024 * 1024;
/** The number of a row at the end of its key: `uuid:1/kids/kid[2]`. */
const NUMBER = /\[\d+\]$/;

/** Whether a table has rows of repeats with keys. */
export async function isRepeatTable(table: NamedTable): Promise<boolean> {
  const [first] = await firstRows(table, 1);
  const names = first === undefined ? [] : readNames(first);
  return names.includes(KEY) && names.includes(PARENT_KEY);
}

/** Opens tables with rows of repeats. They are read side by side with the submissions, in a window of limited size. */
export async function openRepeatTables(
  tables: readonly NamedTable[],
  toRepeatName: (name: string) => string,
  warn: Warn,
): Promise<RepeatTables> {
  const window = {
    rows: Math.ceil(WINDOW_ROWS / Math.max(1, tables.length)),
    size: Math.ceil(WINDOW_SIZE / Math.max(1, tables.length)),
  };
  const opened = tables.map((table) => openTable(table, toRepeatName, window));
  return {
    isUsed: opened.length > 0,
    async take(key) {
      for (const table of opened) await table.fill();
      return rowsOf(key, 0);
    },
    async end() {
      for (const table of opened) {
        await table.fill();
        if (table.waiting() === 0) continue;
        const detail = `Rows of the table ${table.name} are not imported: their ${PARENT_KEY} is not that of a submission, or far from it`;
        warn({ path: '', code: 'NOT_IMPORTED', detail });
      }
    },
    async close() {
      for (const table of opened) await table.close();
    },
  };

  function rowsOf(key: string, depth: number): JsonObject {
    const lists: Record<string, JsonValue[]> = {};
    if (key === '' || depth > MAX_DEPTH) return lists;
    for (const table of opened) {
      for (const row of table.take(key).slice(0, MAX_ROWS)) {
        const list = Object.hasOwn(lists, row.repeat) ? (lists[row.repeat] ?? []) : [];
        list.push({ ...Object.fromEntries(row.fields), ...rowsOf(row.key, depth + 1) });
        setMember(lists, row.repeat, list);
      }
    }
    return lists;
  }
}

function openTable(
  { name, rows }: NamedTable,
  toRepeatName: (name: string) => string,
  window: { readonly rows: number; readonly size: number },
): RepeatTable {
  const iterator = rows()[Symbol.asyncIterator]();
  const byParent = new Map<string, RepeatRow[]>();
  let header: readonly string[] | undefined;
  let [count, size, isOver] = [0, 0, false];

  function add({ cells }: Row, names: readonly string[]): void {
    const cellOf = (column: string) => (cells[names.indexOf(column)] ?? '').trim();
    const key = cellOf(KEY);
    const parentKey = cellOf(PARENT_KEY);
    // The key continues that of the parent with the path of the repeat.
    const isBelow = key.startsWith(`${parentKey}/`) && NUMBER.test(key);
    const repeat = toRepeatName(isBelow ? key.slice(parentKey.length + 1).replace(NUMBER, '') : name);
    const fields = cells.flatMap((cell, column): readonly (readonly [string, string])[] => {
      const own = names[column] ?? '';
      if (cell.trim() === '' || own === '' || own === KEY || OF_REPEAT.test(own)) return [];
      return [[withoutPrefix(own, repeat), cell]];
    });
    const row = { key, repeat, fields, size: cells.reduce((sum, cell) => sum + cell.length, key.length) };
    count += 1;
    size += row.size;
    const same = byParent.get(parentKey);
    if (same === undefined) byParent.set(parentKey, [row]);
    else same.push(row);
  }

  return {
    name,
    async fill() {
      while (!isOver && count < window.rows && size < window.size) {
        const next = await iterator.next();
        if (next.done === true) isOver = true;
        else if (header === undefined) header = readNames(next.value);
        else add(next.value, header);
      }
    },
    take(parentKey) {
      const found = byParent.get(parentKey) ?? [];
      byParent.delete(parentKey);
      count -= found.length;
      for (const row of found) size -= row.size;
      return found;
    },
    // A full window has more rows behind it.
    waiting: () => count + (isOver ? 0 : 1),
    async close() {
      await iterator.return?.();
    },
  };
}
