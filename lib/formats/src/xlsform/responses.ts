import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { mapColumns } from '../custom/mapped-columns.ts';
import { learnToolValues, readToolRows } from '../custom/tool-rows.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import type { FileResponse } from '../shared/file-response.ts';
import type { AnsweredSurvey, ResponseFileReader, ResponseReadOptions, Warn } from '../shared/reader.ts';
import { createWarnOnce } from '../shared/warn-once.ts';
import { firstRows } from '../tables/first-rows.ts';
import { extraCellsProblem } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { type NamedTable, openTables, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { openRepeatSheets, type RepeatSheets } from './repeat-sheets.ts';
import {
  isReference,
  isRepeatTable,
  openRepeatTables,
  type RepeatTables,
  readSubmissionKeys,
} from './repeat-tables.ts';
import { isRepeatColumn, takeRepeats } from './repeats.ts';
import { createSubmissionReader, type SubmissionReader } from './submissions.ts';
import { readXlsformHeader } from './table-header.ts';

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
    yield read({ index, cells, pathOf: () => path, isRow: false, location: '' });
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
export const readXlsformCsvResponses: ResponseFileReader = async function* (file, survey, options) {
  const { warn } = options;
  const read = createSubmissionReader(survey.payload, createWarnOnce(warn));
  const opened = await openTables(file, options.table, warn);
  const table = options.unmask === true ? mapCells(opened, unmaskFormula) : opened;
  const keyed: NamedTable[] = [];
  const numbered: NamedTable[] = [];
  for (const other of table.others) ((await isRepeatTable(other)) ? keyed : numbered).push(other);
  const sheets = await openRepeatSheets(numbered, read.toRepeatName, warn);
  let tables: RepeatTables | undefined;
  try {
    const keys = keyed.length === 0 ? undefined : await readSubmissionKeys(table);
    tables = await openRepeatTables(keyed, { keys, toRepeatName: read.toRepeatName, warn });
    yield* readTable(table, survey, { read, sheets, tables, options });
    sheets.end();
    await tables.end();
  } finally {
    await sheets.close();
    await tables?.close();
  }
};

interface TableContext {
  readonly read: SubmissionReader;
  readonly sheets: RepeatSheets;
  readonly tables: RepeatTables;
  readonly options: ResponseReadOptions;
}

async function* readTable(
  table: Table,
  survey: AnsweredSurvey,
  { read, sheets, tables, options }: TableContext,
): AsyncGenerator<FileResponse> {
  const start = await firstRows(table, 1);
  const mapped = mapColumns(start[0], survey, options);
  const header = readXlsformHeader(start, survey.payload, mapped.positions, read);
  header.check({ description: table.description, needsQuestion: !mapped.hasAnswers });
  mapped.warnOfRivals(header);
  const { names, headings } = header;
  const values = await learnToolValues(table, header, mapped, options.table);
  const hasRepeats = names.some(isRepeatColumn);
  // Also if the option `columns` names them.
  const indexAt = headings.indexOf('_index');
  const keyAt = headings.indexOf('KEY');
  const [reference] = tables.isUsed ? [] : names.filter((name) => isReference(name, read));
  if (reference !== undefined) {
    const detail = `The column ${reference} is not imported: it names rows of another table, which the file does not have`;
    options.warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const rows = readToolRows(table, header, { values, mapped, warn: options.warn });
  for await (const { index, whole, cells } of rows) {
    const response = await readSubmission({ number: whole.number, cells }, index, whole.cells);
    yield mapped.addTo(response, { ...whole, cells: whole.cells.map(withoutMark) });
  }

  async function readSubmission(
    { number, cells }: Row,
    position: number,
    all: readonly string[],
  ): Promise<FileResponse> {
    const ownIndex = all[indexAt] ?? '';
    const keyed = {
      ...(await sheets.take(ownIndex.trim() === '' ? position + 1 : Number(ownIndex))),
      ...(await tables.take((all[keyAt] ?? '').trim())),
    };
    const extra = extraCellsProblem(cells, names.length);
    if (extra !== undefined) {
      return { index: position, id: '', row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
    }
    const given = cells.flatMap((cell, column): readonly (readonly [string, JsonValue])[] => {
      const name = names[column] ?? '';
      return cell.trim() === '' || name === '' || isReference(name, read) ? [] : [[name, cell]];
    });
    const named = new Map(given);
    const { rest, repeats } = hasRepeats ? takeRepeats(named, read.toRepeatName) : { rest: named, repeats: {} };
    const submission = { index: position, cells: rest, repeats: { ...keyed, ...repeats } };
    return { ...read({ ...submission, pathOf: () => '', isRow: true, location: `row ${number}` }), row: number };
  }
}

/** The cell of a column that the option `columns` names; empty for a question that was not shown. */
function withoutMark(cell: string): string {
  return cell === NOT_ANSWERED ? '' : cell;
}

function reject(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
