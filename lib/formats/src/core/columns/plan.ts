import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import type { ColumnKind } from '../../tables/column-values.ts';
import { headerProblem } from '../../tables/header.ts';
import type { Table } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { TableOptions } from '../../tables/table-options.ts';
import type { FoundBy, HeaderIndex, IdUse } from './header-index.ts';
import { CONFIDENCE, type ResponseHeader } from './match-headers.ts';
import type { ResponseRows } from './rows.ts';

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
 * responses, their dry runs and plans of imports use the same plan: `planTitles` makes it for tables with titles as
 * headings, and `planCodes` for tables with codes.
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
  /** Whether a cell that matches no option is read as the text of `other`. */
  readonly readsOther: boolean;
  /** The header of a table with codes; undefined if the headings are titles. */
  readonly codedHeader: CodedHeader | undefined;
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

interface RowConversion {
  convert(row: Row): Row;
  /** Whether cells of choices can have ids of options: never, or beside texts. */
  readonly idUse: IdUse;
}

export interface PlanOptions {
  readonly table: TableOptions;
  /** Whether cells are masked against formulas; undefined if the tool and the file decide it. */
  readonly unmask: boolean | undefined;
}

/** The payload of a survey, with the index of the headings that tables can have. */
export interface IndexedSurvey {
  readonly payload: JsonObject;
  readonly index: HeaderIndex;
}

/** Returns the problems. If there are none, but no column belongs to a question, returns that as the problem. */
export function withNoQuestionProblem(
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

export function createHeaderChecks(
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

/** Confidence of a target that was chosen only by position. */
const GUESSED_CONFIDENCE = 0.5;

/** @param isGuess whether the target was chosen only by position */
export function confidenceOf(foundBy: FoundBy | undefined, problem: string | undefined, isGuess = false): number {
  if (foundBy === undefined || problem !== undefined) return 0;
  return isGuess && foundBy === 'word' ? GUESSED_CONFIDENCE : CONFIDENCE[foundBy];
}
