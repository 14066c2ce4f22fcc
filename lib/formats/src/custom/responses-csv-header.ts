import { isExportHeader, type ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import type { HeaderIndex } from '../headers/header-index.ts';
import type { HeadingTarget } from '../headers/heading-target.ts';
import { type MatchedColumn, matchHeaders, rejectProblems } from '../headers/match-headers.ts';
import type { Warn } from '../shared/reader.ts';
import { badHeader, readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import type { ColumnTarget } from '../tables/table-options.ts';

interface MatchOptions {
  readonly columns: readonly ColumnTarget[];
  /** Names of targets by words of the tool, in lower case. */
  readonly words: ReadonlyMap<string, string>;
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
}

interface Options extends MatchOptions {
  /** The way in which the file is read, for messages. */
  readonly description: string;
  readonly warn: Warn;
}

export interface ResponseHeader {
  readonly names: readonly string[];
  readonly columns: readonly MatchedColumn[];
  /** Positions of the columns about the response itself. */
  readonly own: ReadonlyMap<ResponseColumn, number>;
  /** Columns with one answer, or one part of it. */
  readonly answered: readonly MatchedTarget<'answer'>[];
  /** Columns with several options in a cell. */
  readonly choices: readonly MatchedTarget<'choices'>[];
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

/** Reads the header. Throws `INVALID_IMPORT` if it has no column of the survey, or one that can be read in two ways. */
export function readResponseHeader(row: Row | undefined, index: HeaderIndex, options: Options): ResponseHeader {
  const { description, warn } = options;
  const header = matchResponseHeader(row, index, options);
  const number = row?.number ?? 1;
  rejectProblems(header.columns, number);
  if (header.answered.length + header.choices.length === 0) {
    throw badHeader(`row ${number}: no column names a question of the survey (${description})`);
  }
  for (const { heading, target, isExcluded } of header.columns) {
    if (target !== undefined || isExcluded || heading === '') continue;
    const detail = `The column ${heading} is not imported: the survey has no such column`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  return header;
}

/** Finds the targets of a header, also of one with problems. Throws `INVALID_IMPORT` without a row. */
export function matchResponseHeader(
  row: Row | undefined,
  index: HeaderIndex,
  { columns: given, words, unmask }: MatchOptions,
): ResponseHeader {
  const written = readNames(row);
  const isExport = isExportHeader(written);
  const isMasked = unmask ?? isExport;
  const names = isMasked ? written.map(unmaskFormula) : written;
  return { names, isMasked, isExport, ...sortColumns(matchHeaders(names, index, { columns: given, words })) };
}

/** Groups columns by the kind of their targets. */
export function sortColumns(
  columns: readonly MatchedColumn[],
): Omit<ResponseHeader, 'names' | 'isMasked' | 'isExport'> {
  const targetsOf = <Kind extends HeadingTarget['kind']>(kind: Kind) =>
    columns.flatMap((column): readonly MatchedTarget<Kind>[] => {
      const { target } = column;
      return target?.kind === kind ? [{ column, target: target as MatchedTarget<Kind>['target'] }] : [];
    });
  return {
    columns,
    own: new Map(targetsOf('response').map(({ column, target }) => [target.column, column.position])),
    answered: targetsOf('answer'),
    choices: targetsOf('choices'),
    metadata: targetsOf('metadata'),
  };
}
