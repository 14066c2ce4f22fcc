import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { unmaskStart } from '@survey/questionnaire/columns/csv';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { type MappedColumns, mapColumns } from '../core/columns/mapped-columns.ts';
import type { TableHeader } from '../core/columns/table-header.ts';
import { findToolRows, learnToolValues, readToolRows } from '../core/columns/tool-rows.ts';
import { lookAhead } from '../core/look-ahead.ts';
import type { AnsweredSurvey, ResponseFileReader, ResponseReadOptions } from '../core/reader.ts';
import { readResponseItems } from '../core/responses/items.ts';
import type { FileResponse } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';
import { firstRows } from '../tables/first-rows.ts';
import { extraCellsProblem } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { type NamedTable, openTables, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { createSubmissionReader, type SubmissionReader } from './answers.ts';
import { readXlsformHeader, type SubmissionColumns } from './headers.ts';
import { openRepeatSheets, type RepeatSheets } from './repeat-sheets.ts';
import {
  isReference,
  isRepeatColumn,
  isRepeatTable,
  openRepeatTables,
  type RepeatTables,
  readSubmissionKeys,
  takeRepeats,
} from './repeats.ts';

/** The value of Kobo for a question that was not shown. */
const NOT_ANSWERED = 'n/a';

/** Paths of submission lists: alone, in Kobo's API, in a Kobo asset, in the OData service of ODK Central. */
const LOCATIONS: readonly (readonly string[])[] = [[], ['results'], ['submissions'], ['value']];
const MAX_DEPTH = 32;
/** Members that Kobo adds. `__system` is a group of ODK. */
const KOBO_MEMBER = /^_[^_]/;

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
  options: Pick<ResponseReadOptions, 'table' | 'warn'>,
): AsyncGenerator<FileResponse> {
  const read = createSubmissionReader(payload, options);
  for await (const { index, path, value } of readResponseItems(file, location, options.warn)) {
    if (!isObject(value)) {
      yield { index, id: '', code: 'WRONG_TYPE', detail: 'The submission must be an object' };
      continue;
    }
    const cells = new Map<string, JsonValue>();
    flatten(value, '', cells, 0);
    yield read({ index, cells, path, location: '' });
  }
}

/** Flattens groups to `group/name`: OData has nested objects, Kobo writes the path. */
function flatten(object: JsonObject, base: string, cells: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (isAbsent(value)) continue;
    const location = base === '' ? name : `${base}/${name}`;
    const isGroup = isObject(value) && !KOBO_MEMBER.test(name) && !('coordinates' in value) && depth < MAX_DEPTH;
    if (isGroup) flatten(value, location, cells, depth + 1);
    else cells.set(location, value);
  }
}

/**
 * Reads a table of submissions of ODK Central, or of Kobo with names or labels as headings and any group separator.
 * Other sheets of a workbook can have rows of repeats.
 */
export const readXlsformTableResponses: ResponseFileReader = async function* (file, survey, options) {
  const { warn } = options;
  const read = createSubmissionReader(survey.payload, options);
  const rows = await findToolRows(await openTables(file, options.table, warn), readXlsformHeader, survey.payload);
  const opened = rows.table;
  const table = options.unmask === true ? mapCells(opened, unmaskStart) : opened;
  const keyed: NamedTable[] = [];
  const numbered: NamedTable[] = [];
  for (const other of table.others) ((await isRepeatTable(other)) ? keyed : numbered).push(other);
  const koboRepeats = await openRepeatSheets(numbered, read.toRepeatName, warn);
  let odkRepeats: RepeatTables | undefined;
  try {
    const keys = keyed.length === 0 ? undefined : await readSubmissionKeys(table);
    odkRepeats = await openRepeatTables(keyed, { keys, toRepeatName: read.toRepeatName, warn });
    yield* rows.withLeftOut(readTable(table, survey, { read, koboRepeats, odkRepeats, options }), warn);
    koboRepeats.end();
    await odkRepeats.end();
  } finally {
    await koboRepeats.close();
    await odkRepeats?.close();
  }
};

interface TableContext {
  readonly read: SubmissionReader;
  /** Repeats by the index of the submission. */
  readonly koboRepeats: RepeatSheets;
  /** Repeats by the key of the submission. */
  readonly odkRepeats: RepeatTables;
  readonly options: ResponseReadOptions;
}

async function* readTable(
  table: Table,
  survey: AnsweredSurvey,
  { read, koboRepeats, odkRepeats, options }: TableContext,
): AsyncGenerator<FileResponse> {
  const start = await firstRows(table, 1);
  const mapped = mapColumns(start[0], survey, options);
  const header = readXlsformHeader(start, survey.payload, mapped.positions, read.columns);
  header.check({ description: table.description, needsQuestion: !mapped.hasAnswers });
  mapped.warnOfRivals(header);
  const { names, headings } = header;
  const values = await learnToolValues(table, header, mapped, options.table);
  const isMarked = await hasMarks(table, header, read.columns, mapped);
  const isNoAnswer = (cell: string) => isMarked && cell === NOT_ANSWERED;
  if (isMarked) {
    const detail = `The value ${NOT_ANSWERED} means "not answered" and is not imported`;
    options.warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const hasRepeats = names.some(isRepeatColumn);
  // Look in `headings`, because `names` is empty for columns that the option `columns` maps.
  const indexAt = headings.indexOf('_index');
  const keyAt = headings.indexOf('KEY');
  const [reference] = odkRepeats.isUsed ? [] : names.filter((name) => isReference(name, read.columns));
  if (reference !== undefined) {
    const detail = `The column ${reference} is not imported: it names rows of another table, which the file does not have`;
    options.warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const rows = readToolRows(table, header, { values, mapped, warn: options.warn });
  for await (const { index, whole, cells, finish } of rows) {
    const response = await readSubmission({ number: whole.number, cells }, index, whole.cells);
    yield finish(response, { ...whole, cells: whole.cells.map((cell) => (isNoAnswer(cell) ? '' : cell)) });
  }

  async function readSubmission(
    { number, cells }: Row,
    position: number,
    all: readonly string[],
  ): Promise<FileResponse> {
    const ownIndex = all[indexAt] ?? '';
    const repeatRows = {
      ...(await koboRepeats.take(ownIndex.trim() === '' ? position + 1 : Number(ownIndex))),
      ...(await odkRepeats.take((all[keyAt] ?? '').trim())),
    };
    const extra = extraCellsProblem(cells, names.length);
    if (extra !== undefined) {
      return { index: position, id: '', row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
    }
    const given = cells.flatMap((cell, column): readonly (readonly [string, JsonValue])[] => {
      const name = names[column] ?? '';
      const isLeftOut = cell.trim() === '' || isNoAnswer(cell) || name === '' || isReference(name, read.columns);
      return isLeftOut ? [] : [[name, cell]];
    });
    const byName = new Map(given);
    const { rest, repeats } = hasRepeats ? takeRepeats(byName, read.toRepeatName) : { rest: byName, repeats: {} };
    const submission = { index: position, cells: rest, repeats: { ...repeatRows, ...repeats } };
    return { ...read({ ...submission, path: '', location: `row ${number}` }), row: number };
  }
}

/**
 * Whether `n/a` marks questions that were not shown. This is so if it occurs in a column where it cannot be an answer.
 * Otherwise, respondents wrote it.
 */
async function hasMarks(
  table: Table,
  { names, headerRows }: Pick<TableHeader, 'names' | 'headerRows'>,
  columns: SubmissionColumns,
  mapped: Pick<MappedColumns, 'positions' | 'texts'>,
): Promise<boolean> {
  const canBeAnswer = (at: number): boolean => {
    const name = names[at] ?? '';
    if (mapped.positions.has(at)) return mapped.texts.has(at);
    return columns.targetNameOf(name) === undefined || columns.takesText(name, NOT_ANSWERED);
  };
  let [rows, found] = [0, false];
  await lookAhead(table.rows(), ({ cells }) => {
    rows += 1;
    if (rows <= headerRows) return;
    found ||= cells.some((cell, at) => cell === NOT_ANSWERED && !canBeAnswer(at));
  });
  return found;
}

function reject(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
