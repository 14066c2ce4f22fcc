import type { JsonObject } from '@bufbuild/protobuf';
import type { CompiledDefinition } from '@survey/questionnaire/compile';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import { parseCsv, type Row } from '../../csv/parse-csv.ts';
import { type FileResponse, type RefusedResponse, refuseUnusable } from '../../responses/file-response.ts';
import { checkResponseCount, invalidImport, type ResponseReader } from '../source.ts';

const PATH = '/responses';
/** Columns about the response itself; a question of the same name has the column. */
const OWN_COLUMNS = ['id', 'submitted_at', 'status'];
/** What an imported response can be; which of them it is follows from the survey's logic. */
const STATUSES = ['', 'completed', 'disqualified'];
/** Rows times columns of the survey: each of them is looked at, and nothing else runs meanwhile. */
const MAX_CELLS = 2_000_000;

/** A header with `id`, `submitted_at`, `status` and the columns of the survey's questions; then a row for each response. */
export const responsesFromCsv: ResponseReader = (data, definition) => {
  const [header, ...rows] = parseCsv(data, PATH);
  if (header === undefined) throw badHeader('there is no header row');
  const names = header.cells.map((cell) => cell.trim());
  const columns = new Set(definition.columns.map(({ name }) => name));
  checkHeader(header, names, columns);
  checkResponseCount(rows.length, PATH);
  checkCellCount(rows.length * columns.size);
  const ownNames = OWN_COLUMNS.filter((name) => !columns.has(name) && names.includes(name));
  const unknown = names.filter((name) => name !== '' && !columns.has(name) && !ownNames.includes(name));
  const readRow = createRowReader(names, ownNames, definition);
  return {
    responses: refuseUnusable(rows.map(readRow)),
    warnings: unknown.map((name) => ({
      path: PATH,
      code: 'NOT_IMPORTED',
      detail: `The column ${name} is not imported: the survey has no such column`,
    })),
  };
};

function checkHeader({ number }: Row, names: readonly string[], columns: ReadonlySet<string>): void {
  const counted = Map.groupBy(names, (name) => name);
  const twice = names.find((name) => name !== '' && (counted.get(name)?.length ?? 0) > 1);
  if (twice !== undefined) throw badHeader(`row ${number}, column ${twice}: the column is there twice`);
  if (!names.some((name) => columns.has(name))) {
    throw badHeader(`row ${number}: no column names a question of the survey`);
  }
}

function checkCellCount(cells: number): void {
  if (cells <= MAX_CELLS) return;
  const detail = `The rows times the columns of the survey are more than ${MAX_CELLS}, the limit of one import`;
  throw invalidImport([{ path: PATH, code: 'TOO_MANY_CELLS', detail: `${detail}; split the file` }]);
}

function createRowReader(
  names: readonly string[],
  ownNames: readonly string[],
  { answersFromColumns }: CompiledDefinition,
): (row: Row, index: number) => FileResponse {
  return ({ number, cells }, index) => {
    const own = (name: string) => (ownNames.includes(name) ? (cells[names.indexOf(name)] ?? '').trim() : '');
    const id = own('id');
    const refuse = (code: string, detail: string): RefusedResponse => ({
      index,
      id,
      code,
      detail: `row ${number}${detail}`,
    });
    if (cells.length > names.length) {
      return refuse('TOO_MANY_CELLS', `: it has ${cells.length} cells, but there are ${names.length} columns`);
    }
    if (!STATUSES.includes(own('status'))) {
      return refuse('BAD_STATUS', ', column status: only completed responses can be imported');
    }
    const submitted = own('submitted_at');
    const submittedAt = submitted === '' ? undefined : parseTimestamp(submitted);
    if (submitted !== '' && submittedAt === undefined) {
      return refuse('BAD_TIME', ', column submitted_at: it has to be an RFC 3339 time');
    }
    const { data, errors } = answersFromColumns(Object.fromEntries(names.map((name, column) => [name, cells[column]])));
    const [problem] = errors;
    if (problem !== undefined) return refuse(problem.code, `, question ${problem.question_id}: ${problem.detail}`);
    // Strings, and lists and objects of them.
    return { index, id, submittedAt, answers: data as JsonObject };
  };
}

function badHeader(detail: string) {
  return invalidImport([{ path: PATH, code: 'BAD_HEADER', detail }]);
}
