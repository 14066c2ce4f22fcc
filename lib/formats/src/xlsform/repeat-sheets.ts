import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Warn } from '../files/report.ts';
import { readNames } from '../tables/header.ts';
import type { NamedTable } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { MAX_REPEAT_DEPTH, MAX_REPEAT_ROWS, TOO_MANY_ROWS, withoutPrefix } from './repeats.ts';

/**
 * Sheets of a Kobo export with the rows of repeats. The rows of the sheet `kid` with `_parent_index` 2 belong to row 2
 * of the sheet that `_parent_table_name` names: to a submission, or to the row of another repeat.
 */
export interface RepeatSheets {
  /** The rows of a submission by repeat. Call it with the indexes of the submissions in the order of their sheet. */
  take(index: number): Promise<JsonObject>;
  /** Warns about rows that are not imported. */
  end(): void;
  close(): Promise<void>;
}

interface RepeatSheet {
  readonly name: string;
  /** The path of the repeat in the form. */
  readonly repeat: string;
  readonly location: string;
  /** The name of the parent sheet, as in the first row. */
  readonly parent: string;
  readonly children: RepeatSheet[];
  /** The next row; undefined after the last one. */
  peek(): RepeatSheetRow | undefined;
  advance(): Promise<void>;
  readonly lost: LostRows;
  close(): Promise<void>;
}

type ToRepeatName = (name: string, fields?: readonly string[]) => string;

/** Numbers of rows that are not imported. */
interface LostRows {
  /** Rows without a submission. */
  orphans: number;
  /** Rows above the limits of a repeat. */
  excess: number;
}

interface RepeatSheetRow {
  readonly index: number;
  readonly parentIndex: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const INDEX = '_index';
const PARENT_INDEX = '_parent_index';
const PARENT_TABLE = '_parent_table_name';
/** Columns that are left out: copies of values of the submission, and references to rows. */
const LEFT_OUT_COLUMN = /^_submission__|^_(index|parent_index|parent_table_name)$/;
/** The index of a row without a parent. It is not 0, because old exports count submissions from 0. */
const NO_PARENT = -1;

/**
 * Opens the sheets with rows of repeats. Kobo writes rows in the order of the submissions, so all sheets are read side
 * by side. Warns about other sheets.
 */
export async function openRepeatSheets(
  tables: readonly NamedTable[],
  toRepeatName: ToRepeatName,
  warn: Warn,
): Promise<RepeatSheets> {
  const sheets: RepeatSheet[] = [];
  for (const table of tables) {
    const sheet = await openSheet(table, toRepeatName).catch(async (error: unknown) => {
      for (const opened of sheets) await opened.close();
      throw error;
    });
    if (sheet === undefined) {
      const detail = `The ${table.location} is not imported: it has no columns ${PARENT_TABLE} and ${PARENT_INDEX}`;
      warn({ path: '', code: 'NOT_IMPORTED', detail });
    } else sheets.push(sheet);
  }
  const byName = new Map(sheets.map((sheet) => [sheet.name, sheet]));
  const byRepeat = new Map(sheets.map((sheet) => [sheet.repeat, sheet]));
  /** The sheet of a parent. Names of sheets can be cut, but not those in the column of parents. */
  const findParent = (name: string) => {
    const repeat = toRepeatName(name);
    return byName.get(name) ?? byRepeat.get(repeat);
  };
  const top = sheets.filter((sheet) => {
    const parent = findParent(sheet.parent);
    if (parent === undefined || parent === sheet) return true;
    parent.children.push(sheet);
    return false;
  });
  return {
    take: (index) => rowsOfAll(top, index, 0),
    end() {
      for (const sheet of sheets) {
        const { orphans, excess } = sheet.lost;
        const warnOf = (reason: string) => {
          const detail = `Rows of the ${sheet.location} are not imported: ${reason}`;
          warn({ path: '', code: 'NOT_IMPORTED', detail });
        };
        if (orphans > 0 || sheet.peek() !== undefined) warnOf(`their ${PARENT_INDEX} is not that of a submission`);
        if (excess > 0) warnOf(TOO_MANY_ROWS);
      }
    },
    async close() {
      for (const sheet of sheets) await sheet.close();
    },
  };

  async function rowsOfAll(siblings: readonly RepeatSheet[], index: number, depth: number): Promise<JsonObject> {
    const lists: [string, JsonValue][] = [];
    for (const sheet of siblings) {
      const rows: JsonValue[] = [];
      for (let row = sheet.peek(); row !== undefined && row.parentIndex <= index; row = sheet.peek()) {
        if (row.parentIndex !== index) sheet.lost.orphans += 1;
        else if (rows.length === MAX_REPEAT_ROWS || depth === MAX_REPEAT_DEPTH) sheet.lost.excess += 1;
        else {
          const nested = await rowsOfAll(sheet.children, row.index, depth + 1);
          rows.push({ ...Object.fromEntries(row.fields), ...nested });
        }
        await sheet.advance();
      }
      if (rows.length > 0) lists.push([sheet.repeat, rows]);
    }
    return Object.fromEntries(lists);
  }
}

async function openSheet(
  { name, location, rows }: NamedTable,
  toRepeatName: ToRepeatName,
): Promise<RepeatSheet | undefined> {
  const iterator = rows()[Symbol.asyncIterator]();
  const close = async () => {
    await iterator.return?.();
  };
  const first = await iterator.next();
  const header = first.done === true ? [] : readNames(first.value);
  const indexAt = header.indexOf(INDEX);
  const parentAt = header.indexOf(PARENT_INDEX);
  const tableAt = header.indexOf(PARENT_TABLE);
  if (parentAt < 0 || tableAt < 0) {
    await close();
    return undefined;
  }
  const repeat = toRepeatName(name, header);
  const names = header.map((one) => withoutPrefix(withoutPrefix(one, repeat), name));
  /** Number of the current row, which is its index if it has none. */
  let number = 0;
  let parent = '';
  let next: RepeatSheetRow | undefined;
  const toRow = ({ cells }: Row): RepeatSheetRow => {
    number += 1;
    const index = Number(cells[indexAt] ?? number);
    const parentIndex = Number((cells[parentAt] ?? '').trim() || NO_PARENT);
    return {
      index: Number.isFinite(index) ? index : number,
      parentIndex: Number.isFinite(parentIndex) ? parentIndex : NO_PARENT,
      fields: cells.flatMap((cell, column): readonly (readonly [string, string])[] => {
        const field = names[column] ?? '';
        return cell.trim() === '' || field === '' || LEFT_OUT_COLUMN.test(field) ? [] : [[field, cell]];
      }),
    };
  };
  const advance = async () => {
    const row = await iterator.next();
    if (row.done !== true && parent === '') parent = (row.value.cells[tableAt] ?? '').trim();
    next = row.done === true ? undefined : toRow(row.value);
  };
  await advance();
  return {
    name,
    repeat,
    location,
    parent,
    children: [],
    peek: () => next,
    advance,
    lost: { orphans: 0, excess: 0 },
    close,
  };
}
