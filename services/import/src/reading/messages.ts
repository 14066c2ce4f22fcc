import type { MessagePort } from 'node:worker_threads';
import type { JsonObject } from '@bufbuild/protobuf';
import type { FilePlan, PlanRequest } from '@survey/formats/plans/file-plan';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import type { Batch } from './batches.ts';
import type { ReadRequest, ReadSurvey } from './read-import.ts';

/** A request to plan an import, without its file. */
export interface PlanFileRequest {
  readonly plan: Omit<PlanRequest, 'survey'>;
  /** The survey of responses; undefined to plan a new survey. */
  readonly payload: JsonObject | undefined;
}

/** The task of a thread. All messages are sent over the port. */
export interface ReadTask {
  readonly request: ReadRequest | PlanFileRequest;
  /** Size of the file, in bytes. */
  readonly size: number;
  readonly port: MessagePort;
}

/** An `AppError` of the file, or the text of an unexpected error. */
export type ThreadError =
  | { readonly code: ErrorCode; readonly detail: string; readonly errors: readonly FieldProblem[] }
  | { readonly stack: string };

/** Messages to a thread. A file can be opened several times: `opened` counts from 0. */
export type ToThread =
  /** The next piece of the file; undefined after the last one. */
  | { readonly kind: 'piece'; readonly opened: number; readonly bytes: Uint8Array | undefined }
  /** The file cannot be read further. The error stays with the sender. */
  | { readonly kind: 'broken'; readonly opened: number }
  /** The last batch was taken. */
  | { readonly kind: 'more' }
  | { readonly kind: 'stop' };

/** Messages from a thread. After `done` or `failed`, there are no others. */
export type FromThread =
  | { readonly kind: 'started'; readonly threadId: number }
  /** Asks for the next piece of the file. */
  | { readonly kind: 'next'; readonly opened: number }
  | { readonly kind: 'close'; readonly opened: number }
  | { readonly kind: 'warning'; readonly warning: FieldProblem }
  | { readonly kind: 'plan'; readonly plan: FilePlan }
  | { readonly kind: 'read'; readonly read: ReadSurvey }
  /** The thread waits for `more` afterwards. */
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: ThreadError };
