import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskFormula, unmaskStart } from '@survey/questionnaire/columns/csv';
import { isResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import { type ColumnKind, learnValues } from '../../tables/column-values.ts';
import { headerProblem, readNames } from '../../tables/header.ts';
import { firstRows, mapCells, rowsAfter, type Table } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget, TableOptions } from '../../tables/table-options.ts';
import type { AnsweredSurvey } from '../reader.ts';
import { optionNames, withPlainNumbers } from './choices.ts';
import { createHeaderIndex, type FoundBy, type HeaderIndex, type IdUse, questionOf } from './header-index.ts';
import { toLooseKey } from './headings.ts';
import {
  CONFIDENCE,
  columnProblems,
  givenPositions,
  groupColumns,
  hasAnswers,
  kindsOf,
  type MatchedColumn,
  matchGiven,
  matchResponseHeader,
  type ResponseHeader,
  toLossWarnings,
} from './match-headers.ts';
import { createNumberConverter, NO_NUMBERS } from './numbered.ts';
import { rivalWarnings } from './overrides.ts';
import { findResponseRows, type ResponseRows } from './rows.ts';
import {
  applyLayout,
  countHeaderRows,
  guessWarnings,
  layOutTable,
  type ToolLayout,
  type ToolTable,
} from './tool-layout.ts';

/** The differences between sources of tables that have titles as headings, such as `How was it?`. */
export interface TitledTable {
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  wordsOf(headings: readonly string[]): ReadonlyMap<string, string>;
  /** Whether a cell that matches no option is read as the text of `other`. */
  readonly readsOther: boolean;
  /** Whether cells of choices have texts, and never ids of options. Tools need no flag: their cells never have ids. */
  readonly hasOnlyTexts?: true;
  /** Layout of the tool's tables; undefined if the source is no tool. */
  readonly tool?: ToolTable;
}

/** Tables with titles of a survey tool. */
export function titledTool(tool: ToolTable): TitledTable {
  return { wordsOf: () => new Map(), readsOther: true, tool };
}

/** The header of a table with codes of a tool as headings: `Q1_2` belongs to option 2 of question Q1. */
export interface CodedHeader {
  /** Number of the row with the codes. */
  readonly row: number;
  readonly headerRows: number;
  /** The codes by position; empty for columns that the option `columns` names. */
  readonly names: readonly string[];
  /** Targets of columns by position, as in the option `columns`. */
  readonly targets: ReadonlyMap<number, string>;
  /** Kinds of dates and times in the cells, by position. */
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  /** Columns that occur twice, or can be of several questions. */
  readonly problems: readonly FieldProblem[];
  /** Whether a column is of a question. */
  readonly hasQuestion: boolean;
}

/** The differences between tools whose tables have codes as headings. */
export interface CodedTable<Header extends CodedHeader = CodedHeader> {
  readonly maxHeaderRows: number;
  /** Advice for a table that has no column of a question; undefined if there is none. */
  readonly advice?: string;
  /** Creates the converter of cells from the first rows; undefined if they need none. Files with it are not masked. */
  createCellConverter?(start: readonly Row[], payload: JsonObject): ((cell: string) => string) | undefined;
  /**
   * Creates the reader of headers for a survey. The reader gets the first rows, and the positions of the columns that
   * the option `columns` names. It throws `INVALID_IMPORT` if there is no row.
   */
  createHeaderReader(payload: JsonObject): (start: readonly Row[], given: ReadonlySet<number>) => Header;
}

export type TableSource = TitledTable | CodedTable;

/** The meaning of a column. */
export interface PlannedColumn {
  /** From 0. */
  readonly position: number;
  readonly heading: string;
  /** Name of its target as in the option `columns`; empty if the column is not imported. */
  readonly target: string;
  /** Id of its question; empty if it is of none. */
  readonly questionId: string;
  /** Undefined if the heading is unknown. */
  readonly foundBy: FoundBy | undefined;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Reason why the table cannot be imported with this column; undefined if there is none. */
  readonly problem: string | undefined;
}

/**
 * The meaning of the columns and rows of a table. It follows from the first rows, the survey and the options. Readers of
 * responses, their dry runs and plans of imports use the same plan.
 */
export interface ColumnPlan {
  /** The rows of the file that are responses. */
  readonly rows: ResponseRows;
  /** Number of header rows in the file. */
  readonly headerRows: number;
  readonly columns: readonly PlannedColumn[];
  /** Its `columns` are all of a table with titles. With codes, they are only those that the option `columns` names. */
  readonly header: ResponseHeader;
  readonly index: HeaderIndex;
  readonly readsOther: boolean;
  /** The header of a table with codes; undefined if the headings are titles. */
  readonly codes: CodedHeader | undefined;
  /** Columns kept as metadata because no question matches. Their question can be missing, so they are reported. */
  readonly keptAsUnknown: ResponseHeader['metadata'];
  /** Warnings about targets that were guessed, and about columns of which the option `columns` replaces some values. */
  readonly warnings: readonly FieldProblem[];
  /** Warnings about columns that are not imported, or only kept as metadata. */
  readonly lossWarnings: readonly FieldProblem[];
  /** Throws `INVALID_IMPORT` if the header has no column of the survey, or one that can be read in two ways. */
  check(): void;
  /** All reasons why the table is rejected, also dates and numbers with two readings. */
  problems(): Promise<readonly FieldProblem[]>;
  /** The rows below the header. Cells of a tool with titles are converted to the format of our exports. */
  body(): AsyncIterable<Row>;
  /**
   * Looks at the rows if dates, numbers or options need it. Throws `INVALID_IMPORT` if a column can be read in two ways.
   */
  learn(): Promise<RowConversion>;
}

interface RowConversion {
  convert(row: Row): Row;
  /** Whether cells of choices can have ids of options: never, or beside texts. */
  readonly ids: IdUse;
}

export interface CodedPlan<Header extends CodedHeader> extends ColumnPlan {
  readonly codes: Header;
}

interface PlanOptions {
  readonly table: TableOptions;
  /** Whether cells are masked against formulas; undefined if the file decides it (`isMaskedTable`). */
  readonly unmask: boolean | undefined;
}

/** Maximum header rows of a table with titles. */
const MAX_HEADER_ROWS = 2;
/** Confidence of a target that was chosen only by position. */
const GUESSED_CONFIDENCE = 0.5;

/** Plans the columns of a table, even of one with problems. Throws `INVALID_IMPORT` if there are no rows. */
export function planColumns<Header extends CodedHeader>(
  opened: Table,
  source: CodedTable<Header>,
  survey: AnsweredSurvey,
  options: PlanOptions,
): Promise<CodedPlan<Header>>;
export function planColumns(
  opened: Table,
  source: TableSource,
  survey: AnsweredSurvey,
  options: PlanOptions,
): Promise<ColumnPlan>;
export function planColumns(
  opened: Table,
  source: TableSource,
  { payload, definition }: AnsweredSurvey,
  options: PlanOptions,
): Promise<ColumnPlan> {
  const survey = { payload, index: createHeaderIndex(payload, definition) };
  return 'createHeaderReader' in source
    ? planCodes(opened, source, survey, options)
    : planTitles(opened, source, survey, options);
}

interface IndexedSurvey {
  readonly payload: JsonObject;
  readonly index: HeaderIndex;
}

async function planTitles(
  opened: Table,
  source: TitledTable,
  survey: IndexedSurvey,
  { table: options, unmask }: PlanOptions,
): Promise<ColumnPlan> {
  const rows = await findTitledRows(opened, source, survey, options.columns);
  const isMasked = unmask ?? isMaskedTable(opened, source);
  const matched = await matchTitles(rows.table, source, survey, { columns: options.columns, isMasked });
  const { table, layout, header, row } = matched;
  const { steps, learn } = createTitleLearner(matched, source, survey, options);
  // Only columns that the layout kept as metadata. The tool or the option `columns` names the others as metadata.
  const keptAsUnknown = header.metadata.filter(
    ({ column, target }) => layout?.metadataColumns.get(column.position) === target.name,
  );
  const headerProblems = withNoQuestionProblem(columnProblems(header.columns, row), hasAnswers(header), row, table);
  return {
    rows,
    headerRows: layout?.headerRows ?? 1,
    columns: titledColumns(header, layout, options.columns),
    header,
    index: survey.index,
    readsOther: source.readsOther,
    codes: undefined,
    keptAsUnknown,
    warnings: layout === undefined ? [] : guessWarnings(layout.guessed, header.names, options.columns),
    lossWarnings: toLossWarnings(header, keptAsUnknown),
    ...createHeaderChecks(headerProblems, steps),
    body: () => rowsAfter(table, 1),
    learn,
  };
}

/** Whether cells are masked against formulas; undefined: they are if the header is of our exports. */
function isMaskedTable({ others }: Table, { tool }: TitledTable): boolean | undefined {
  // Our exports as workbooks have a codebook and are not masked, unlike our CSV files.
  const isOwnWorkbook = others.some(({ name }) => name === 'Codebook');
  return tool?.isMasked ?? (isOwnWorkbook ? false : undefined);
}

interface MatchedTitles {
  /** The table with the header as a single row. */
  readonly table: Table;
  readonly layout: ToolLayout | undefined;
  readonly header: ResponseHeader;
  /** Number of the first header row in the file. */
  readonly row: number;
}

/** Lays out the columns of a tool, and finds the targets of the header. */
async function matchTitles(
  opened: Table,
  { wordsOf, tool }: TitledTable,
  survey: IndexedSurvey,
  { columns, isMasked }: Pick<TableOptions, 'columns'> & { readonly isMasked: boolean | undefined },
): Promise<MatchedTitles> {
  // The layout of a tool compares cells, so they are unmasked first. In other tables, `matchResponseHeader` unmasks the
  // header and `createTitleLearner` the cells.
  const isUnmaskedFirst = tool !== undefined && isMasked === true;
  const unmasked = isUnmaskedFirst ? mapCells(opened, unmaskStart) : opened;
  const start = await firstRows(unmasked, MAX_HEADER_ROWS);
  const [first] = start;
  const layout = tool === undefined ? undefined : layOutTable(start, survey, tool, columns);
  const header = matchResponseHeader(layout === undefined ? first : layout.header, survey.index, {
    columns: layout?.columns ?? columns,
    wordsOf,
    unmask: isUnmaskedFirst ? false : isMasked,
  });
  const table = layout === undefined ? unmasked : applyLayout(unmasked, layout);
  return { table, layout, header, row: first?.number ?? 1 };
}

/** The steps that look at the cells of a table with titles, and the conversion that follows from them. */
function createTitleLearner(
  { table, header }: MatchedTitles,
  { tool, hasOnlyTexts }: TitledTable,
  { payload, index }: IndexedSurvey,
  options: TableOptions,
): Pick<ColumnPlan, 'learn'> & { readonly steps: readonly (() => unknown)[] } {
  const learnColumns = () =>
    learnValues(table, {
      kinds: kindsOf(header, payload),
      names: header.names,
      headerRows: 1,
      // Exports have ISO dates and decimal points.
      options: header.isExport ? { ...options, decimal: options.decimal ?? '.', allowsAnyYear: true } : options,
    });
  const learnNumbers = async () =>
    tool?.canNumberOptions === true ? await createNumberConverter(table, header, payload, index) : NO_NUMBERS;
  return {
    steps: [learnColumns, learnNumbers],
    async learn() {
      const values = await learnColumns();
      const toOptions = await learnNumbers();
      return {
        ids: hasOnlyTexts !== true && tool === undefined ? 'also' : 'never',
        convert(row) {
          const cells = header.isMasked ? row.cells.map(unmaskFormula) : row.cells;
          const converted = values.convert({ ...row, cells });
          return { ...converted, cells: toOptions(converted.cells) };
        },
      };
    },
  };
}

async function planCodes<Header extends CodedHeader>(
  opened: Table,
  source: CodedTable<Header>,
  { payload, index }: IndexedSurvey,
  { table: options, unmask }: PlanOptions,
): Promise<CodedPlan<Header>> {
  const readHeader = source.createHeaderReader(payload);
  const rows = await findCodedRows(opened, source, readHeader, payload);
  const convertCell =
    source.createCellConverter?.(await firstRows(rows.table, source.maxHeaderRows), payload) ??
    (unmask === true ? unmaskStart : undefined);
  const table = convertCell === undefined ? rows.table : mapCells(rows.table, convertCell);
  const start = await firstRows(table, source.maxHeaderRows);
  const headings = readNames(start[0]);
  const given = groupColumns(matchGiven(headings, index, options.columns));
  const codes = readHeader(start, new Set(given.columns.map(({ position }) => position)));
  const columns = codedColumns(headings, codes, given.columns, index);
  const headerProblems = withNoQuestionProblem(
    [...columnProblems(given.columns, start[0]?.number ?? 1), ...codes.problems],
    codes.hasQuestion || hasAnswers(given),
    codes.row,
    table,
    source.advice,
  );
  const learnColumns = () =>
    learnValues(table, {
      kinds: new Map([...codes.kinds, ...kindsOf(given, payload)]),
      names: headings,
      headerRows: codes.headerRows,
      options,
    });
  return {
    rows,
    headerRows: codes.headerRows,
    columns,
    header: { names: headings, isMasked: false, isExport: false, ...given },
    index,
    readsOther: false,
    codes,
    keptAsUnknown: [],
    warnings: rivalWarnings(given.columns, columns),
    lossWarnings: [],
    ...createHeaderChecks(headerProblems, [learnColumns]),
    body: () => rowsAfter(table, codes.headerRows),
    async learn() {
      const values = await learnColumns();
      const names = optionNames(codes.targets, payload);
      return { ids: 'also', convert: (row) => values.convert(withPlainNumbers(row, names)) };
    },
  };
}

/** Finds the rows of a table with codes that are responses. */
function findCodedRows<Header extends CodedHeader>(
  opened: Table,
  { maxHeaderRows }: CodedTable<Header>,
  readHeader: ReturnType<CodedTable<Header>['createHeaderReader']>,
  payload: JsonObject,
): Promise<ResponseRows> {
  const none: ReadonlySet<number> = new Set();
  return findResponseRows(opened, {
    targetsOf: (row) =>
      new Map([...readHeader([row], none).targets].filter(([, name]) => !name.startsWith('metadata.'))),
    payload,
    isAboutResponse: () => false,
    headerRows: (start) => readHeader(start.slice(0, maxHeaderRows), none).headerRows,
  });
}

/** Returns the problems. If there are none, but no column belongs to a question, returns that as the problem. */
function withNoQuestionProblem(
  problems: readonly FieldProblem[],
  hasQuestion: boolean,
  row: number,
  { description }: Table,
  advice?: string,
): readonly FieldProblem[] {
  if (hasQuestion || problems.length > 0) return problems;
  const detail = `row ${row}: no column names a question of the survey (${description})`;
  return [headerProblem(advice === undefined ? detail : `${detail}; ${advice}`)];
}

function createHeaderChecks(
  headerProblems: readonly FieldProblem[],
  learningSteps: readonly (() => unknown)[],
): Pick<ColumnPlan, 'check' | 'problems'> {
  return {
    check() {
      if (headerProblems.length > 0) throw invalidImport(headerProblems);
    },
    async problems() {
      const problems = [...headerProblems];
      for (const learn of learningSteps) problems.push(...(await collectProblems(learn)));
      return problems;
    },
  };
}

/** Finds the rows of a table with titles that are responses. */
function findTitledRows(
  opened: Table,
  { wordsOf, tool }: TitledTable,
  { payload, index }: IndexedSurvey,
  columns: readonly ColumnTarget[],
): Promise<ResponseRows> {
  const givenTargets = new Map(columns.map(({ heading, target }) => [toLooseKey(heading), target]));
  const targetOfWord = (heading: string) =>
    [...wordsOf([heading]).values()][0] ?? tool?.words.get(toLooseKey(heading).replaceAll(' ', ''));
  const targetOf = (heading: string) =>
    heading === ''
      ? undefined
      : (targetOfWord(heading) ??
        givenTargets.get(toLooseKey(heading)) ??
        (isResponseColumn(heading) ? heading : index.find(heading).targets[0]?.name));
  return findResponseRows(opened, {
    targetsOf: ({ cells }) => {
      const targets = cells.map((cell) => targetOf(unmaskStart(cell.trim())));
      return new Map([...targets.entries()].filter((entry): entry is [number, string] => entry[1] !== undefined));
    },
    payload,
    isAboutResponse: (heading) => targetOfWord(heading) !== undefined,
    ...(tool !== undefined && { headerRows: (start) => countHeaderRows(start, tool) }),
  });
}

function titledColumns(
  { columns, names }: ResponseHeader,
  layout: ToolLayout | undefined,
  options: readonly ColumnTarget[],
): readonly PlannedColumn[] {
  const given = givenPositions(names, options);
  // A layout passes its targets as if the option `columns` named them. So `option` is right only for given columns.
  const foundByOf = ({ position, target, foundBy }: MatchedColumn) => {
    if (layout === undefined || foundBy !== 'option' || given.has(position)) return foundBy;
    if (target === undefined) return undefined;
    return questionOf(target) === undefined ? 'word' : 'title';
  };
  return columns.slice(0, layout?.width).map((column) => {
    const { position, heading, target, problem } = column;
    const foundBy = foundByOf(column);
    return {
      position,
      heading,
      target: target?.name ?? '',
      questionId: (target && questionOf(target)) ?? '',
      foundBy,
      confidence: confidenceOf(foundBy, problem, layout?.guessed.has(position)),
      problem,
    };
  });
}

function codedColumns(
  headings: readonly string[],
  { targets }: CodedHeader,
  given: readonly MatchedColumn[],
  index: HeaderIndex,
): readonly PlannedColumn[] {
  const byPosition = new Map(given.map((column) => [column.position, column]));
  return headings.map((heading, position) => {
    const { target, foundBy, problem } = byPosition.get(position) ?? {};
    const name = foundBy === undefined ? (targets.get(position) ?? '') : (target?.name ?? '');
    const found = foundBy ?? (name === '' ? undefined : 'name');
    const confidence = confidenceOf(found, problem);
    return {
      position,
      heading,
      target: name,
      questionId: questionIdOf(name, index),
      foundBy: found,
      confidence,
      problem,
    };
  });
}

function confidenceOf(foundBy: FoundBy | undefined, problem: string | undefined, isGuess = false): number {
  if (foundBy === undefined || problem !== undefined) return 0;
  return isGuess && foundBy === 'word' ? GUESSED_CONFIDENCE : CONFIDENCE[foundBy];
}

function questionIdOf(target: string, index: HeaderIndex): string {
  const found = index.findTarget(target);
  if (found !== undefined) return questionOf(found) ?? '';
  // The target can be a column that our exports do not have, such as `q3[removed_row]`: use the id before the bracket.
  const [id = ''] = target.split('[', 1);
  return index.findQuestions(id)[0] ?? '';
}

/** The problems with which a check rejects a table. */
export async function collectProblems(check: () => unknown): Promise<readonly FieldProblem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.errors;
  }
}
