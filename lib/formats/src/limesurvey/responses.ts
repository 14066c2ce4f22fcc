import type { JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { readCsvRows } from '../files/csv-rows.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import { readTextPieces } from '../files/read-text.ts';
import { lookAhead } from '../shared/look-ahead.ts';
import type { ResponseFileReader } from '../shared/reader.ts';
import { createRecordReader, type RecordReader, type ResponseRecord } from './response-record.ts';

const DELIMITERS = [',', ';', '\t'] as const;

/** Reads a LimeSurvey CSV export with question codes as headings, and codes or texts in the cells. */
export const readLimesurveyCsvResponses: ResponseFileReader = async function* (file, { payload }, { unmask, warn }) {
  const reader = createRecordReader(payload, warn);
  const options = { delimiter: await findDelimiter(file) };
  const toText = unmask === true ? unmaskFormula : (cell: string) => cell;
  const toRecord = (names: readonly string[], cells: readonly string[]) =>
    new Map(names.map((name, column) => [name, toText(cells[column] ?? '')]));
  let early: readonly string[] | undefined;
  await lookAhead(readCsvRows(file, options), ({ cells }) => {
    if (early === undefined) early = cells.map((cell) => cell.trim());
    else reader.look(toRecord(early, cells));
  });
  let header: readonly string[] | undefined;
  let index = 0;
  for await (const { cells, number } of readCsvRows(file, options)) {
    if (header === undefined) {
      header = cells.map((cell) => cell.trim());
      checkHeader(header, number, reader);
      reader.checkWords();
      for (const name of header) if (!reader.isKnown(name)) reader.reportColumn(name);
      continue;
    }
    const location = `row ${number}: `;
    const response = reader.read(toRecord(header, cells), index, location);
    if (cells.slice(header.length).some((cell) => cell !== '')) {
      const detail = `${location}the row has ${cells.length} cells, but there are ${header.length} columns`;
      yield { index, id: response.id, row: number, code: 'TOO_MANY_CELLS', detail };
    } else yield { ...response, row: number };
    index += 1;
  }
  if (header === undefined) throw rejection('BAD_HEADER', 'there is no header row');
};

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
    yield reader.read(record, index, '');
  }
  if (count > 0) return;
  const whole = await readJson(file);
  if (!isObject(whole) || !isArray(whole['responses'])) {
    throw rejection('WRONG_TYPE', 'The file must be an object with an array of responses');
  }
};

function checkHeader(header: readonly string[], number: number, { isQuestion, isKnown }: RecordReader): void {
  if (!header.some(isQuestion)) {
    const detail = `row ${number}: no column names a question of the survey; export with question codes as headings`;
    throw rejection('BAD_HEADER', detail);
  }
  const seen = new Set<string>();
  for (const name of header.filter(isKnown)) {
    if (seen.has(name)) throw rejection('BAD_HEADER', `row ${number}, column ${name}: the column is duplicate`);
    seen.add(name);
  }
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

/** The delimiter that is most frequent in the first line. */
async function findDelimiter(file: ImportFile): Promise<string> {
  for await (const piece of readTextPieces(file)) {
    const [line = ''] = piece.split('\n', 1);
    const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
    return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  }
  return ',';
}

function rejection(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
