import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';

/** Limits the size of the reply. */
const MAX_ERRORS = 100;

/** The error for an invalid file, with the first errors in it. */
export function invalidImport(errors: readonly FieldProblem[]): AppError {
  const [first, ...others] = errors;
  const detail = first !== undefined && others.length === 0 ? { detail: first.detail } : {};
  return new AppError('INVALID_IMPORT', { ...detail, errors: errors.slice(0, MAX_ERRORS) });
}
