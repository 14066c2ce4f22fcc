import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { CellContent } from '../answer-table/column-profile.ts';
import type { AnsweredSurvey } from '../core/reader.ts';
import type { TableOptions } from '../tables/table-options.ts';
import type { Guess } from './guess-file.ts';

/** The way in which an import would read a file. A plan contains no values of cells. */
export interface FilePlan {
  readonly source: string;
  readonly format: string;
  /** The way in which a table is read, such as `separator ",", encoding utf-8`; empty for other files. */
  readonly dialect: string;
  /** Rows that were looked at, without the header. */
  readonly rows: number;
  readonly columns: readonly FilePlanColumn[];
  /** Targets that the option `columns` can name, with the title of their question; empty if they have none. */
  readonly targets: readonly { readonly name: string; readonly title: string }[];
  /** Reasons why the import would be rejected. */
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  /** Options that would help, with their possible values. */
  readonly suggestions: readonly { readonly name: string; readonly values: readonly string[] }[];
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
