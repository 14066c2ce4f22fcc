import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import type { Problem } from '@survey/questionnaire/problem';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { SurveyFile } from '../sources/source.ts';

/**
 * Whether the survey of a file can be stored: gives what would keep it from being published. Throws
 * `INVALID_DEFINITION`, with all that is wrong, when its shape does not hold, and with `validateLogic` on anything else
 * too.
 */
export function checkDefinition({ payload, inFile }: SurveyFile, validateLogic: boolean): readonly FieldProblem[] {
  const inFileAll = (problems: readonly Problem[]) =>
    problems.map(({ path, code, detail }) => inFile({ path, code, detail }));
  const misshapen = inFileAll(checkShape(payload));
  if (misshapen.length > 0) throw new AppError('INVALID_DEFINITION', { errors: misshapen });
  const errors = inFileAll(compile(payload).lint.errors);
  if (validateLogic && errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  return errors;
}
