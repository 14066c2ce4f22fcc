import type { Column } from '@survey/questionnaire/columns/columns';
import type { ResponseColumn } from '@survey/questionnaire/columns/response-columns';

/** The part of a response that a column of a table contains. `name` is its name in the option `columns`. */
export type HeadingTarget =
  /** A detail of the response itself, such as `submitted_at`. */
  | { readonly kind: 'response'; readonly name: string; readonly column: ResponseColumn }
  /** A column of an export: `q`, `q[option]`, `q[row]`, `q[row][column]` or `q.other`. */
  | { readonly kind: 'answer'; readonly name: string; readonly column: Column }
  /** Several options of a question, or several columns of a row, in one cell: `q` or `q[row]`. */
  | {
      readonly kind: 'choices';
      readonly name: string;
      readonly questionId: string;
      /** Row of a matrix; undefined for a multiple choice. */
      readonly row: string | undefined;
    }
  /** A member of the response's metadata: `metadata.email`. */
  | { readonly kind: 'metadata'; readonly name: string; readonly member: string };

/** Id of the question that a column answers; undefined if it answers none. */
export function questionOf(target: HeadingTarget): string | undefined {
  if (target.kind === 'answer') return target.column.question_id;
  return target.kind === 'choices' ? target.questionId : undefined;
}
