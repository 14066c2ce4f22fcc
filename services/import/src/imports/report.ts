import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Outcome } from '../responses/response-client.ts';
import type { ResponseOutcome } from '../responses/response-sender.ts';
import type { Import } from './import.ts';

/** What an import did. */
export interface Report {
  readonly id: string;
  readonly source: string;
  readonly format: string;
  readonly status: 'completed' | 'failed';
  readonly total: number;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly questions: number;
  readonly warnings: readonly FieldProblem[];
  readonly errors: readonly ReportedError[];
}

interface ReportedError {
  readonly index: number;
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

/** Together they keep a report small enough for an event, whatever names and ids a file has. */
const MAX_WARNINGS = 100;
const MAX_ERRORS = 100;
const MAX_PATH = 200;
const MAX_DETAIL = 500;
const MAX_ID = 256;

export interface ReportContents {
  readonly questions: number;
  readonly warnings: readonly FieldProblem[];
  /** In the order of the file. */
  readonly outcomes: readonly ResponseOutcome[];
  /** What ended the import before its time. */
  readonly failure: Pick<FieldProblem, 'code' | 'detail'> | undefined;
}

export function toReport(
  { id, source, format }: Import,
  { questions, warnings, outcomes, failure }: ReportContents,
): Report {
  const count = (outcome: Outcome['outcome']) => outcomes.filter((item) => item.outcome === outcome).length;
  const failed = count('failed');
  // Of one that stored anything, the errors tell the rest.
  const hasFailed = failed === outcomes.length && (failed > 0 || failure !== undefined);
  return {
    id,
    source,
    format,
    status: hasFailed ? 'failed' : 'completed',
    total: outcomes.length,
    imported: count('imported'),
    skipped: count('skipped'),
    failed,
    questions,
    warnings: boundWarnings(failure === undefined ? warnings : [{ path: '', ...failure }, ...warnings]),
    errors: outcomes.flatMap((item) => (item.outcome === 'failed' ? [toError(item)] : [])).slice(0, MAX_ERRORS),
  };
}

function toError({ index, id, code, detail }: ReportedError): ReportedError {
  return { index, id: cut(id, MAX_ID), code, detail: cut(detail, MAX_DETAIL) };
}

function boundWarnings(warnings: readonly FieldProblem[]): readonly FieldProblem[] {
  const shown = warnings.length > MAX_WARNINGS ? warnings.slice(0, MAX_WARNINGS - 1) : warnings;
  const bounded = shown.map(({ path, code, detail }) => ({
    path: cut(path, MAX_PATH),
    code,
    detail: cut(detail, MAX_DETAIL),
  }));
  const hidden = warnings.length - shown.length;
  return hidden === 0 ? bounded : [...bounded, { path: '', code: 'MORE_WARNINGS', detail: `and ${hidden} more` }];
}

/** Whole characters only: half of one cannot be sent. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
