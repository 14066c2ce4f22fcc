import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import type { ResponseFileReader } from '../core/reader.ts';
import { type AnswerPolicy, createFitResponse, type JudgedResponse } from '../core/responses/fit.ts';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { openTable } from '../tables/open-table.ts';
import { DETECT_ALL } from '../tables/table-options.ts';

/** The result of a check: how many values were tried, and which an import would lose silently. */
export interface LossReport {
  /** Number of values. */
  readonly values: number;
  /** Columns or paths of the values that an import would lose silently. */
  readonly lost: readonly string[];
}

const KEEP: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: true };
/** Rows of a table, or responses of a list, whose values are left out. */
const MAX_TRIED = 5;
/** A value that no question with options, dates or numbers takes. */
const JUNK = 'zzz';
/** Rows of a table from which a reader learns the columns. */
const MAX_LEARNED = 300;

/**
 * Checks that no value of a table is lost silently. For each value of some rows, it reads the row as it is, with a
 * wrong value in its place, and without the value. A value is lost silently if the row is stored and reported in the
 * same way without it.
 *
 * @param isNoAnswer whether a cell means that there is no answer
 */
export async function findLostInTable(
  read: ResponseFileReader,
  contents: Uint8Array,
  payload: JsonObject,
  isNoAnswer: (cell: string, column: string) => boolean,
): Promise<LossReport> {
  const table = await openTable(fileOf(contents), DETECT_ALL, () => {});
  const rows = (await Array.fromAsync(table.rows())).slice(0, MAX_LEARNED);
  const [first] = await judgeAll(read, contents, payload);
  const headerRows = rows.findIndex(({ number }) => number === first?.row);
  const names = rows[0]?.cells ?? [];
  const filled = rows
    .slice(Math.max(1, headerRows))
    .toSorted((one, other) => countFilled(other.cells) - countFilled(one.cells))
    .slice(0, MAX_TRIED);
  const variants = filled.flatMap(({ cells }) => {
    const positions = cells.flatMap((cell, position) => {
      const column = names[position]?.trim() ?? '';
      return cell.trim() === '' || column === '' || isNoAnswer(cell.trim(), column) ? [] : [position];
    });
    return positions.flatMap((position) => {
      const without = cells.with(position, '');
      const column = names[position] ?? '';
      return [
        { cells, without, column },
        { cells: cells.with(position, JUNK), without, column: `${column}, with another value` },
      ];
    });
  });
  const written = [
    ...rows.map(({ cells }) => cells),
    ...variants.flatMap(({ cells, without }) => [cells, without]),
  ].map((cells) => cells.map(quote).join(','));
  const judged = (await judgeAll(read, written.join('\n'), payload)).slice(-2 * variants.length);
  return compare(
    variants.map(({ column }) => column),
    judged,
  );
}

/** Checks a JSON list of responses like `findLostInTable`. `valuesIn` returns the path of each value of a response. */
export async function findLostInList(
  read: ResponseFileReader,
  responses: readonly JsonValue[],
  payload: JsonObject,
  { wrap, valuesIn }: ListShape,
): Promise<LossReport> {
  const variants = responses
    .toSorted((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)
    .slice(0, MAX_TRIED)
    .flatMap((response) => valuesIn(response).map((path) => ({ response, path, without: removeAt(response, path) })));
  const list = variants.flatMap(({ response, without }) => [response, without]);
  const judged = list.length === 0 ? [] : await judgeAll(read, JSON.stringify(wrap(list)), payload);
  return compare(
    variants.map(({ path }) => path.join('/')),
    judged,
  );
}

export type Path = readonly (string | number)[];

interface ListShape {
  readonly wrap: (responses: JsonValue[]) => JsonValue;
  readonly valuesIn: (response: JsonValue) => readonly Path[];
}

/** Paths of the members of an object or list, below a path. */
export function pathsBelow(value: JsonValue | undefined, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.map((_, index) => [...path, index]);
  return isObject(value) ? Object.keys(value).map((name) => [...path, name]) : [];
}

/** The value at a path. */
export function valueAt(root: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) ? value[String(step)] : undefined;
  }, root);
}

function removeAt(root: JsonValue, path: Path): JsonValue {
  const copy: JsonValue = structuredClone(root);
  const owner = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (isObject(owner)) delete owner[String(last)];
  return copy;
}

async function judgeAll(read: ResponseFileReader, contents: string | Uint8Array, payload: JsonObject) {
  const definition = compile(payload);
  const fit = createFitResponse({ payload, definition, policy: KEEP });
  const judged: JudgedResponse[] = [];
  const options = { unmask: undefined, table: DETECT_ALL, warn: () => {} };
  for await (const response of read(fileOf(contents), { payload, definition }, options)) judged.push(fit(response));
  return judged;
}

function compare(names: readonly string[], judged: readonly JudgedResponse[]): LossReport {
  const lost = names.filter((_, index) => {
    const [whole, without] = [judged[2 * index], judged[2 * index + 1]];
    // The values of a rejected response are reported with it.
    return whole !== undefined && !isRejected(whole) && toText(whole) === toText(without);
  });
  return { values: names.length, lost };
}

/** The outcome of a response, without its position. */
function toText(judged: JudgedResponse | undefined): string {
  return JSON.stringify(judged, (name, value) => (name === 'index' || name === 'row' ? undefined : value));
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
