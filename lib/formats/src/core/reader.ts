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
  /** The creation payload, `{schema_version, version, survey}`. Readers of files do not validate it. */
  readonly payload: JsonObject;
  /** Converts a problem in the payload to one in the file: its path, or the row and column in its detail. */
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
  /** Whether to unmask CSV cells, which can be masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
  /** Options for reading tables. */
  readonly table: TableOptions;
  readonly warn: Warn;
}

/** The existing survey into which responses are imported. */
export interface AnsweredSurvey {
  /** Its creation payload, with the `source_data` from its import. */
  readonly payload: JsonObject;
  readonly definition: CompiledDefinition;
}

/**
 * Reads the response files of one source and format for an existing survey. Each call starts again at the first
 * response. An invalid response is rejected alone. It throws only `INVALID_IMPORT`, where the file becomes unreadable.
 */
export type ResponseFileReader = (
  file: ImportFile,
  survey: AnsweredSurvey,
  options: ResponseReadOptions,
) => AsyncIterable<FileResponse>;
