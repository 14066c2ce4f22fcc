import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskStart } from '@survey/questionnaire/columns/csv';
import { isResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { ColumnKind, ColumnValues } from '../../tables/column-values.ts';
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
import { applyLayout, countHeaderRows, layOutTable, type ToolLayout, type ToolTable } from './tool-layout.ts';

/** Differences between sources of tables. */
export interface TableSource {
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  wordsOf(headings: readonly string[]): ReadonlyMap<string, string>;
  /** Whether a text that is no option is the text of `other`. */
  readonly readsOther: boolean;
  /** Layout of the tool's tables; undefined if the source is no tool. */
  readonly tool?: ToolTable;
}

/** A table with the targets of its columns. */
export interface MatchedTable {
  /** The table with one header row. Cells of a tool are converted to the format of our exports. */
  readonly table: Table;
  /** First row of the file; undefined if there is none. */
  readonly first: Row | undefined;
  readonly header: ResponseHeader;
  /** Undefined if the source is no tool. */
  readonly layout: ToolLayout | undefined;
}

interface Options {
  readonly columns: readonly ColumnTarget[];
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
}

/** Maximum header rows of a table. */
export const MAX_HEADER_ROWS = 2;

/** Finds the rows of a table with titles that are no responses. */
export function findTitledRows(
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

/** Finds the targets of a table's columns, even if it has problems. Throws `INVALID_IMPORT` if there are no rows. */
export async function matchTable(
  opened: Table,
  { wordsOf, tool }: TableSource,
  survey: { readonly payload: JsonObject; readonly index: HeaderIndex },
  { columns, unmask }: Options,
): Promise<MatchedTable> {
  // Only our own workbooks have a codebook, and nothing in them is masked.
  const isOwnWorkbook = opened.others.some(({ name }) => name === 'Codebook');
  const isMasked = unmask ?? tool?.isMasked ?? (isOwnWorkbook ? false : undefined);
  // The conversion of a tool's cells needs texts without masks.
  const unmasked = tool !== undefined && isMasked === true ? mapCells(opened, unmaskStart) : opened;
  const start = await firstRows(unmasked, MAX_HEADER_ROWS);
  const [first] = start;
  const layout = tool === undefined ? undefined : layOutTable(start, survey, tool, columns);
  const header = matchResponseHeader(layout === undefined ? first : layout.header, survey.index, {
    columns: layout?.columns ?? columns,
    wordsOf,
    unmask: unmasked === opened ? isMasked : false,
  });
  return { table: layout === undefined ? unmasked : applyLayout(unmasked, layout), first, header, layout };
}

/** Learns how the columns of a table write dates and numbers. Throws like `learnValues`. */
export function learnColumnValues(
  { table, header }: Pick<MatchedTable, 'table' | 'header'>,
  payload: JsonObject,
  options: TableOptions,
): Promise<ColumnValues> {
  return learnValues(table, {
    kinds: kindsOf(header, payload),
    names: header.names,
    headerRows: 1,
    // Exports have ISO dates and decimal points.
    options: header.isExport ? { ...options, decimal: options.decimal ?? '.', allowsAnyYear: true } : options,
  });
}

/** Reasons why a reader of tables would reject the whole table. */
export async function tableProblems(
  matched: MatchedTable,
  { tool }: TableSource,
  { payload, index }: { readonly payload: JsonObject; readonly index: HeaderIndex },
  options: TableOptions,
): Promise<readonly FieldProblem[]> {
  const { table, header, first } = matched;
  return [
    ...responseHeaderProblems(header, first?.number ?? 1, table.description),
    ...(await collectProblems(() => learnColumnValues(matched, payload, options))),
    ...(tool?.canNumberOptions === true
      ? await collectProblems(() => createNumberConverter(table, header, payload, index))
      : []),
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
