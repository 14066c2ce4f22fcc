import type { JsonObject } from '@bufbuild/protobuf';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import type { Warn } from '../files/report.ts';
import type { TableOptions } from '../tables/table-options.ts';
import type { FileResponse } from './responses/response.ts';

export type { Warn };

export interface SurveyReadOptions {
  /** Title for files without one; can be empty. */
  readonly title: string;
  /** Language for files without one. */
  readonly language: string;
  /** Options for reading tables. */
  readonly table: TableOptions;
  readonly warn: Warn;
}

/** A converted survey. */
export interface ConvertedSurvey {
  /** The creation payload, `{schema_version, version, survey}`. The reader does not validate it. */
  readonly payload: JsonObject;
  /** Converts the path of a problem in the payload to its location in the file. */
  toFileProblem(problem: FieldProblem): FieldProblem;
  /**
   * Reads the responses in the same file; undefined if there are none. Each call starts again at the first response.
   * An invalid response is rejected alone; an unreadable file throws `INVALID_IMPORT`.
   */
  readonly responses: ((warn: Warn) => AsyncIterable<FileResponse>) | undefined;
}

/** Reads the survey files of one source and format. For any content, it throws only `INVALID_IMPORT`. */
export type SurveyFileReader = (file: ImportFile, options: SurveyReadOptions) => Promise<ConvertedSurvey>;

export interface ResponseReadOptions {
  /** Whether CSV cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
  /** Options for reading tables. */
  readonly table: TableOptions;
  readonly warn: Warn;
}

/** The survey of the responses. */
export interface AnsweredSurvey {
  /** Its creation payload, with the `source_data` from its import. */
  readonly payload: JsonObject;
  readonly definition: CompiledDefinition;
}

/**
 * Reads the response files of one source and format for an existing survey. Each call starts again at the first
 * response. It throws only `INVALID_IMPORT`, at the first unreadable position.
 */
export type ResponseFileReader = (
  file: ImportFile,
  survey: AnsweredSurvey,
  options: ResponseReadOptions,
) => AsyncIterable<FileResponse>;
