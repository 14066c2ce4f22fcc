import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskFormula, unmaskStart } from '@survey/questionnaire/columns/csv';
import { isResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import type { ColumnKind } from '../../tables/column-values.ts';
import { firstRows } from '../../tables/first-rows.ts';
import { mapCells } from '../../tables/map-cells.ts';
import type { Table } from '../../tables/open-table.ts';
import { learnValues } from '../../tables/read-values.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget, TableOptions } from '../../tables/table-options.ts';
import type { HeaderIndex } from './header-index.ts';
import { toLooseKey } from './heading-key.ts';
import { createNumberConverter } from './numbered-options.ts';
import { matchResponseHeader, type ResponseHeader, responseHeaderProblems } from './responses-csv-header.ts';
import { findResponseRows, type ResponseRows } from './rows.ts';
import {
  applyLayout,
  countHeaderRows,
  guessWarnings,
  layOutTable,
  type ToolLayout,
  type ToolTable,
} from './tool-layout.ts';

/** Differences between sources of tables. */
export interface TableSource {
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  wordsOf(headings: readonly string[]): ReadonlyMap<string, string>;
  /** Whether a text that is no option is the text of `other`. */
  readonly readsOther: boolean;
  /** Layout of the tool's tables; undefined if the source is no tool. */
  readonly tool?: ToolTable;
}

/**
 * The meaning of the columns and rows of a table with titles. It follows from the first rows, the survey and the options.
 * Readers of responses, their dry runs and plans of imports use the same plan.
 */
export interface ColumnPlan {
  /** The rows of the file that are responses. */
  readonly rows: ResponseRows;
  /** The table with one header row. Cells of a tool are converted to the format of our exports. */
  readonly table: Table;
  /** First row of the header; undefined if there is none. */
  readonly first: Row | undefined;
  readonly header: ResponseHeader;
  /** Undefined if the source is no tool. */
  readonly layout: ToolLayout | undefined;
  /** Columns that are kept as metadata, but can be answers to questions that the survey does not have. */
  readonly keptAsUnknown: ResponseHeader['metadata'];
  /** Warnings about columns that are not imported, kept as metadata, or found only by their position. */
  readonly warnings: readonly FieldProblem[];
  /** Throws `INVALID_IMPORT` if the header has no column of the survey, or one that can be read in two ways. */
  check(): void;
  /** All reasons why the table is rejected, also dates and numbers with two readings. */
  problems(): Promise<readonly FieldProblem[]>;
  /**
   * Looks at the rows if dates, numbers or options need it. Returns a function that converts a row. Throws
   * `INVALID_IMPORT` if a column can be read in two ways.
   */
  learn(): Promise<(row: Row) => Row>;
}

interface PlanOptions {
  readonly table: TableOptions;
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
}

/** Maximum header rows of a table. */
const MAX_HEADER_ROWS = 2;

/** Finds the rows of a table with titles that are no responses. */
function findTitledRows(
  opened: Table,
  { wordsOf, tool }: TableSource,
  index: HeaderIndex,
  columns: readonly ColumnTarget[],
): Promise<ResponseRows> {
  const given = new Set(columns.map(({ heading }) => toLooseKey(heading)));
  const isAboutResponse = (heading: string) =>
    wordsOf([heading]).size > 0 || tool?.words.has(toLooseKey(heading).replaceAll(' ', '')) === true;
  const isKnown = (heading: string) =>
    heading !== '' &&
    (isAboutResponse(heading) ||
      given.has(toLooseKey(heading)) ||
      isResponseColumn(heading) ||
      index.find(heading).targets.length > 0);
  return findResponseRows(opened, {
    countKnown: ({ cells }) => cells.filter((cell) => isKnown(unmaskStart(cell.trim()))).length,
    isAboutResponse,
    ...(tool !== undefined && { headerRows: (start) => countHeaderRows(start, tool) }),
  });
}

/** Plans the columns of a table, even of one with problems. Throws `INVALID_IMPORT` if there are no rows. */
export async function planColumns(
  opened: Table,
  source: TableSource,
  { payload, index }: { readonly payload: JsonObject; readonly index: HeaderIndex },
  { table: options, unmask }: PlanOptions,
): Promise<ColumnPlan> {
  const { wordsOf, tool } = source;
  const rows = await findTitledRows(opened, source, index, options.columns);
  // Only our own workbooks have a codebook, and nothing in them is masked.
  const isOwnWorkbook = opened.others.some(({ name }) => name === 'Codebook');
  const isMasked = unmask ?? tool?.isMasked ?? (isOwnWorkbook ? false : undefined);
  // The conversion of a tool's cells needs texts without masks.
  const isUnmaskedFirst = tool !== undefined && isMasked === true;
  const unmasked = isUnmaskedFirst ? mapCells(rows.table, unmaskStart) : rows.table;
  const start = await firstRows(unmasked, MAX_HEADER_ROWS);
  const [first] = start;
  const layout = tool === undefined ? undefined : layOutTable(start, { payload, index }, tool, options.columns);
  const header = matchResponseHeader(layout === undefined ? first : layout.header, index, {
    columns: layout?.columns ?? options.columns,
    wordsOf,
    unmask: isUnmaskedFirst ? false : isMasked,
  });
  const table = layout === undefined ? unmasked : applyLayout(unmasked, layout);
  const keptAsUnknown = header.metadata.filter(
    ({ column, target }) => layout?.metadataColumns.get(column.position) === target.name,
  );
  const headerProblems = responseHeaderProblems(header, first?.number ?? 1, table.description);
  const learnColumns = () =>
    learnValues(table, {
      kinds: kindsOf(header, payload),
      names: header.names,
      headerRows: 1,
      // Exports have ISO dates and decimal points.
      options: header.isExport ? { ...options, decimal: options.decimal ?? '.', allowsAnyYear: true } : options,
    });
  const learnNumbers = async () =>
    tool?.canNumberOptions === true
      ? await createNumberConverter(table, header, payload, index)
      : (cells: readonly string[]) => cells;
  return {
    rows,
    table,
    first,
    header,
    layout,
    keptAsUnknown,
    warnings: [
      ...warningsOf(header, keptAsUnknown),
      ...(layout === undefined ? [] : guessWarnings(layout.guessed, header.names, options.columns)),
    ],
    check() {
      if (headerProblems.length > 0) throw invalidImport(headerProblems);
    },
    problems: async () => [
      ...headerProblems,
      ...(await collectProblems(learnColumns)),
      ...(await collectProblems(learnNumbers)),
    ],
    async learn() {
      const values = await learnColumns();
      const toOptions = await learnNumbers();
      return (row) => {
        const cells = header.isMasked ? row.cells.map(unmaskFormula) : row.cells;
        const converted = values.convert({ ...row, cells });
        return { ...converted, cells: toOptions(converted.cells) };
      };
    },
  };
}

/** Warnings about columns that are not imported, or only kept as metadata. */
function warningsOf({ columns }: ResponseHeader, kept: ResponseHeader['metadata']): readonly FieldProblem[] {
  const lost = columns.filter(
    ({ target, isExcluded, heading }) => target === undefined && !isExcluded && heading !== '',
  );
  return [
    ...lost.map(({ heading }) => ({
      path: '',
      code: 'NOT_IMPORTED',
      detail: `The column ${heading} is not imported: the survey has no such column`,
    })),
    ...kept.map(({ column }) => ({
      path: '',
      code: 'KEPT_AS_METADATA',
      detail: `The column ${column.heading} is no answer to a question of the survey, and is kept as metadata`,
    })),
  ];
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

/** The kinds of the values of columns, by position. */
export function kindsOf(
  { responseColumns, answerColumns }: Pick<ResponseHeader, 'responseColumns' | 'answerColumns'>,
  payload: JsonObject,
): ReadonlyMap<number, ColumnKind> {
  const questions = new Map(readDefinition(payload).questions.map((question) => [question.id, question]));
  const kinds = new Map<number, ColumnKind>();
  for (const name of ['submitted_at', 'started_at'] as const) {
    const position = responseColumns.get(name);
    if (position !== undefined) kinds.set(position, 'timestamp');
  }
  for (const { target, column } of answerColumns) {
    const { question_id: id, items, kind } = target.column;
    const { type, source } = questions.get(id) ?? {};
    if (items.length > 0) continue;
    if (type === 'date' || type === 'time') kinds.set(column.position, type);
    const isNumber = source?.['format'] === 'number' || source?.['format'] === 'integer' || kind === 'number';
    if (isNumber) kinds.set(column.position, 'number');
  }
  return kinds;
}
