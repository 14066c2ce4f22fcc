import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import type { FileResponse } from '../shared/file-response.ts';
import type { FindCellText, ResponseFileReader, Warn } from '../shared/reader.ts';
import { createWarnOnce } from '../shared/warn-once.ts';
import { badHeader, extraCellsProblem, readNames, rejectDuplicates, watchNameless } from '../tables/header.ts';
import { openTables, type Table } from '../tables/open-table.ts';
import { toSlashes } from './column-names.ts';
import { openRepeatSheets, type RepeatSheets } from './repeat-sheets.ts';
import { isRepeatColumn, takeRepeats } from './repeats.ts';
import { createSubmissionReader, type SubmissionReader } from './submissions.ts';

/** The value of Kobo for a question that was not shown. */
const NOT_ANSWERED = 'n/a';

/** Paths of submission lists: alone, in Kobo's API, in a Kobo asset, in the OData service of ODK Central. */
const LOCATIONS: readonly (readonly string[])[] = [[], ['results'], ['submissions'], ['value']];
const MAX_DEPTH = 32;
/** Members that Kobo adds. `__system` is a group of ODK. */
const OF_KOBO = /^_[^_]/;

/** Reads JSON submissions of Kobo and ODK Central. */
export const readXlsformJsonResponses: ResponseFileReader = async function* (file, { payload }, options) {
  for (const location of LOCATIONS) {
    const submissions = readSubmissionItems(file, location, payload, options);
    const first = await submissions.next();
    if (first.done === true) continue;
    yield first.value;
    yield* submissions;
    return;
  }
  const root = await readJson(file);
  const isList = Array.isArray(root) || (isObject(root) && LOCATIONS.some(([name = '']) => Array.isArray(root[name])));
  if (!isList) throw reject('NO_RESPONSES', 'The file must be an array of submissions');
};

/** Reads the submissions of a list at a path. */
export async function* readSubmissionItems(
  file: ImportFile,
  location: readonly string[],
  payload: JsonObject,
  { warn }: { readonly warn: Warn },
): AsyncGenerator<FileResponse> {
  const read = createSubmissionReader(payload, createWarnOnce(warn));
  for await (const { index, path, value } of readJsonItems(file, location)) {
    if (!isObject(value)) {
      yield { index, id: '', code: 'WRONG_TYPE', detail: 'The submission must be an object' };
      continue;
    }
    const cells = new Map<string, JsonValue>();
    flatten(value, '', cells, 0);
    yield read({ index, cells, pathOf: () => path, location: '' });
  }
}

/** Flattens groups to `group/name`: OData has nested objects, Kobo writes the path. */
function flatten(object: JsonObject, base: string, cells: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (isAbsent(value)) continue;
    const location = base === '' ? name : `${base}/${name}`;
    const isGroup = isObject(value) && !OF_KOBO.test(name) && !('coordinates' in value) && depth < MAX_DEPTH;
    if (isGroup) flatten(value, location, cells, depth + 1);
    else cells.set(location, value);
  }
}

/**
 * Reads a table of submissions of ODK Central, or of Kobo with names or labels as headings and any group separator.
 * Other sheets of a workbook can have rows of repeats.
 */
export const readXlsformCsvResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { warn } = options;
  const read = createSubmissionReader(payload, createWarnOnce(warn));
  const table = await openTables(file, options.table, warn);
  const sheets = await openRepeatSheets(table.others, read.toRepeatName, warn);
  try {
    yield* readTable(table, { read, sheets, warn, needsQuestion: options.table.hidesAnswers !== true });
    sheets.end();
  } finally {
    await sheets.close();
  }
};

interface TableReading {
  readonly read: SubmissionReader;
  readonly sheets: RepeatSheets;
  readonly warn: Warn;
  /** Whether the table must have a column of a question. */
  readonly needsQuestion: boolean;
}

async function* readTable(
  table: Table,
  { read, sheets, warn, needsQuestion }: TableReading,
): AsyncGenerator<FileResponse> {
  let names: readonly string[] | undefined;
  let watch: ReturnType<typeof watchNameless> | undefined;
  let hasRepeats = false;
  let index = 0;
  for await (const row of table.rows()) {
    const { number, cells } = row;
    if (names === undefined) {
      names = toSlashes(readNames(row), read.columns());
      // Columns that are not of questions are kept in the metadata, so all names matter.
      rejectDuplicates(names, () => true, number);
      if (needsQuestion) rejectWithoutQuestion(names, number, read.names, table.description);
      watch = watchNameless(names, warn);
      hasRepeats = names.some(isRepeatColumn);
      continue;
    }
    watch?.(cells);
    const header = names;
    const ownIndex = cells[header.indexOf('_index')] ?? '';
    const rows = await sheets.take(ownIndex.trim() === '' ? index + 1 : Number(ownIndex));
    const extra = extraCellsProblem(cells, names.length);
    if (extra === undefined) {
      const given = cells.flatMap((cell, column): readonly (readonly [string, JsonValue])[] => {
        const name = header[column] ?? '';
        return cell.trim() === '' || name === '' ? [] : [[name, cell]];
      });
      const all = new Map(given);
      const { rest, repeats } = hasRepeats ? takeRepeats(all, read.toRepeatName) : { rest: all, repeats: {} };
      const submission = { index, cells: rest, repeats: { ...rows, ...repeats } };
      yield { ...read({ ...submission, pathOf: () => '', location: `row ${number}` }), row: number };
    } else {
      yield { index, id: '', row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
    }
    index += 1;
  }
  if (names === undefined) readNames(undefined);
}

/** Converts the cells of a table to their texts, for columns that the option `columns` names. */
export const xlsformCells: FindCellText = () => (cell) => (cell === NOT_ANSWERED ? '' : cell);

function rejectWithoutQuestion(
  header: readonly string[],
  number: number,
  names: ReadonlySet<string>,
  description: string,
): void {
  if (!header.some((name) => names.has(name) || names.has(name.replace(/\/[^/]*$/, '')))) {
    throw badHeader(`row ${number}: no column names a question of the survey (${description})`);
  }
}

function reject(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
