import { addProblem, type Problem, toProblem } from '../problem.ts';
import { LINT_CODES, type LintCode } from './lint-codes.ts';

export type LintProblem = Problem<LintCode>;

/** Adds a problem of a definition; `path` is a JSON pointer from the payload's root. */
export type ReportProblem = (code: LintCode, path: string, detail: string, questionId?: string) => void;

export interface Lint {
  readonly errors: readonly LintProblem[];
  readonly warnings: readonly LintProblem[];
}

/** Creates a `Report` that sorts problems into errors and warnings. */
export function createReport(): { readonly report: ReportProblem; readonly lint: Lint } {
  const errors: LintProblem[] = [];
  const warnings: LintProblem[] = [];
  const report: ReportProblem = (code, path, detail, questionId) =>
    addProblem(LINT_CODES[code].level === 'error' ? errors : warnings, toProblem(code, path, detail, questionId));
  return { report, lint: { errors, warnings } };
}
