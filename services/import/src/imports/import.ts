import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportOptions } from '../reading/read-import.ts';
import type { StagedFile } from '../staging/staged-file.ts';
import type { Report } from './report.ts';

/** Revisions of an import in its events. */
export const IMPORT_REVISION = { begun: 1, ended: 2 } as const;

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
