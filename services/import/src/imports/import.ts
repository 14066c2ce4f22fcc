import type { Actor } from '@survey/runtime/auth/actor';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { StagedFile } from '../staging/staged-file.ts';
import type { Report } from './report.ts';

/** Revisions of an import in its events: it begins, and it ends. */
export const IMPORT_REVISION = { begun: 1, ended: 2 } as const;

/** What an import is to do, and leave. */
export interface ImportPlan {
  readonly kind: 'survey' | 'responses';
  readonly source: string;
  readonly format: string;
  /** Where the file stood in the request: a JSON pointer, empty when it was the request. */
  readonly place: string;
  /** The survey that is made, or added to. */
  readonly surveyId: string;
  /** What ids of what has none in the file follow from. */
  readonly origin: string;
  /** Title of a survey whose file has none; may be empty. */
  readonly title: string;
  readonly language: string;
  readonly preserveIds: boolean;
  readonly validateLogic: boolean;
  readonly importResponses: boolean;
  /** Whether who asked for it may import responses too. */
  readonly mayImportResponses: boolean;
  /** Whether the cells of a CSV are masked against being formulas; undefined when the file is to tell. */
  readonly unmask: boolean | undefined;
  readonly dryRun: boolean;
  readonly emitEvents: boolean;
}

/** Who has cancelled an import, and by which request. */
export type Canceller = Pick<Actor, 'actor' | 'requestId'>;

/** What became of the responses of a file so far. */
export interface Progress {
  readonly rows: number;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  /** Bytes of the file that are read. */
  readonly bytes: number;
}

export const NO_PROGRESS: Progress = { rows: 0, imported: 0, skipped: 0, failed: 0, bytes: 0 };

export type ImportStatus = 'running' | 'cancelling' | Report['status'];

/** One import, from its beginning. */
export interface Import extends Actor {
  readonly id: string;
  readonly surveyId: string;
  readonly source: string;
  readonly format: string;
  readonly dryRun: boolean;
  readonly status: ImportStatus;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
  /** In bytes. */
  readonly size: number;
  readonly progress: Progress;
  readonly questions: number;
  readonly report: Report | undefined;
  /** How often a process has died with it since it went on the last time. */
  readonly attempts: number;
  /** Since when it has broken off each time that it was gone on with; undefined when it has not. */
  readonly failingSince: Date | undefined;
  /** Who has cancelled it. */
  readonly cancelledBy: Canceller | undefined;
  /** What another process needs to go on with it; undefined for one that lives and dies with its call, and when it is over. */
  readonly job: { readonly plan: ImportPlan; readonly file: StagedFile } | undefined;
}

/** What ended an import before its time. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  /** Where, when that can be told: places in the file. */
  readonly errors: readonly FieldProblem[];
}
