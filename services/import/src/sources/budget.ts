import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../files/invalid-import.ts';

/** What may be kept without a meaning, on its way to be left out where it is too much: small files can multiply it. */
const MAX_KEPT = 64 * 1024 * 1024;

/**
 * What a survey may come to while it is read: a small file can ask for more than there is memory for. A survey that is
 * refused here could not be stored anyway.
 */
export interface Budget {
  /**
   * Throws `INVALID_IMPORT` when there is no room for as many more questions, or for these lists in each of them; counts
   * nothing. For whoever multiplies rows by columns, before that is done.
   */
  expect(questions: number, lists: readonly JsonValue[], path: string): void;
  /** Counts a question; throws `INVALID_IMPORT` when it is one too many, or too large. */
  take(question: JsonObject, path: string): void;
}

interface Amounts {
  readonly questions: number;
  readonly bytes: number;
  readonly kept: number;
}

/** @param inFile tells a problem by its place in the file, where paths are something else yet */
export function createBudget(inFile: (problem: FieldProblem) => FieldProblem = (problem) => problem): Budget {
  let left: Amounts = { questions: LIMITS.questions, bytes: LIMITS.definitionBytes, kept: MAX_KEPT };

  /** What is left after these. */
  const without = ({ questions, bytes, kept }: Amounts, path: string): Amounts => {
    const after = { questions: left.questions - questions, bytes: left.bytes - bytes, kept: left.kept - kept };
    if (after.questions < 0) throw refuse(`${LIMITS.questions} questions`, path);
    if (after.bytes < 0) throw refuse(`${LIMITS.definitionBytes} bytes`, path);
    if (after.kept < 0) throw refuse(`${MAX_KEPT} bytes without a meaning`, path);
    return after;
  };
  const refuse = (what: string, path: string): Error => {
    const detail = `With what is here the survey has more than ${what}: no survey may have as much`;
    return invalidImport([inFile({ path, code: 'LIMIT_EXCEEDED', detail })]);
  };

  return {
    expect(questions, lists, path) {
      without({ questions, bytes: questions * sizeOf(lists), kept: 0 }, path);
    },
    take({ source_data: kept = {}, ...question }, path) {
      left = without({ questions: 1, bytes: sizeOf(question), kept: sizeOf(kept) }, path);
    },
  };
}

/** Not more than its bytes. */
function sizeOf(value: JsonValue | readonly JsonValue[]): number {
  return JSON.stringify(value).length;
}
