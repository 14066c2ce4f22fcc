import type { JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { invalidImport } from '../files/invalid-import.ts';
import { readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import { lookAhead } from '../shared/look-ahead.ts';
import type { FindCellText, ResponseFileReader } from '../shared/reader.ts';
import { firstRows } from '../tables/first-rows.ts';
import { badHeader, extraCellsProblem, readNames, rejectDuplicates, watchNameless } from '../tables/header.ts';
import { openTable } from '../tables/open-table.ts';
import { learnValues } from '../tables/read-values.ts';
import { openLsa } from './archive.ts';
import { readLsrResponses } from './lsr.ts';
import { createRecordReader, type RecordReader, type ResponseRecord } from './response-record.ts';
import { findVvHeader, fromVvCell } from './vv.ts';

/**
 * Reads a LimeSurvey table with question codes as headings, and codes or texts in the cells. In a VV file, which has two
 * header rows, the second one has the codes.
 */
export const readLimesurveyCsvResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { unmask, warn } = options;
  const table = await openTable(file, options.table, warn);
  const start = await firstRows(table, 2);
  const vv = findVvHeader(start, payload);
  const reader = createRecordReader(payload, warn, vv === undefined ? undefined : 'codes');
  const toText = cellConversionOf(vv !== undefined, unmask);
  const toRecord = (names: readonly string[], cells: readonly string[]) =>
    new Map(names.map((name, column) => [name, toText(cells[column] ?? '')]));
  const header = vv ?? readNames(start[0]).map(reader.toName);
  const headerRows = vv === undefined ? 1 : 2;
  checkHeader(header, start[headerRows - 1]?.number ?? 1, reader, {
    description: table.description,
    needsQuestion: options.table.hidesAnswers !== true,
  });
  const values = await learnValues(table, {
    kinds: new Map(header.flatMap((name, position) => (reader.isTime(name) ? [[position, 'timestamp'] as const] : []))),
    names: header,
    headerRows,
    options: options.table,
  });
  let looked = 0;
  await lookAhead(table.rows(), ({ cells }) => {
    looked += 1;
    if (looked > headerRows) reader.look(toRecord(header, cells));
  });
  reader.checkWords();
  for (const name of header) if (!reader.isKnown(name)) reader.reportColumn(name);
  const watch = watchNameless(header, warn);
  let index = -headerRows;
  for await (const row of table.rows()) {
    const { cells, number } = row;
    if (index >= 0) {
      watch(cells);
      const response = reader.read(toRecord(header, values.convert(row)), index);
      const extra = extraCellsProblem(cells, header.length);
      if (extra === undefined) yield { ...response, row: number };
      else yield { index, id: response.id, row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
    }
    index += 1;
  }
};

/** Converts the cells of a table to their texts, for columns that the option `columns` names. */
export const limesurveyCells: FindCellText = (start, payload, unmask) =>
  cellConversionOf(findVvHeader(start, payload) !== undefined, unmask);

function cellConversionOf(isVv: boolean, unmask: boolean | undefined): (cell: string) => string {
  if (isVv) return fromVvCell;
  return unmask === true ? unmaskFormula : (cell) => cell;
}

/**
 * Reads a LimeSurvey JSON export: `{"responses": [{"id": 1, "Q1": "…"}]}`. Older files have each response in an object
 * by its id.
 */
export const readLimesurveyJsonResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const reader = createRecordReader(payload, warn);
  await lookAhead(readJsonItems(file, ['responses']), ({ value }) => reader.look(recordOf(value) ?? new Map()));
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
export const readLimesurveyArchiveResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const { responses } = await openLsa(file, warn);
  if (responses === undefined) throw rejection('NO_RESPONSES', 'The archive has no responses (.lsr)');
  yield* readLsrResponses(responses, payload, warn);
};

function checkHeader(
  header: readonly string[],
  number: number,
  { isQuestion, isKnown }: RecordReader,
  { description, needsQuestion }: { readonly description: string; readonly needsQuestion: boolean },
): void {
  if (needsQuestion && !header.some(isQuestion)) {
    const detail = `no column names a question of the survey (${description}); export with question codes as headings`;
    throw badHeader(`row ${number}: ${detail}`);
  }
  rejectDuplicates(header, isKnown, number);
}

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
