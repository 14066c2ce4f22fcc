import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';

/** More would be an answer that is larger than the file. */
const MAX_ERRORS = 100;

/** The refusal of a file, with all that is wrong in it. */
export function invalidImport(errors: readonly FieldProblem[]): AppError {
  const [first, ...others] = errors;
  const detail = first !== undefined && others.length === 0 ? { detail: first.detail } : {};
  return new AppError('INVALID_IMPORT', { ...detail, errors: errors.slice(0, MAX_ERRORS) });
}
