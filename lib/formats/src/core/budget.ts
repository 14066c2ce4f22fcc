import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../files/report.ts';

/** Maximum bytes of `source_data` while a file is read. Later, `fitSize` reduces them to the limit of a survey. */
const MAX_SOURCE_DATA = 64 * 1024 * 1024;

interface Amounts {
  readonly questions: number;
  /** Bytes of the questions without their `source_data`. */
  readonly bytes: number;
  /** Bytes of the `source_data` of the questions. */
  readonly sourceData: number;
}

/**
 * Limits the size of a survey while it is read, because a small file can expand to more than memory.
 *
 * @param toFileProblem converts internal paths to locations in the file
 */
export function createBudget(toFileProblem: (problem: FieldProblem) => FieldProblem) {
  let left: Amounts = { questions: LIMITS.questions, bytes: LIMITS.definitionBytes, sourceData: MAX_SOURCE_DATA };

  /** The remaining budget after these amounts. */
  const subtract = ({ questions, bytes, sourceData }: Amounts, path: string): Amounts => {
    const after = {
      questions: left.questions - questions,
      bytes: left.bytes - bytes,
      sourceData: left.sourceData - sourceData,
    };
    if (after.questions < 0) throw reject(`${LIMITS.questions} questions`, path);
    if (after.bytes < 0) throw reject(`${LIMITS.definitionBytes} bytes`, path);
    if (after.sourceData < 0) throw reject(`${MAX_SOURCE_DATA} bytes of source_data`, path, 'an import');
    return after;
  };
  const reject = (limit: string, path: string, owner = 'a survey'): Error => {
    const detail = `The survey has more than ${limit} up to here, the limit of ${owner}`;
    return invalidImport([toFileProblem({ path, code: 'LIMIT_EXCEEDED', detail })]);
  };

  return {
    /**
     * Throws `INVALID_IMPORT` unless this many more questions fit, each with these lists. Does not count them. Call it
     * before a table is divided into a question for each row and column.
     */
    requireCapacityFor(questions: number, lists: readonly JsonValue[], path: string): void {
      subtract({ questions, bytes: questions * sizeOf(lists), sourceData: 0 }, path);
    },
    /** Counts a question. Throws `INVALID_IMPORT` if the survey becomes too large. */
    take({ source_data: sourceData = {}, ...question }: JsonObject, path: string): void {
      left = subtract({ questions: 1, bytes: sizeOf(question), sourceData: sizeOf(sourceData) }, path);
    },
  };
}

/** The characters of the JSON text, which has at least as many bytes. The finished survey is measured exactly. */
function sizeOf(value: JsonValue | readonly JsonValue[]): number {
  return JSON.stringify(value).length;
}
