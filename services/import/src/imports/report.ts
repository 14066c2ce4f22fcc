import type { RejectedResponse } from '@survey/formats/shared/file-response';
import { shorten } from '@survey/questionnaire/shorten';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Failure, Import, Progress } from './import.ts';
import type { ReportedOmission } from './omissions.ts';

/** The result of an import. */
export interface Report {
  readonly id: string;
  readonly source: string;
  readonly format: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly total: number;
  readonly imported: number;
  readonly importedInPart: number;
  readonly skipped: number;
  readonly failed: number;
  readonly leftOut: number;
  readonly questions: number;
  readonly warnings: readonly FieldProblem[];
  /** The first errors, at most 100. */
  readonly errors: readonly ReportedError[];
  readonly omissions: readonly ReportedOmission[];
}

/** A rejected response. */
export type ReportedError = RejectedResponse;

/** These limits keep each report small enough for an event, together with up to 130,000 bytes of omissions. */
export const MAX_WARNINGS = 100;
export const MAX_ERRORS = 100;
const MAX_WARNING_BYTES = 140_000;
const MAX_ERROR_BYTES = 190_000;
const MAX_PATH_LENGTH = 150;
const MAX_WARNING_LENGTH = 400;
const MAX_DETAIL_LENGTH = 500;
/** The list of all errors has longer details than a report. */
const MAX_LISTED_DETAIL_LENGTH = 2_000;
const MAX_ID_LENGTH = 256;
const MAX_COLUMN_LENGTH = 200;

/** The end of an import: its file was read to the end, the import was cancelled, or a failure broke it off. */
export type Ending =
  | { readonly kind: 'read' | 'cancelled'; readonly failure: Failure | undefined }
  | { readonly kind: 'broken'; readonly failure: Failure };

export interface ReportContents {
  readonly questions: number;
  readonly progress: Progress;
  /** The first warnings, and the number of further ones. */
  readonly warnings: readonly FieldProblem[];
  readonly moreWarnings: number;
  /** In the order of the file. */
  readonly errors: readonly ReportedError[];
  readonly omissions: readonly ReportedOmission[];
  readonly ending: Ending;
}

export function toReport(
  { id, source, format }: Pick<Import, 'id' | 'source' | 'format'>,
  contents: ReportContents,
): Report {
  const { questions, progress, errors, omissions } = contents;
  const { rows, imported, importedInPart, skipped, failed, leftOut } = progress;
  return {
    id,
    source,
    format,
    status: statusOf(contents),
    total: rows,
    imported,
    importedInPart,
    skipped,
    failed,
    leftOut,
    questions,
    warnings: boundWarnings(contents),
    errors: firstWithin(
      MAX_ERROR_BYTES,
      errors.slice(0, MAX_ERRORS).map((error) => ({ ...error, detail: shorten(error.detail, MAX_DETAIL_LENGTH) })),
    ),
    omissions,
  };
}

function statusOf({ ending, progress: { rows, failed, leftOut } }: ReportContents): Report['status'] {
  if (ending.kind === 'cancelled') return 'cancelled';
  if (ending.kind === 'broken') return 'failed';
  // If anything was stored, the import is completed, and the errors list the rest.
  return failed === rows - leftOut && (failed > 0 || ending.failure !== undefined) ? 'failed' : 'completed';
}

export function toReportedError({ index, id, code, detail, row, column }: ReportedError): ReportedError {
  return {
    index,
    id: shorten(id, MAX_ID_LENGTH),
    code,
    detail: shorten(detail, MAX_LISTED_DETAIL_LENGTH),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column: shorten(column, MAX_COLUMN_LENGTH) }),
  };
}

/** Returns the warnings that fit into a report. The failure, if there is one, comes first. */
function boundWarnings({ ending, warnings, moreWarnings }: ReportContents): readonly FieldProblem[] {
  const { failure } = ending;
  const failures =
    failure === undefined ? [] : [{ path: '', code: failure.code, detail: failure.detail }, ...failure.errors];
  const all = [...failures, ...warnings];
  const shown = all.length + moreWarnings > MAX_WARNINGS ? all.slice(0, MAX_WARNINGS - 1) : all;
  const bounded = firstWithin(
    MAX_WARNING_BYTES,
    shown.map(({ path, code, detail }) => ({
      path: shorten(path, MAX_PATH_LENGTH),
      code,
      detail: shorten(detail, MAX_WARNING_LENGTH),
    })),
  );
  const hidden = all.length + moreWarnings - bounded.length;
  return hidden === 0 ? bounded : [...bounded, { path: '', code: 'MORE_WARNINGS', detail: `and ${hidden} more` }];
}

/** The first items whose JSON has at most this number of bytes together. */
function firstWithin<T>(maxBytes: number, items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}
