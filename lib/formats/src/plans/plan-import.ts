import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { type CellContent, createCellReader } from '../answer-table/column-profile.ts';
import { COLUMN_TYPES } from '../answer-table/guess-question.ts';
import { readSurveyTable, surveyTableProblems } from '../answer-table/survey.ts';
import { ANSWER_TABLE } from '../answer-table/table-words.ts';
import { givenColumns, rivalsOf } from '../custom/mapped-columns.ts';
import { collectProblems, matchTable, type TableSource, tableProblems } from '../custom/match-table.ts';
import { CUSTOM_TABLE } from '../custom/responses-csv.ts';
import { learnToolValues } from '../custom/tool-rows.ts';
import { fileOf, type ImportFile } from '../files/import-file.ts';
import { encodingOfMark } from '../files/read-text.ts';
import { readZip } from '../files/read-zip.ts';
import { createHeaderIndex, type HeaderIndex, SETTABLE } from '../headers/header-index.ts';
import { toLooseKey } from '../headers/heading-key.ts';
import { questionOf } from '../headers/heading-target.ts';
import { CONFIDENCE, givenPositions, type MatchedColumn, rejectProblems } from '../headers/match-headers.ts';
import { warnOfGuesses } from '../headers/tool-layout.ts';
import { withResponseColumns } from '../microsoft-forms/survey.ts';
import type { AnsweredSurvey } from '../shared/reader.ts';
import { MAX_TABLE_HEADER, type ReadTableHeader } from '../shared/table-header.ts';
import { takesColumns } from '../sources.ts';
import { firstRows } from '../tables/first-rows.ts';
import { readNames } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { openTable, openTables, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { openWorkbook } from '../tables/workbook.ts';
import { type Guess, type GuessedFile, guessFile } from './guess-file.ts';
import { CODE_HEADED_TOOLS, TITLE_HEADED_TOOLS } from './tool-headers.ts';

/** The way in which an import would read a file. A plan contains no values of cells. */
export interface FilePlan {
  readonly source: string;
  readonly format: string;
  /** The way in which a table is read, such as `separator ",", encoding utf-8`; empty for other files. */
  readonly dialect: string;
  /** Rows that were looked at, without the header. */
  readonly rows: number;
  readonly columns: readonly FilePlanColumn[];
  /** Targets that the option `columns` can name. */
  readonly targets: readonly FilePlanTarget[];
  /** Reasons why the import would be rejected. */
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  /** Options that would help, with their possible values. */
  readonly suggestions: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** A target with the title of its question; the title is empty for other targets. */
export interface FilePlanTarget {
  readonly name: string;
  readonly title: string;
}

export interface FilePlanColumn {
  /** From 1. */
  readonly column: number;
  readonly heading: string;
  /** Name of the target, or type of the new question; empty if the column is not imported. */
  readonly target: string;
  /** Id of the question; empty if there is none. */
  readonly questionId: string;
  /** A `FoundBy`, or `values` if the question was guessed from the values; empty if the heading is unknown. */
  readonly foundBy: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Number of cells with each kind of content. */
  readonly contents: ReadonlyMap<CellContent | 'empty', number>;
  readonly problems: readonly string[];
  /** A better target; empty if there is none. */
  readonly suggestion: string;
}

export interface PlanRequest {
  readonly given: Partial<Guess>;
  /** Name of the file; can be empty. */
  readonly filename: string;
  /** The survey of responses; undefined to plan a new survey. */
  readonly survey: AnsweredSurvey | undefined;
  readonly unmask: boolean | undefined;
  readonly table: TableOptions;
  /** Whether the file is only the beginning of a larger file. An incomplete last line is ignored. */
  readonly isPartial: boolean;
}

const HEAD_CHARACTERS = 65_536;
const HEAD_ROWS = 3;
const MAX_ROWS = 10_000;
const MAX_TARGETS = 5_000;
/** Confidence of a target that was chosen only by position. */
const GUESSED_CONFIDENCE = 0.5;
const NO_WORDS: ReadonlyMap<string, string> = new Map();
const DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY'];
const SHORT_DATE_FORMATS = ['DD/MM/YY', 'MM/DD/YY'];

/** The targets of a table's columns. */
interface TablePlan {
  readonly header: Row | undefined;
  readonly headerRows: number;
  readonly columns: readonly Omit<FilePlanColumn, 'contents'>[];
  readonly targets: readonly FilePlanTarget[];
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/**
 * Plans the import of a file: guesses source and format, and finds the target of each column like the import. A file
 * that cannot be read has problems.
 */
export async function planImport(file: ImportFile, request: PlanRequest): Promise<FilePlan> {
  const warnings: FieldProblem[] = [];
  const problems: FieldProblem[] = [];
  const { given, survey, isPartial } = request;
  const target = survey === undefined ? 'survey' : 'responses';
  let guess: Guess = { source: given.source ?? 'custom', format: given.format ?? 'csv' };
  const empty = { dialect: '', rows: 0, columns: [], targets: [], suggestions: [] };
  try {
    const guessedFile = await lookAt(file, request);
    guess = guessFile(guessedFile, target, given);
    if (guessedFile.container !== undefined && isPartial) {
      const detail = 'A plan needs a whole workbook or archive, below 1,000,000 bytes; use dry_run for larger ones';
      problems.push({ path: '', code: 'FILE_NOT_WHOLE', detail });
      return { ...guess, ...empty, problems, warnings };
    }
    if (!takesColumns(guess, target)) return { ...guess, ...empty, problems, warnings };
    const whole = isPartial ? await withoutCutEnd(file) : file;
    // Files of XLSForm can have further tables with the rows of repeats.
    const open = guess.source === 'xlsform' ? openTables : openTable;
    const table = untilError(
      await open(whole, request.table, (warning) => warnings.push(warning)),
      isPartial,
      problems,
    );
    const plan =
      survey === undefined
        ? await planSurvey(table, guess, request.table)
        : await planResponses(table, guess, survey, request);
    problems.push(...plan.problems);
    warnings.push(...plan.warnings);
    const { contents, rows } = await countContents(table, plan, request.table);
    const columns = plan.columns.map((column) => ({ ...column, contents: contents[column.column - 1] ?? new Map() }));
    // Suggestions are for this table only, so make them before the problems of other tables are added.
    const suggestions = suggestionsOf(problems, warnings, columns);
    const others = open === openTables ? table.others : [];
    for (const other of others) problems.push(...(await collectProblems(() => firstRows(other, 1))));
    return {
      ...guess,
      dialect: table.description,
      rows,
      columns,
      targets: plan.targets.slice(0, MAX_TARGETS),
      problems,
      warnings,
      suggestions,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_IMPORT') throw error;
    problems.push(...error.errors);
    return { ...guess, ...empty, problems, warnings };
  }
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

async function planSurvey(table: Table, { source }: Guess, options: TableOptions): Promise<TablePlan> {
  const warnings: FieldProblem[] = [];
  const isTool = source === 'microsoft_forms';
  const all = isTool ? await withResponseColumns(table, options, (warning) => warnings.push(warning)) : options;
  const read = await readSurveyTable(table, all);
  const { header, columns } = read;
  const given = givenPositions(header === undefined ? [] : readNames(header), options.columns);
  const foundByOf = ({ foundBy, position }: (typeof columns)[number]) =>
    foundBy === 'option' && !given.has(position) && isTool ? 'word' : foundBy;
  return {
    header,
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
    targets: [...COLUMN_TYPES, ...SETTABLE].map((name) => ({ name, title: '' })),
    problems: await surveyTableProblems(table, read, all),
    warnings,
  };
}

async function planResponses(
  table: Table,
  { source }: Guess,
  survey: AnsweredSurvey,
  request: PlanRequest,
): Promise<TablePlan> {
  const { payload, definition } = survey;
  const { unmask, table: options } = request;
  const index = createHeaderIndex(payload, definition);
  const targets = [
    ...SETTABLE.map((name) => ({ name, title: '' })),
    ...index.targetNames.map((name) => ({ name, title: index.titleOf(name) })),
  ];
  const readHeader = CODE_HEADED_TOOLS[source];
  if (readHeader !== undefined) return { ...(await planToolTable(table, readHeader, survey, request, index)), targets };
  const tableSource = tableSourceOf(source);
  const indexed = { payload, index };
  const matched = await matchTable(table, tableSource, indexed, { columns: options.columns, unmask });
  const { layout, header: found, first } = matched;
  const problems = await tableProblems(matched, tableSource, indexed, options);
  const warnings: FieldProblem[] = [];
  if (layout !== undefined) {
    warnOfGuesses(layout.guessed, found.names, options.columns, (warning) => warnings.push(warning));
  }
  const usedTargets = new Set(found.columns.map(({ target }) => target?.name));
  const given = givenPositions(found.names, options.columns);
  const foundByOf = ({ position, target, foundBy }: MatchedColumn) => {
    if (layout === undefined || foundBy !== 'option' || given.has(position)) return foundBy;
    if (target === undefined) return undefined;
    return questionOf(target) === undefined ? 'word' : 'title';
  };
  return {
    header: first,
    headerRows: layout?.headerRows ?? 1,
    columns: found.columns.slice(0, layout?.width).map((column) => {
      const { position, heading, target, problem } = column;
      const foundBy = foundByOf(column);
      const word =
        target === undefined && foundBy === undefined ? ANSWER_TABLE.words.get(toLooseKey(heading)) : undefined;
      const suggestion = word !== undefined && !usedTargets.has(word) ? word : '';
      if (suggestion !== '') usedTargets.add(suggestion);
      const isGuess = foundBy === 'word' && layout?.guessed.has(position) === true;
      return {
        column: position + 1,
        heading,
        target: target?.name ?? '',
        questionId: target === undefined ? '' : (questionOf(target) ?? ''),
        foundBy: foundBy ?? '',
        confidence:
          foundBy === undefined || problem !== undefined ? 0 : isGuess ? GUESSED_CONFIDENCE : CONFIDENCE[foundBy],
        problems: problem === undefined ? [] : [problem],
        suggestion,
      };
    }),
    targets,
    problems,
    warnings,
  };
}

/** Plans a table of a tool with codes as headings. Targets in the option `columns` win over targets that are found. */
async function planToolTable(
  opened: Table,
  readHeader: ReadTableHeader,
  { payload }: AnsweredSurvey,
  { unmask, table: options }: PlanRequest,
  index: HeaderIndex,
): Promise<Omit<TablePlan, 'targets'>> {
  const table = unmask === true ? mapCells(opened, unmaskFormula) : opened;
  const start = await firstRows(table, MAX_TABLE_HEADER);
  const mapped = givenColumns(readNames(start[0]), options.columns, payload, index);
  const header = readHeader(start, payload, mapped.positions);
  const { headings, headerRows } = header;
  const mappedAt = new Map(mapped.header.columns.map((column) => [column.position, column]));
  const columns = headings.map((heading, position) => {
    const given = mappedAt.get(position);
    const target = given === undefined ? (header.targets.get(position) ?? '') : (given.target?.name ?? '');
    return {
      column: position + 1,
      heading,
      target,
      questionId: questionIdOf(target, index),
      foundBy: given === undefined ? (target === '' ? '' : 'name') : 'option',
      confidence: target === '' && given === undefined ? 0 : 1,
      problems: given?.problem === undefined ? [] : [given.problem],
      suggestion: '',
    };
  });
  const checks = [
    () => rejectProblems(mapped.header.columns, start[0]?.number ?? 1),
    () => header.check({ description: table.description, needsQuestion: !mapped.hasAnswers }),
    () => learnToolValues(table, header, mapped, options),
  ];
  const problems: FieldProblem[] = [];
  for (const check of checks) problems.push(...(await collectProblems(check)));
  return { header: start[0], headerRows, columns, problems, warnings: rivalsOf(mapped.header.columns, header) };
}

function questionIdOf(target: string, index: HeaderIndex): string {
  const found = index.findTarget(target);
  if (found !== undefined) return questionOf(found) ?? '';
  // The target can be a column that our exports do not have. Then use the id of the question before the bracket.
  const [id = ''] = target.split('[', 1);
  return index.findQuestions(id)[0] ?? '';
}

function tableSourceOf(source: string): TableSource {
  const tool = TITLE_HEADED_TOOLS[source];
  if (tool !== undefined) return { words: NO_WORDS, readsOther: true, tool };
  return source === 'custom' ? CUSTOM_TABLE : ANSWER_TABLE;
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
    ...(given.length > 0 ? [{ name: 'columns', values: [JSON.stringify(targets)] }] : []),
  ];
}
