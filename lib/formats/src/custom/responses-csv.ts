import type { JsonObject } from '@bufbuild/protobuf';
import type { ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import { type Row, readCsvRows } from '../files/csv-rows.ts';
import { type FileResponse, type RejectedResponse, statusProblem } from '../shared/file-response.ts';
import type { ResponseFileReader } from '../shared/reader.ts';
import { type ResponseHeader, readResponseHeader } from './responses-csv-header.ts';

/** Reads a CSV with a header and a row for each response. Columns are about the response, or of questions. */
export const readCustomCsvResponses: ResponseFileReader = async function* (file, { definition }, options) {
  const columns = new Set(definition.columns.map(({ name }) => name));
  let readRow: ReturnType<typeof createRowReader> | undefined;
  let index = 0;
  for await (const row of readCsvRows(file)) {
    if (readRow === undefined) {
      readRow = createRowReader(readResponseHeader(row, { columns, ...options }), definition);
    } else {
      yield readRow(row, index);
      index += 1;
    }
  }
  if (readRow === undefined) readResponseHeader(undefined, { columns, ...options });
};

function createRowReader(
  { names, own, answered, isMasked }: ResponseHeader,
  { answersFromColumns }: CompiledDefinition,
): (row: Row, index: number) => FileResponse {
  const toText = isMasked ? unmaskFormula : (cell: string) => cell;
  return ({ number, cells: given }, index) => {
    const cells = given.map(toText);
    const cellOf = (column: ResponseColumn) => cells[own.get(column) ?? -1] ?? '';
    const id = cellOf('id').trim();
    const reject = (code: string, detail: string, column?: string): RejectedResponse => ({
      index,
      id,
      row: number,
      code,
      detail: `row ${number}${detail}`,
      ...(column !== undefined && { column }),
    });
    const badTime = (column: string) =>
      reject('BAD_TIME', `, column ${column}: the value must be an RFC 3339 time`, column);
    if (cells.length > names.length) {
      return reject('TOO_MANY_CELLS', `: the row has ${cells.length} cells, but there are ${names.length} columns`);
    }
    const problem = statusProblem(cellOf('status').trim());
    if (problem !== undefined) return reject('BAD_STATUS', `, column status: ${problem}`, 'status');
    const [submitted, started] = (['submitted_at', 'started_at'] as const).map((column) => readTime(cellOf(column)));
    if (submitted === null) return badTime('submitted_at');
    if (started === null) return badTime('started_at');
    const { data, errors } = answersFromColumns(
      Object.fromEntries(answered.map(([name, position]) => [name, cells[position]])),
    );
    const [wrong] = errors;
    if (wrong !== undefined)
      return reject(wrong.code, `, question ${wrong.question_id}: ${wrong.detail}`, wrong.question_id);
    return {
      index,
      id,
      row: number,
      // Not trimmed: clients look responses up by the exact id.
      externalId: cellOf('external_id') || undefined,
      // Without a start time, the response began when it was submitted.
      startedAt: own.has('started_at') ? started : submitted,
      completedAt: submitted,
      language: cellOf('language').trim() || undefined,
      metadata: undefined,
      // The values are strings, or lists and objects of strings.
      answers: data as JsonObject,
    };
  };
}

/** Undefined if empty, null if not a time. */
function readTime(cell: string): Date | undefined | null {
  const text = cell.trim();
  return text === '' ? undefined : (parseTimestamp(text) ?? null);
}
