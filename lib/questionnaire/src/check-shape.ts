import { isObject } from './json.ts';
import type { LintProblem } from './lint/report.ts';
import { createReport } from './lint/report.ts';
import { checkHeader } from './shape/check-header.ts';
import { checkLimits } from './shape/check-limits.ts';
import { checkMembers } from './shape/check-members.ts';
import { checkSurvey } from './shape/check-survey.ts';

/**
 * Checks what must hold for a definition to be stored at all, a draft included.
 *
 * The payload is `{schema_version, version, survey: {title, supported_languages, pages: [{questions}], …}}`.
 * `definition/members.ts` lists every member.
 * Takes any JSON value and never throws; an empty list means that the shape holds. What a draft may lack is
 * the matter of `compile(definition).lint`.
 */
export const checkShape = (definition: unknown): readonly LintProblem[] => {
  const { report, lint } = createReport();
  if (!isObject(definition)) {
    report('WRONG_TYPE', '', 'the definition must be an object');
    return lint.errors;
  }
  checkHeader(definition, report);
  checkSurvey(definition, report);
  checkMembers(definition, report);
  checkLimits(definition, report);
  return lint.errors;
};
