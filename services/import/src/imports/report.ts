import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Failure, Import, Progress } from './import.ts';

/** What an import did. */
export interface Report {
  readonly id: string;
  readonly source: string;
  readonly format: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly total: number;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly questions: number;
  readonly warnings: readonly FieldProblem[];
  /** The first ones. */
  readonly errors: readonly ReportedError[];
}

/** A response that was refused. */
export interface ReportedError {
  readonly index: number;
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

/** Together they keep a report small enough for an event, whatever names and ids a file has. */
export const MAX_WARNINGS = 100;
export const MAX_ERRORS = 100;
const MAX_PATH = 200;
const MAX_DETAIL = 500;
const MAX_ID = 256;

/** How the file of an import came to its end: as it should, earlier, or not at all because it was cancelled. */
export type Ending =
  | { readonly kind: 'read' | 'cancelled'; readonly failure: Failure | undefined }
  | { readonly kind: 'broken'; readonly failure: Failure };

export interface ReportContents {
  readonly questions: number;
  readonly progress: Progress;
  /** The first ones, and how many there are beyond them. */
  readonly warnings: readonly FieldProblem[];
  readonly moreWarnings: number;
  /** In the order of the file. */
  readonly errors: readonly ReportedError[];
  readonly ending: Ending;
}

export function toReport(
  { id, source, format }: Pick<Import, 'id' | 'source' | 'format'>,
  contents: ReportContents,
): Report {
  const { questions, progress, errors } = contents;
  const { rows, imported, skipped, failed } = progress;
  return {
    id,
    source,
    format,
    status: statusOf(contents),
    total: rows,
    imported,
    skipped,
    failed,
    questions,
    warnings: boundWarnings(contents),
    errors: errors.slice(0, MAX_ERRORS),
  };
}

function statusOf({ ending, progress: { rows, failed } }: ReportContents): Report['status'] {
  if (ending.kind === 'cancelled') return 'cancelled';
  if (ending.kind === 'broken') return 'failed';
  // Of one that stored anything, the errors tell the rest.
  return failed === rows && (failed > 0 || ending.failure !== undefined) ? 'failed' : 'completed';
}

export function toReportedError({ index, id, code, detail }: ReportedError): ReportedError {
  return { index, id: cut(id, MAX_ID), code, detail: cut(detail, MAX_DETAIL) };
}

/** What ended the import comes first. */
function boundWarnings({ ending, warnings, moreWarnings }: ReportContents): readonly FieldProblem[] {
  const { failure } = ending;
  const told =
    failure === undefined ? [] : [{ path: '', code: failure.code, detail: failure.detail }, ...failure.errors];
  const all = [...told, ...warnings];
  const shown = all.length + moreWarnings > MAX_WARNINGS ? all.slice(0, MAX_WARNINGS - 1) : all;
  const bounded = shown.map(({ path, code, detail }) => ({
    path: cut(path, MAX_PATH),
    code,
    detail: cut(detail, MAX_DETAIL),
  }));
  const hidden = all.length + moreWarnings - shown.length;
  return hidden === 0 ? bounded : [...bounded, { path: '', code: 'MORE_WARNINGS', detail: `and ${hidden} more` }];
}

/** Whole characters only: half of one cannot be sent. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
