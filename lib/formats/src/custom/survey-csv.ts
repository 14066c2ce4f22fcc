import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskFormula } from '@survey/questionnaire/columns/csv';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { SurveyFileReader, Warn } from '../core/reader.ts';
import { UNTITLED } from '../core/texts.ts';
import { invalidFile, invalidImport } from '../files/report.ts';
import { extraCellsProblem, readNames } from '../tables/header.ts';
import { openTable, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { readQuestion } from './csv-row.ts';
import { readConditions } from './logic.ts';

/** Maximum rows, including empty ones, of which a spreadsheet can have hundreds between its questions. */
const MAX_ROWS = 5_000;

const columnOfMember: Readonly<Record<string, string>> = {
  id: 'question_id',
  type: 'question_type',
  title: 'question_title',
  required: 'question_required',
  options: 'question_options',
  min: 'question_options',
  max: 'question_options',
};

/**
 * Reads a CSV survey with a row for each question: `question_id, question_type, question_title, question_required,
 * question_options, logic_conditions`.
 */
export const readCustomCsvSurvey: SurveyFileReader = async (file, { title, language, table, warn }) => {
  const opened = await openTable(file, table, warn);
  const { header, body, unknown } = readHeader(await readRows(opened), opened.description, warn);
  const errors: FieldProblem[] = [];
  const questions: { readonly row: Row; readonly question: JsonObject }[] = [];
  const logicEntries: { readonly row: Row; readonly entry: JsonObject }[] = [];
  for (const row of body) {
    const report = (column: string, code: string, detail: string) =>
      errors.push({ path: '', code, detail: atCell(row, column, detail) });
    const warnOfCell = (column: string, code: string, detail: string) =>
      warn({ path: '', code, detail: atCell(row, column, detail) });
    const extra = extraCellsProblem(row.cells, header.length);
    if (extra !== undefined) errors.push({ path: '', code: 'TOO_MANY_CELLS', detail: `row ${row.number}: ${extra}` });
    const cells = new Map(header.map((name, index) => [name, unmaskFormula(row.cells[index] ?? '')]));
    const question = readQuestion({ cells, unknown, report, warnOfCell });
    questions.push({ row, question });
    const entry = readConditions(cells, report);
    if (entry !== undefined) logicEntries.push({ row, entry });
  }
  if (errors.length > 0) throw invalidImport(errors);
  return {
    payload: {
      schema_version: '1.0',
      version: 1,
      survey: {
        title: title === '' ? UNTITLED : title,
        supported_languages: [language],
        pages: [{ questions: questions.map(({ question }) => question) }],
        ...(logicEntries.length === 0 ? {} : { logic: logicEntries.map(({ entry }) => entry) }),
      },
    },
    responses: undefined,
    toFileProblem(problem) {
      const [, question, member = ''] = /^\/survey\/pages\/0\/questions\/(\d+)(?:\/(\w+))?/.exec(problem.path) ?? [];
      const [, entry] = /^\/survey\/logic\/(\d+)/.exec(problem.path) ?? [];
      const row = questions[Number(question)]?.row ?? logicEntries[Number(entry)]?.row;
      const column = entry === undefined ? columnOfMember[member] : 'logic_conditions';
      const detail = row === undefined ? problem.detail : atCell(row, column, problem.detail);
      return { path: '', code: problem.code, detail };
    },
  };
};

async function readRows(table: Table): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of table.rows()) {
    if (row.number > MAX_ROWS) {
      throw invalidFile('TOO_MANY_ROWS', `There are more than ${MAX_ROWS} rows, the limit of a survey`);
    }
    rows.push(row);
  }
  return rows;
}

function atCell(row: Row, column: string | undefined, detail: string): string {
  return column === undefined ? `row ${row.number}: ${detail}` : `row ${row.number}, column ${column}: ${detail}`;
}

const COLUMNS = [
  'question_id',
  'question_type',
  'question_title',
  'question_required',
  'question_options',
  'logic_conditions',
] as const;
/** A row with at least this many column names is a header. A single one can be a cell of a question. */
const MIN_HEADER_NAMES = 2;
const REQUIRED = ['question_type', 'question_title'] as const;

interface Header {
  readonly header: readonly string[];
  readonly body: readonly Row[];
  readonly unknown: readonly string[];
}

/** Detects a header row, with columns in any order. Without one, the columns have a fixed order. */
function readHeader(rows: readonly Row[], description: string, warn: Warn): Header {
  const [first, ...body] = rows;
  const headings = first === undefined ? [] : readNames(first).map(toHeading);
  const names = headings.map((heading, index) => heading || unusedName(`column ${index + 1}`, headings));
  if (first === undefined || names.filter(isColumn).length < MIN_HEADER_NAMES) {
    if (first?.cells.length === 1) {
      const detail = `row ${first.number}: the row has one cell, but a question has a type and a title (${description})`;
      throw invalidFile('BAD_HEADER', detail);
    }
    return { header: COLUMNS, body: rows, unknown: [] };
  }
  const errors = [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => ({
      name,
      problem: `is missing (${description})`,
    })),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => ({ name, problem: 'is duplicate' })),
    // JSON with a member of this name is rejected, so `source_data` cannot have it.
    ...names.filter((name) => name === '__proto__').map((name) => ({ name, problem: 'cannot be kept' })),
  ];
  if (errors.length > 0) {
    throw invalidImport(
      errors.map(({ name, problem }) => ({
        path: '',
        code: 'BAD_HEADER',
        detail: `row ${first.number}, column ${name}: the column ${problem}`,
      })),
    );
  }
  const unknown = names.filter((name) => !isColumn(name));
  for (const name of unknown) {
    const position = names.indexOf(name);
    if (headings[position] === '' && body.every(({ cells }) => (cells[position] ?? '') === '')) continue;
    const detail = `The column ${name} has no equivalent and is kept in source_data of the questions`;
    warn({ path: '', code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return { header: names, body, unknown };
}

function toHeading(name: string): string {
  const lowerCase = name.toLowerCase();
  return isColumn(lowerCase) ? lowerCase : name;
}

function unusedName(name: string, used: readonly string[]): string {
  return used.includes(name) ? unusedName(`${name}_`, used) : name;
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name);
}
