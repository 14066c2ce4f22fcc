import { checkLimits } from './check-limits.ts';
import { isObject } from './json.ts';
import { createReport, type LintProblem } from './lint/report.ts';
import { reportShapeProblems } from './schema/report-shape-problems.ts';

/**
 * Checks that a definition can be stored, also as a draft. It takes any JSON value and never throws.
 *
 * `schema/definition-schema.ts` describes the payload. `compile(definition).lint` reports problems that block only
 * publishing.
 */
export function checkShape(definition: unknown): readonly LintProblem[] {
  const { report, lint } = createReport();
  reportShapeProblems(definition, 'storing', report);
  if (isObject(definition)) checkLimits(definition, report);
  return lint.errors;
}
