import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportOptions } from '../reading/read-import.ts';
import type { Spool } from '../staging/spool.ts';
import type { StagedFile } from '../staging/staged-file.ts';
import type { Report, ReportedOmission } from './report.ts';

/** Revisions of an import in its events. */
export const IMPORT_REVISION = { begun: 1, ended: 2 } as const;

/** The user who cancelled an import, and the request. */
export type Canceller = Pick<ChangeContext, 'actor' | 'requestId'>;

/** Numbers of responses that were handled so far, by outcome. Rejected responses count as `failed`. */
export interface Progress {
  /** All handled responses. A process that resumes the import continues after them. */
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
  /** Responses read so far, handled or not. */
  readonly read: number;
}

export const NO_PROGRESS: Progress = {
  rows: 0,
  imported: 0,
  importedInPart: 0,
  skipped: 0,
  failed: 0,
  leftOut: 0,
  bytes: 0,
  read: 0,
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
  /** Undefined for imports within their call, and after the end of the job. */
  readonly job: Job | undefined;
}

/** A job first reads its file into the spool, then stores what the spool has. */
export interface Job {
  readonly options: ImportOptions;
  readonly file: StagedFile;
  /** Undefined before anything was read, and if only the previous release has run the job. */
  readonly spool?: Spool;
  /** Undefined before anything was stored, and if only the previous release has run the job. */
  readonly sent?: Sent;
}

/** The part of the spool that was stored. The progress of the import has its counts. */
export interface Sent {
  readonly batches: number;
  /** The responses in these batches. */
  readonly rows: number;
  /** Values of these responses that are not stored as answers. */
  readonly omissions: readonly ReportedOmission[];
}

/** The reason why an import ended early. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  /** Errors with locations in the file, if known. */
  readonly errors: readonly FieldProblem[];
}
