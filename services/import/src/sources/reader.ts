import type { JsonObject } from '@bufbuild/protobuf';
import type { CompiledDefinition } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import type { FileResponse } from '../responses/file-response.ts';

/** Told of what is taken over differently than it stands in a file. Paths are JSON pointers into the file, or say its place. */
export type Warn = (warning: FieldProblem) => void;

export interface SurveyReadOptions {
  /** Title of a survey whose file has none; may be empty. */
  readonly title: string;
  /** Language of a survey whose file names none. */
  readonly language: string;
  readonly warn: Warn;
}

/** The survey of a file in the common shape. */
export interface ReadSurvey {
  /** The creation payload, `{schema_version, version, survey}`; whether it is sound is for others to find out. */
  readonly payload: JsonObject;
  /** A problem of the payload, told by the place in the file that it comes from. */
  inFile(problem: FieldProblem): FieldProblem;
  /**
   * The responses that the file holds beside the survey, from the first one each time; undefined when it holds none.
   * One that cannot be taken is refused by itself; `INVALID_IMPORT` is thrown where the file cannot be read on.
   */
  readonly responses: ((warn: Warn) => AsyncIterable<FileResponse>) | undefined;
}

/** Reads the survey files of one source and format. Throws `INVALID_IMPORT`, and nothing else, whatever the file holds. */
export type SurveyFileReader = (file: ImportFile, options: SurveyReadOptions) => Promise<ReadSurvey>;

export interface ResponseReadOptions {
  /** Whether the cells of a CSV are masked against being formulas; undefined when the file is to tell. */
  readonly unmask: boolean | undefined;
  readonly warn: Warn;
}

/** The survey that responses are read for. */
export interface AnsweredSurvey {
  /** Its creation payload, with the `source_data` that its reader has kept. */
  readonly payload: JsonObject;
  readonly definition: CompiledDefinition;
}

/**
 * Reads the response files of one source and format, for a survey that there is, from the first one each time. Throws
 * `INVALID_IMPORT`, and nothing else, where the file cannot be read (on).
 */
export type ResponseFileReader = (
  file: ImportFile,
  survey: AnsweredSurvey,
  options: ResponseReadOptions,
) => AsyncIterable<FileResponse>;
