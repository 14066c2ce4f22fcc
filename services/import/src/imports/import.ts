import type { AnswerPolicy } from '@survey/formats/core/responses/fit';
import type { TableOptions } from '@survey/formats/tables/table-options';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { StagedFile } from '../staging/staged-file.ts';
import type { Report } from './report.ts';

/** Revisions of an import in its events. */
export const IMPORT_REVISION = { begun: 1, ended: 2 } as const;

/** Options of an import. Jobs store them under these names. */
export interface ImportOptions {
  readonly kind: 'survey' | 'responses';
  readonly source: string;
  readonly format: string;
  /** Location of the file in the request: a JSON pointer, empty if the file was the body. */
  readonly location: string;
  /** Id of the new survey, or of the survey to add responses to. */
  readonly surveyId: string;
  /** New ids of responses and questions are derived from it. A repeated request has the same origin. */
  readonly origin: string;
  /**
   * Time of the first request with the idempotency key, by the clock of the database. Undefined without a key.
   * Responses that were deleted after it are not stored again, even if a late copy of the request begins afterwards.
   */
  readonly requestedAt: Date | undefined;
  /** Default title of the survey; may be empty. */
  readonly title: string;
  readonly language: string;
  readonly preserveIds: boolean;
  /** Whether a file with lint errors is rejected. If not, lint errors are warnings, and the survey stays a draft. */
  readonly validateLogic: boolean;
  readonly importResponses: boolean;
  /** Whether the caller has the permission to import responses. */
  readonly mayImportResponses: boolean;
  /** Whether to remove the apostrophes that protect CSV cells from being run as formulas; undefined to detect them. */
  readonly unmask: boolean | undefined;
  readonly table: TableOptions;
  /** Treatment of invalid answers, unfinished responses and tests. */
  readonly answers: AnswerPolicy;
  readonly dryRun: boolean;
  readonly emitEvents: boolean;
}

/** The user who cancelled an import, and the request. */
export type Canceller = Pick<ChangeContext, 'actor' | 'requestId'>;

/** Numbers of responses that were handled so far, by outcome. Rejected responses count as `failed`. */
export interface Progress {
  /** All handled responses. A process that resumes the import skips this number of responses. */
  readonly rows: number;
  readonly imported: number;
  /** Imported responses with an omission: a value that is not stored as an answer. */
  readonly importedInPart: number;
  /** Responses that existed already. */
  readonly skipped: number;
  readonly failed: number;
  /** Responses that the options leave out, such as tests and unfinished ones. */
  readonly leftOut: number;
  /** Bytes of the file read so far. */
  readonly bytes: number;
}

export const NO_PROGRESS: Progress = {
  rows: 0,
  imported: 0,
  importedInPart: 0,
  skipped: 0,
  failed: 0,
  leftOut: 0,
  bytes: 0,
};

export type ImportStatus = 'running' | 'cancelling' | Report['status'];

/**
 * An import and its state. A job is an import that runs after its call got a reply. Any process can run a job, and
 * resume it after a crash. Other imports run within their call, and end before its reply.
 */
export interface Import extends ChangeContext {
  readonly id: string;
  readonly surveyId: string;
  readonly source: string;
  readonly format: string;
  readonly dryRun: boolean;
  readonly status: ImportStatus;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
  /** Size of the file, in bytes. */
  readonly size: number;
  readonly progress: Progress;
  readonly questions: number;
  readonly report: Report | undefined;
  /** Number of processes that died while they ran the job, since its last stored progress. */
  readonly deaths: number;
  /** Start of the current series of failed attempts to run the job; undefined if the job is not failing. */
  readonly failingSince: Date | undefined;
  readonly cancelledBy: Canceller | undefined;
  /** Options and file of a job. Undefined for other imports and after the end of the job. */
  readonly job: { readonly options: ImportOptions; readonly file: StagedFile } | undefined;
}

/** The reason why an import ended early. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  /** Errors with locations in the file, if known. */
  readonly errors: readonly FieldProblem[];
}
