import type { JsonObject } from '@bufbuild/protobuf';
import { unmaskStart } from '@survey/questionnaire/columns/csv';
import { learnValues } from '../../tables/column-values.ts';
import { readNames } from '../../tables/header.ts';
import { firstRows, mapCells, rowsAfter, type Table } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget } from '../../tables/table-options.ts';
import type { AnsweredSurvey } from '../reader.ts';
import { optionNames, withPlainNumbers } from './choices.ts';
import { createHeaderIndex, type HeaderIndex, questionIdOf } from './header-index.ts';
import {
  columnProblems,
  givenTargets,
  groupColumns,
  hasAnswers,
  kindsOf,
  type MatchedColumn,
  matchGiven,
} from './match-headers.ts';
import { rivalWarnings } from './overrides.ts';
import {
  type CodedHeader,
  type ColumnPlan,
  confidenceOf,
  createHeaderChecks,
  type PlannedColumn,
  type PlanOptions,
  withNoQuestionProblem,
} from './plan.ts';
import { findResponseRows, type ResponseRows } from './rows.ts';

/** The rules of a tool whose tables have codes as headings, such as `Q1_2`. */
export interface CodedTable<Header extends CodedHeader = CodedHeader> {
  readonly maxHeaderRows: number;
  /** Advice for a table that has no column of a question. */
  readonly advice?: string;
  /** Recognizes by the first rows whether cells must be converted, such as those of a VV file of LimeSurvey. */
  createCellConverter?(start: readonly Row[], payload: JsonObject): ((cell: string) => string) | undefined;
  /** Creates the reader of headers for a survey. */
  createHeaderReader(payload: JsonObject): ReadHeader<Header>;
}

/**
 * Reads a header. Throws `INVALID_IMPORT` if there is no row.
 *
 * @param start the first rows
 * @param given positions of the columns that the option `columns` names
 */
type ReadHeader<Header> = (start: readonly Row[], given: ReadonlySet<number>) => Header;

export interface CodedPlan<Header extends CodedHeader> extends ColumnPlan {
  readonly codedHeader: Header;
}

/**
 * Plans the columns of a table with codes as headings, even of one with problems. Throws `INVALID_IMPORT` if there are
 * no rows, or if the option `columns` is invalid.
 *
 * 1. Find the rows that are responses. This needs the codes, which neither masks nor conversions change. So the header
 *    is read from the cells as they are.
 * 2. Prepare the cells: remove masks, then convert.
 * 3. Read the header from the prepared cells, without the columns that the option `columns` names.
 * 4. Check the columns of both kinds together.
 */
export async function planCodes<Header extends CodedHeader>(
  opened: Table,
  tool: CodedTable<Header>,
  { payload, definition }: AnsweredSurvey,
  { table: options, unmask }: PlanOptions,
): Promise<CodedPlan<Header>> {
  const index = createHeaderIndex(payload, definition);
  const readHeader = tool.createHeaderReader(payload);
  const rows = await findCodedRows(opened, tool.maxHeaderRows, readHeader, { payload, columns: options.columns });
  const table = await prepareCells(rows.table, tool, payload, unmask === true);
  const headerStart = await firstRows(table, tool.maxHeaderRows);
  const headings = readNames(headerStart[0]);
  const given = groupColumns(matchGiven(headings, index, options.columns));
  const codedHeader = readHeader(headerStart, new Set(given.columns.map(({ position }) => position)));
  const columns = plannedColumns(headings, codedHeader, given.columns, index);
  const headerProblems = withNoQuestionProblem(
    [...columnProblems(given.columns, headerStart[0]?.number ?? 1), ...codedHeader.problems],
    codedHeader.hasQuestion || hasAnswers(given),
    codedHeader.row,
    table,
    tool.advice,
  );
  const learnColumns = () =>
    learnValues(table, {
      kinds: new Map([...codedHeader.kinds, ...kindsOf(given, payload)]),
      names: headings,
      headerRows: codedHeader.headerRows,
      options,
    });
  return {
    rows,
    headerRows: codedHeader.headerRows,
    columns,
    header: { names: headings, isExport: false, ...given },
    index,
    readsOther: false,
    codedHeader,
    keptAsUnknown: [],
    warnings: rivalWarnings(given.columns, columns),
    lossWarnings: [],
    ...createHeaderChecks(headerProblems, [learnColumns]),
    body: () => rowsAfter(table, codedHeader.headerRows),
    async learn() {
      const values = await learnColumns();
      const optionTexts = optionNames(codedHeader.targets, payload);
      return { idUse: 'also', convert: (row) => values.convert(withPlainNumbers(row, optionTexts)) };
    },
  };
}

/** Removes masks from cells, and converts them. Masks hide the marks by which a tool recognizes its files. */
async function prepareCells(
  table: Table,
  { maxHeaderRows, createCellConverter }: CodedTable,
  payload: JsonObject,
  unmask: boolean,
): Promise<Table> {
  const unmasked = unmask ? mapCells(table, unmaskStart) : table;
  const convertCell = createCellConverter?.(await firstRows(unmasked, maxHeaderRows), payload);
  return convertCell === undefined ? unmasked : mapCells(unmasked, convertCell);
}

/**
 * Finds the rows of a table that are responses. A tool keeps any unknown column as metadata. So only columns with other
 * targets show that a row is a header.
 */
function findCodedRows(
  opened: Table,
  maxHeaderRows: number,
  readHeader: ReadHeader<CodedHeader>,
  { payload, columns }: { readonly payload: JsonObject; readonly columns: readonly ColumnTarget[] },
): Promise<ResponseRows> {
  const noPositions: ReadonlySet<number> = new Set();
  return findResponseRows(opened, {
    targetsOf(row) {
      const headings = row.cells.map((cell) => cell.trim());
      const ofCodes = [...readHeader([row], noPositions).targets].filter(([, name]) => !name.startsWith('metadata.'));
      return new Map([...ofCodes, ...givenTargets(headings, columns)]);
    },
    payload,
    isAboutResponse: () => false,
    headerRows: (start) => readHeader(start.slice(0, maxHeaderRows), noPositions).headerRows,
  });
}

function plannedColumns(
  headings: readonly string[],
  { targets }: CodedHeader,
  given: readonly MatchedColumn[],
  index: HeaderIndex,
): readonly PlannedColumn[] {
  const byPosition = new Map(given.map((column) => [column.position, column]));
  return headings.map((heading, position) => {
    const { target: targetOfOption, foundBy: way, problem } = byPosition.get(position) ?? {};
    const target = way === undefined ? (targets.get(position) ?? '') : (targetOfOption?.name ?? '');
    const foundBy = way ?? (target === '' ? undefined : 'name');
    return {
      position,
      heading,
      target,
      questionId: questionIdOfTarget(target, index),
      foundBy,
      confidence: confidenceOf(foundBy, problem),
      problem,
    };
  });
}

function questionIdOfTarget(target: string, index: HeaderIndex): string {
  const found = index.findTarget(target);
  if (found !== undefined) return questionIdOf(found) ?? '';
  // The row of `q3[removed_row]` is not in the survey any more: use the id before the bracket.
  const [id = ''] = target.split('[', 1);
  return index.findQuestionIds(id)[0] ?? '';
}
