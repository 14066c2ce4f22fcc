import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { CompiledDefinition } from '@survey/questionnaire/compile';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { FileResponse } from '../responses/file-response.ts';

export interface ReadOptions {
  /** Title of a survey whose file has none; may be empty. */
  readonly title: string;
  /** Language of a survey whose file names none. */
  readonly language: string;
  /** Whether to read the responses too. */
  readonly importResponses: boolean;
}

/** A file of another tool in the common shape. All paths are JSON pointers into the request. */
export interface SurveyFile {
  /** The creation payload, `{schema_version, version, survey}`; whether it is sound is for others to find out. */
  readonly payload: JsonObject;
  readonly responses: readonly FileResponse[];
  /** What was taken over differently than it stands in the file. */
  readonly warnings: readonly FieldProblem[];
  /** A problem of the payload, told by the place in the file that it comes from. */
  inFile(problem: FieldProblem): FieldProblem;
}

/** Reads the survey files of one source and format. */
export interface SurveyReader {
  /** Whether `read` would find responses. Looks no further, and never throws. */
  hasResponses(data: JsonValue): boolean;
  /** Throws `INVALID_IMPORT`, and nothing else, whatever the file holds. */
  read(data: JsonValue, options: ReadOptions): SurveyFile;
}

export interface ResponseFile {
  readonly responses: readonly FileResponse[];
  readonly warnings: readonly FieldProblem[];
}

interface ResponseReadOptions {
  /** Whether the cells of a CSV are masked against being formulas; undefined when the file is to tell. */
  readonly unmask: boolean | undefined;
}

/** Reads a file of responses to a survey that there is. Throws `INVALID_IMPORT`, and nothing else. */
export type ResponseReader = (
  data: JsonValue,
  definition: CompiledDefinition,
  options: ResponseReadOptions,
) => ResponseFile;

/** What one call may bring. */
const MAX_RESPONSES = 1_000;

/** More would be an answer that is larger than the file. */
const MAX_ERRORS = 100;

/** The refusal of a file, with all that is wrong in it. */
export function invalidImport(errors: readonly FieldProblem[]): AppError {
  const [first, ...others] = errors;
  const detail = first !== undefined && others.length === 0 ? { detail: first.detail } : {};
  return new AppError('INVALID_IMPORT', { ...detail, errors: errors.slice(0, MAX_ERRORS) });
}

/** Throws `INVALID_IMPORT` when there are more responses than one call may bring. */
export function checkResponseCount(count: number, path: string): void {
  if (count <= MAX_RESPONSES) return;
  const detail = `There are more than ${MAX_RESPONSES} responses, which is the limit of one import; split the file`;
  throw invalidImport([{ path, code: 'TOO_MANY_RESPONSES', detail }]);
}
