import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { type CellContent, createCellReader } from '../answer-table/column-profile.ts';
import { COLUMN_TYPES } from '../answer-table/guess-question.ts';
import { findSurveyRows, readSurveyTable, surveyTableProblems } from '../answer-table/survey.ts';
import { ANSWER_TABLE } from '../answer-table/table-words.ts';
import { SETTABLE_COLUMNS } from '../core/columns/header-index.ts';
import { toLooseKey } from '../core/columns/headings.ts';
import { givenTargets } from '../core/columns/match-headers.ts';
import { collectProblems } from '../core/columns/plan.ts';
import { planCodes } from '../core/columns/plan-codes.ts';
import { planTitles } from '../core/columns/plan-titles.ts';
import type { ResponseRows } from '../core/columns/rows.ts';
import type { AnsweredSurvey } from '../core/reader.ts';
import { fileOf, type ImportFile } from '../files/import-file.ts';
import { encodingOfMark } from '../files/text.ts';
import { readZip } from '../files/zip.ts';
import { withResponseColumns } from '../microsoft-forms/survey.ts';
import { tableSourceOf, takesColumns } from '../sources.ts';
import { readNames } from '../tables/header.ts';
import { firstRows, openTable, openTables, type Table } from '../tables/open-table.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { openWorkbook } from '../tables/workbook.ts';
import type { FilePlan, FilePlanColumn, PlanRequest } from './file-plan.ts';
import { type Guess, type GuessedFile, guessFile } from './guess-file.ts';

const HEAD_CHARACTERS = 65_536;
const HEAD_ROWS = 3;
const MAX_ROWS = 10_000;
const MAX_TARGETS = 5_000;
const DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY'];
const SHORT_DATE_FORMATS = ['DD/MM/YY', 'MM/DD/YY'];
const NOT_WHOLE = {
  path: '',
  code: 'FILE_NOT_WHOLE',
  detail: 'A plan needs a whole workbook or archive, below 1,000,000 bytes; use dry_run for larger ones',
};

/** The problems and warnings of a plan, which its steps add to. */
interface Findings {
  readonly problems: FieldProblem[];
  readonly warnings: FieldProblem[];
}

/**
 * Plans the import of a file: guesses source and format, and finds the target of each column like the import. A file
 * that cannot be read has problems.
 */
export async function planImport(file: ImportFile, request: PlanRequest): Promise<FilePlan> {
  const { given, survey, isPartial } = request;
  const content = survey === undefined ? 'survey' : 'responses';
  const findings: Findings = { problems: [], warnings: [] };
  const guess: Guess = { source: given.source ?? 'custom', format: given.format ?? 'csv' };
  let plan: FilePlan = { ...guess, dialect: '', rows: 0, columns: [], targets: [], ...findings, suggestions: [] };
  try {
    const guessedFile = await lookAt(file, request);
    const better = guessFile(guessedFile, content, given);
    plan = { ...plan, ...better };
    if (guessedFile.container !== undefined && isPartial) findings.problems.push(NOT_WHOLE);
    else if (takesColumns(better, content)) {
      plan = { ...plan, ...(await planTable(file, better, request, findings)) };
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_IMPORT') throw error;
    findings.problems.push(...error.errors);
  }
  return plan;
}

/** Plans the import of the first table of a file. */
async function planTable(
  file: ImportFile,
  guess: Guess,
  request: PlanRequest,
  { problems, warnings }: Findings,
): Promise<Pick<FilePlan, 'dialect' | 'rows' | 'columns' | 'targets' | 'suggestions'>> {
  const { survey, isPartial } = request;
  const whole = isPartial ? await withoutCutEnd(file) : file;
  // Files of XLSForm can have further tables with the rows of repeats.
  const open = guess.source === 'xlsform' ? openTables : openTable;
  const opened = await open(whole, request.table, (warning) => warnings.push(warning));
  const table = untilError(opened, isPartial, problems);
  const plan =
    survey === undefined
      ? await planSurvey(table, guess, request.table)
      : await planResponses(table, guess, survey, request);
  problems.push(...plan.problems);
  warnings.push(...plan.warnings);
  const { contents, rows } = await countContents(plan.rows.table, plan, request.table);
  warnings.push(...plan.rows.warnings());
  const columns = plan.columns.map((column) => ({ ...column, contents: contents[column.column - 1] ?? new Map() }));
  // Suggestions are for this table only, so make them before the problems of other tables are added.
  const suggestions = suggestionsOf(problems, warnings, columns, table.rivalSeparator);
  const others = open === openTables ? table.others : [];
  for (const other of others) problems.push(...(await collectProblems(() => firstRows(other, 1))));
  return { dialect: table.description, rows, columns, targets: plan.targets.slice(0, MAX_TARGETS), suggestions };
}

/** The targets of a table's columns. */
interface TablePlan {
  /** The table without the rows that are no responses. */
  readonly rows: ResponseRows;
  readonly headerRows: number;
  readonly columns: readonly Omit<FilePlanColumn, 'contents'>[];
  readonly targets: FilePlan['targets'];
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/** Finds the targets of the columns of a table with responses to a survey. */
async function planResponses(
  opened: Table,
  { source }: Guess,
  survey: AnsweredSurvey,
  request: PlanRequest,
): Promise<TablePlan> {
  const tableSource = tableSourceOf(source);
  const plan = await ('createHeaderReader' in tableSource
    ? planCodes(opened, tableSource, survey, request)
    : planTitles(opened, tableSource, survey, request));
  const { rows, headerRows, index, codedHeader, warnings } = plan;
  // Headings with codes need no suggestions.
  const words =
    codedHeader === undefined ? ANSWER_TABLE.targetsOfWords(plan.columns.map(({ heading }) => heading)) : new Map();
  const usedTargets = new Set(plan.columns.map(({ target }) => target));
  return {
    rows,
    headerRows,
    columns: plan.columns.map(({ position, problem, foundBy = '', ...column }) => {
      const word = column.target === '' && foundBy === '' ? words.get(toLooseKey(column.heading)) : undefined;
      const suggestion = word !== undefined && !usedTargets.has(word) ? word : '';
      if (suggestion !== '') usedTargets.add(suggestion);
      return { ...column, column: position + 1, foundBy, problems: problem === undefined ? [] : [problem], suggestion };
    }),
    targets: [
      ...SETTABLE_COLUMNS.map((name) => ({ name, title: '' })),
      ...index.targetNames.map((name) => ({ name, title: index.titleOfTarget(name) })),
    ],
    problems: await plan.problems(),
    warnings,
  };
}

/** Plans the questions of a new survey from a table of answers. */
async function planSurvey(opened: Table, { source }: Guess, options: TableOptions): Promise<TablePlan> {
  const rows = await findSurveyRows(opened, options.columns);
  const { table } = rows;
  const warnings: FieldProblem[] = [];
  const isTool = source === 'microsoft_forms';
  const all = isTool ? await withResponseColumns(table, options, (warning) => warnings.push(warning)) : options;
  const read = await readSurveyTable(table, all);
  const { header, columns } = read;
  const given = givenTargets(header === undefined ? [] : readNames(header), options.columns);
  const foundByOf = ({ foundBy, position }: (typeof columns)[number]) =>
    foundBy === 'option' && !given.has(position) && isTool ? 'word' : foundBy;
  return {
    rows,
    headerRows: 1,
    columns: columns.map((column) => {
      const { question, position, heading, target, foundBy, confidence, problem } = column;
      return {
        column: position + 1,
        heading,
        target: question === undefined ? (target?.name ?? '') : String(question['type']),
        questionId: question === undefined ? '' : String(question['id']),
        foundBy: question === undefined ? (foundByOf(column) ?? '') : (foundBy ?? 'values'),
        confidence,
        problems: problem === undefined ? [] : [problem],
        suggestion: '',
      };
    }),
    targets: [...COLUMN_TYPES, ...SETTABLE_COLUMNS].map((name) => ({ name, title: '' })),
    problems: await surveyTableProblems(table, read, all),
    warnings,
  };
}

/** Reads the beginning of a file for a guess. Throws `INVALID_IMPORT` for an unreadable archive. */
async function lookAt(file: ImportFile, { filename: name, table, isPartial }: PlanRequest): Promise<GuessedFile> {
  const start: Uint8Array[] = [];
  let size = 0;
  for await (const piece of file.open()) {
    start.push(piece);
    size += piece.length;
    if (size >= HEAD_CHARACTERS) break;
  }
  const bytes = Buffer.concat(start).subarray(0, HEAD_CHARACTERS);
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) {
    const head = new TextDecoder(encodingOfMark(bytes)).decode(bytes);
    return { name, head, container: undefined, sheets: [] };
  }
  if (isPartial) return { name, head: '', container: /\.(zip|lsa)$/i.test(name) ? 'zip' : 'xlsx', sheets: [] };
  const archive = await readZip(file);
  const isWorkbook = archive.names.some((one) => one.endsWith('xl/workbook.xml') || one === '[Content_Types].xml');
  const sheets = isWorkbook ? (await openWorkbook(archive)).sheets.map((sheet) => sheet.name) : [];
  if (/\.lsa$/i.test(name)) return { name, head: '', container: 'zip', sheets };
  const opened = await openTables(file, table, () => {});
  const rows = (await firstRows(opened, HEAD_ROWS)).map(({ cells }) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
  );
  return { name, head: rows.join('\n').slice(0, HEAD_CHARACTERS), container: isWorkbook ? 'xlsx' : 'zip', sheets };
}

/** The beginning of a file without its last line, which can be incomplete. */
async function withoutCutEnd(file: ImportFile): Promise<ImportFile> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(Uint8Array.from(piece));
  const bytes = Buffer.concat(pieces);
  const end = Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1;
  // In UTF-16, a line end has two bytes.
  const [first, second] = bytes;
  const isLittleEndian = (first === 0xff && second === 0xfe) || bytes[end] === 0;
  return end === 0 ? file : fileOf(bytes.subarray(0, isLittleEndian ? end + 1 : end));
}

/** Limits the rows of a table. An error ends the rows, and is reported once unless the file is partial. */
function untilError(table: Table, isPartial: boolean, problems: FieldProblem[]): Table {
  let isReported = false;
  return {
    ...table,
    async *rows() {
      let count = 0;
      try {
        for await (const row of table.rows()) {
          yield row;
          count += 1;
          if (count > MAX_ROWS) return;
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // A partial file can end within a cell.
        if (!isPartial && !isReported) problems.push(...error.errors);
        isReported = true;
      }
    },
  };
}

async function countContents(table: Table, { columns, headerRows }: TablePlan, options: TableOptions) {
  const contentOf = createCellReader(options);
  const contents = columns.map(() => new Map<CellContent | 'empty', number>());
  let rows = -headerRows;
  for await (const { cells } of table.rows()) {
    rows += 1;
    if (rows <= 0) continue;
    for (const [position, counts] of contents.entries()) {
      const cell = (cells[position] ?? '').trim();
      const content = cell === '' ? 'empty' : contentOf(cell);
      counts.set(content, (counts.get(content) ?? 0) + 1);
    }
  }
  return { contents, rows: Math.max(0, rows) };
}

function suggestionsOf(
  problems: readonly FieldProblem[],
  warnings: readonly FieldProblem[],
  columns: readonly FilePlanColumn[],
  separator: string | undefined,
) {
  const has = (code: string, part: string) =>
    problems.some((problem) => problem.code === code && problem.detail.includes(part));
  const given: readonly ColumnTarget[] = columns.flatMap(({ heading, suggestion }) =>
    suggestion === '' ? [] : [{ heading, target: suggestion }],
  );
  const targets: JsonObject = Object.fromEntries(given.map(({ heading, target }) => [heading, target]));
  return [
    ...(has('AMBIGUOUS_DATE', 'two digits')
      ? [{ name: 'date_format', values: SHORT_DATE_FORMATS }]
      : has('AMBIGUOUS_DATE', '')
        ? [{ name: 'date_format', values: DATE_FORMATS }]
        : []),
    ...(has('AMBIGUOUS_NUMBER', '') ? [{ name: 'decimal', values: ['.', ','] }] : []),
    ...warnings.flatMap(({ code, detail }) => {
      const [, encoding] = /read as ([\w-]+)/.exec(detail) ?? [];
      return code === 'ENCODING_ASSUMED' && encoding !== undefined ? [{ name: 'encoding', values: [encoding] }] : [];
    }),
    ...(separator === undefined ? [] : [{ name: 'separator', values: [separator] }]),
    ...(given.length > 0 ? [{ name: 'columns', values: [JSON.stringify(targets)] }] : []),
  ];
}
