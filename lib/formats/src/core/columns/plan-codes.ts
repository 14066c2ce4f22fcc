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

/** The differences between tools whose tables have codes as headings, such as `Q1_2`. */
export interface CodedTable<Header extends CodedHeader = CodedHeader> {
  readonly maxHeaderRows: number;
  /** Advice for a table that has no column of a question; undefined if there is none. */
  readonly advice?: string;
  /** Creates the converter of cells from the first rows; undefined if they need none. */
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
 * no rows.
 */
export async function planCodes<Header extends CodedHeader>(
  opened: Table,
  source: CodedTable<Header>,
  { payload, definition }: AnsweredSurvey,
  { table: options, unmask }: PlanOptions,
): Promise<CodedPlan<Header>> {
  const index = createHeaderIndex(payload, definition);
  const readHeader = source.createHeaderReader(payload);
  const rows = await findCodedRows(opened, source.maxHeaderRows, readHeader, { payload, columns: options.columns });
  const unmasked = unmask === true ? mapCells(rows.table, unmaskStart) : rows.table;
  const convertCell = source.createCellConverter?.(await firstRows(unmasked, source.maxHeaderRows), payload);
  const table = convertCell === undefined ? unmasked : mapCells(unmasked, convertCell);
  const start = await firstRows(table, source.maxHeaderRows);
  const headings = readNames(start[0]);
  const given = groupColumns(matchGiven(headings, index, options.columns));
  const codedHeader = readHeader(start, new Set(given.columns.map(({ position }) => position)));
  const columns = plannedColumns(headings, codedHeader, given.columns, index);
  const headerProblems = withNoQuestionProblem(
    [...columnProblems(given.columns, start[0]?.number ?? 1), ...codedHeader.problems],
    codedHeader.hasQuestion || hasAnswers(given),
    codedHeader.row,
    table,
    source.advice,
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
      const names = optionNames(codedHeader.targets, payload);
      return { idUse: 'also', convert: (row) => values.convert(withPlainNumbers(row, names)) };
    },
  };
}

/** Finds the rows of a table that are responses. Columns that a tool would only keep as metadata are no sign of a header. */
function findCodedRows(
  opened: Table,
  maxHeaderRows: number,
  readHeader: ReadHeader<CodedHeader>,
  { payload, columns }: { readonly payload: JsonObject; readonly columns: readonly ColumnTarget[] },
): Promise<ResponseRows> {
  const none: ReadonlySet<number> = new Set();
  return findResponseRows(opened, {
    targetsOf(row) {
      const headings = row.cells.map((cell) => cell.trim());
      const ofCodes = [...readHeader([row], none).targets].filter(([, name]) => !name.startsWith('metadata.'));
      return new Map([...ofCodes, ...givenTargets(headings, columns)]);
    },
    payload,
    isAboutResponse: () => false,
    headerRows: (start) => readHeader(start.slice(0, maxHeaderRows), none).headerRows,
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
    const { target, foundBy, problem } = byPosition.get(position) ?? {};
    const name = foundBy === undefined ? (targets.get(position) ?? '') : (target?.name ?? '');
    const found = foundBy ?? (name === '' ? undefined : 'name');
    return {
      position,
      heading,
      target: name,
      questionId: questionIdOfTarget(name, index),
      foundBy: found,
      confidence: confidenceOf(found, problem),
      problem,
    };
  });
}

function questionIdOfTarget(target: string, index: HeaderIndex): string {
  const found = index.findTarget(target);
  if (found !== undefined) return questionIdOf(found) ?? '';
  // The target can be a column that our exports do not have, such as `q3[removed_row]`: use the id before the bracket.
  const [id = ''] = target.split('[', 1);
  return index.findQuestionIds(id)[0] ?? '';
}
