import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';

/**
 * Receives warnings about changed or lost data. The path is a JSON pointer into the file. If the file is not JSON, the
 * detail names the location. Call `warn` only for a warning that can occur once in a file; else make a `WarnOnce`.
 */
export type Warn = (warning: FieldProblem) => void;

/** Limits the size of the reply. */
const MAX_ERRORS = 100;

/** The error for an invalid file, with the first errors in it. */
export function invalidImport(errors: readonly FieldProblem[]): AppError {
  const [first, ...others] = errors;
  const detail = first !== undefined && others.length === 0 ? { detail: first.detail } : {};
  return new AppError('INVALID_IMPORT', { ...detail, errors: errors.slice(0, MAX_ERRORS) });
}

/** The error for an invalid file, with its only problem. The detail names the location, if there is one. */
export function invalidFile(code: string, detail: string): AppError {
  return invalidImport([{ path: '', code, detail }]);
}

/** The error for a file that is not of the expected kind, with the path of the member of the wrong type. */
export function wrongType(path: string, detail: string): AppError {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}

/** Maximum keys of warnings in memory: a file can have any number. A report keeps far fewer warnings. */
const MAX_KEYS = 10_000;
const MAX_KEY_LENGTH = 200;
/** After this many warnings of one key for different questions, one more says that there are others. */
const MAX_QUESTIONS = 10;

/**
 * Emits only the first warning of a code and key, for warnings that can occur at many places of a file. Keys with the
 * same first 200 characters are one key.
 *
 * @param question name of a question, for changes that respondents notice. The first ten questions of a key have a
 *   warning each. The eleventh warning adds that the same happens to other questions.
 */
export type WarnOnce = (key: string, warning: FieldProblem, question?: string) => void;

export function createWarnOnce(warn: Warn): WarnOnce {
  const reported = new Set<string>();
  const counts = new Map<string, number>();

  /** Records a key. Returns false if it was recorded before, or if there are too many keys. */
  function isNewKey(key: string): boolean {
    if (reported.has(key) || reported.size >= MAX_KEYS) return false;
    reported.add(key);
    return true;
  }

  return (key, warning, question) => {
    const codeAndKey = `${warning.code}\n${key.slice(0, MAX_KEY_LENGTH)}`;
    if (question === undefined) {
      if (isNewKey(codeAndKey)) warn(warning);
      return;
    }
    const count = counts.get(codeAndKey) ?? 0;
    const ofQuestion = JSON.stringify([codeAndKey, question.slice(0, MAX_KEY_LENGTH)]);
    if (count > MAX_QUESTIONS || !isNewKey(ofQuestion)) return;
    counts.set(codeAndKey, count + 1);
    const isLast = count === MAX_QUESTIONS;
    warn(isLast ? { ...warning, detail: `${warning.detail}. The same happens to other questions` } : warning);
  };
}
