import { unmaskFormula } from '@survey/questionnaire/columns/csv';
import { isExportHeader, type ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { readNames } from '../../tables/header.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget } from '../../tables/table-options.ts';
import type { HeaderIndex } from './header-index.ts';
import type { HeadingTarget } from './heading-target.ts';
import { columnProblems, type MatchedColumn, matchHeaders } from './match-headers.ts';

interface MatchOptions {
  readonly columns: readonly ColumnTarget[];
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  wordsOf(headings: readonly string[]): ReadonlyMap<string, string>;
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
}

export interface ResponseHeader {
  readonly names: readonly string[];
  readonly columns: readonly MatchedColumn[];
  /** Positions of the columns about the response itself. */
  readonly responseColumns: ReadonlyMap<ResponseColumn, number>;
  /** Columns with one answer, or one part of it. */
  readonly answerColumns: readonly MatchedTarget<'answer'>[];
  /** Columns with several options in a cell. */
  readonly choiceColumns: readonly MatchedTarget<'choices'>[];
  readonly metadata: readonly MatchedTarget<'metadata'>[];
  readonly isMasked: boolean;
  /** Whether the file is an export of this platform. */
  readonly isExport: boolean;
}

/** A column with a target of a kind. */
interface MatchedTarget<Kind extends HeadingTarget['kind']> {
  readonly column: MatchedColumn;
  readonly target: Extract<HeadingTarget, { kind: Kind }>;
}

/** Reasons why a table with a header is rejected. */
export function responseHeaderProblems(
  { columns, answerColumns, choiceColumns }: Pick<ResponseHeader, 'columns' | 'answerColumns' | 'choiceColumns'>,
  row: number,
  description: string,
): readonly FieldProblem[] {
  const problems = columnProblems(columns, row);
  if (problems.length > 0 || answerColumns.length + choiceColumns.length > 0) return problems;
  return [noQuestion(row, description)];
}

/** The problem of a table without answers. */
export function noQuestion(row: number, description: string, advice?: string): FieldProblem {
  const detail = `row ${row}: no column names a question of the survey (${description})`;
  return { path: '', code: 'BAD_HEADER', detail: advice === undefined ? detail : `${detail}; ${advice}` };
}

/** Finds the targets of a header, even of one with problems. Throws `INVALID_IMPORT` if there are no rows. */
export function matchResponseHeader(
  row: Row | undefined,
  index: HeaderIndex,
  { columns: given, wordsOf, unmask }: MatchOptions,
): ResponseHeader {
  const written = readNames(row);
  const isExport = isExportHeader(written);
  const isMasked = unmask ?? isExport;
  const names = isMasked ? written.map(unmaskFormula) : written;
  return {
    names,
    isMasked,
    isExport,
    ...groupColumns(matchHeaders(names, index, { columns: given, words: wordsOf(names) })),
  };
}

/** Groups columns by the kind of their targets. */
export function groupColumns(
  columns: readonly MatchedColumn[],
): Omit<ResponseHeader, 'names' | 'isMasked' | 'isExport'> {
  const targetsOf = <Kind extends HeadingTarget['kind']>(kind: Kind) =>
    columns.flatMap((column): readonly MatchedTarget<Kind>[] => {
      const { target } = column;
      return target?.kind === kind ? [{ column, target: target as MatchedTarget<Kind>['target'] }] : [];
    });
  return {
    columns,
    responseColumns: new Map(targetsOf('response').map(({ column, target }) => [target.column, column.position])),
    answerColumns: targetsOf('answer'),
    choiceColumns: targetsOf('choices'),
    metadata: targetsOf('metadata'),
  };
}
