import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../files/report.ts';

/** Maximum bytes of `source_data` while a file is read. `fitSize` later reduces it to the limit of a survey. */
const MAX_KEPT = 64 * 1024 * 1024;

interface Amounts {
  readonly questions: number;
  /** Bytes of the questions without their `source_data`. */
  readonly bytes: number;
  /** Bytes of the `source_data` of the questions. */
  readonly kept: number;
}

/**
 * Limits the size of a survey while it is read, because a small file can expand to more than memory.
 *
 * @param toFileProblem converts internal paths to locations in the file
 */
export function createBudget(toFileProblem: (problem: FieldProblem) => FieldProblem) {
  let left: Amounts = { questions: LIMITS.questions, bytes: LIMITS.definitionBytes, kept: MAX_KEPT };

  /** The remaining budget after these amounts. */
  const without = ({ questions, bytes, kept }: Amounts, path: string): Amounts => {
    const after = { questions: left.questions - questions, bytes: left.bytes - bytes, kept: left.kept - kept };
    if (after.questions < 0) throw reject(`${LIMITS.questions} questions`, path);
    if (after.bytes < 0) throw reject(`${LIMITS.definitionBytes} bytes`, path);
    if (after.kept < 0) throw reject(`${MAX_KEPT} bytes of source_data`, path);
    return after;
  };
  const reject = (limit: string, path: string): Error => {
    const detail = `The survey has more than ${limit} up to here, the limit of a survey`;
    return invalidImport([toFileProblem({ path, code: 'LIMIT_EXCEEDED', detail })]);
  };

  return {
    /**
     * Throws `INVALID_IMPORT` unless this many more questions fit, each with these lists. Does not count them. Call it
     * before multiplying rows by columns.
     */
    expect(questions: number, lists: readonly JsonValue[], path: string): void {
      without({ questions, bytes: questions * sizeOf(lists), kept: 0 }, path);
    },
    /** Counts a question. Throws `INVALID_IMPORT` if the survey becomes too large. */
    take({ source_data: kept = {}, ...question }: JsonObject, path: string): void {
      left = without({ questions: 1, bytes: sizeOf(question), kept: sizeOf(kept) }, path);
    },
  };
}

/** A lower bound of the JSON bytes. */
function sizeOf(value: JsonValue | readonly JsonValue[]): number {
  return JSON.stringify(value).length;
}
