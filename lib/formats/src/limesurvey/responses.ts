import type { JsonValue } from '@bufbuild/protobuf';
import { unmaskStart } from '@survey/questionnaire/columns/csv';
import { isArray, isObject } from '@survey/questionnaire/json';
import { mapColumns } from '../core/columns/mapped-columns.ts';
import { findToolRows, learnToolValues, readToolRows } from '../core/columns/tool-rows.ts';
import { lookAhead } from '../core/look-ahead.ts';
import type { ResponseFileReader } from '../core/reader.ts';
import type { FileResponse } from '../core/responses/response.ts';
import { readJson, readJsonItems } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';
import { firstRows } from '../tables/first-rows.ts';
import { extraCellsProblem } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { openTable } from '../tables/open-table.ts';
import { openLsa } from './archive.ts';
import { readLsrResponses } from './lsr.ts';
import { createRecordReader, type ResponseRecord } from './response-record.ts';
import { readLimesurveyHeader } from './table-header.ts';
import { findVvHeader, fromVvCell } from './vv.ts';

/**
 * Reads a LimeSurvey table with question codes as headings, and codes or texts in the cells. In a VV file, which has two
 * header rows, the second one has the codes.
 */
export const readLimesurveyCsvResponses: ResponseFileReader = async function* (file, survey, options) {
  const { payload } = survey;
  const { unmask, warn } = options;
  const rows = await findToolRows(await openTable(file, options.table, warn), readLimesurveyHeader, payload);
  const opened = rows.table;
  const isVv = findVvHeader(await firstRows(opened, 2), payload) !== undefined;
  const table = mapCells(opened, cellConversionOf(isVv, unmask));
  const start = await firstRows(table, 2);
  const mapped = mapColumns(start[0], survey, options);
  const header = readLimesurveyHeader(start, payload, mapped.positions);
  const { names, headerRows } = header;
  header.check({ description: table.description, needsQuestion: !mapped.hasAnswers });
  mapped.warnOfRivals(header);
  const reader = createRecordReader(payload, options, isVv ? 'codes' : undefined);
  const toRecord = (cells: readonly string[]) => new Map(names.map((name, column) => [name, cells[column] ?? '']));
  const values = await learnToolValues(table, header, mapped, options.table);
  let rowsSeen = 0;
  await lookAhead(table.rows(), ({ cells }) => {
    rowsSeen += 1;
    if (rowsSeen > headerRows) reader.sample(toRecord(mapped.hide(cells)));
  });
  reader.checkWords();
  for (const name of names) if (!reader.isKnown(name)) reader.reportColumn(name);
  yield* rows.withLeftOut(readRows(), warn);

  async function* readRows(): AsyncGenerator<FileResponse> {
    for await (const { index, whole, cells, finish } of readToolRows(table, header, { values, mapped, warn })) {
      const { number } = whole;
      const response = reader.read(toRecord(cells), index);
      const extra = extraCellsProblem(cells, names.length);
      if (extra === undefined) yield finish({ ...response, row: number });
      else yield { index, id: response.id, row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
    }
  }
};

function cellConversionOf(isVv: boolean, unmask: boolean | undefined): (cell: string) => string {
  if (isVv) return fromVvCell;
  return unmask === true ? unmaskStart : (cell) => cell;
}

/**
 * Reads a LimeSurvey JSON export: `{"responses": [{"id": 1, "Q1": "…"}]}`. In older files, each item is an object with
 * one member: the response under its id.
 */
export const readLimesurveyJsonResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const reader = createRecordReader(payload, options);
  await lookAhead(readJsonItems(file, ['responses']), ({ value }) => reader.sample(recordOf(value) ?? new Map()));
  reader.checkWords();
  let count = 0;
  for await (const { index, value } of readJsonItems(file, ['responses'])) {
    count += 1;
    const record = recordOf(value);
    if (record === undefined) {
      yield { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
      continue;
    }
    for (const name of record.keys()) if (!reader.isKnown(name)) reader.reportColumn(name);
    yield reader.read(record, index);
  }
  if (count > 0) return;
  const whole = await readJson(file);
  if (!isObject(whole) || !isArray(whole['responses'])) {
    throw rejection('WRONG_TYPE', 'The file must be an object with an array of responses');
  }
};

/** Reads the responses in an archive (LSA). */
export const readLimesurveyArchiveResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { responses } = await openLsa(file, options.warn);
  if (responses === undefined) throw rejection('NO_RESPONSES', 'The archive has no responses (.lsr)');
  yield* readLsrResponses(responses, payload, options);
};

function recordOf(value: JsonValue): ResponseRecord | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.values(value);
  const [only] = members;
  const cells = members.length === 1 && only !== undefined && isObject(only) ? only : value;
  return new Map(Object.entries(cells).map(([name, cell]) => [name, toCell(cell)]));
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function rejection(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
