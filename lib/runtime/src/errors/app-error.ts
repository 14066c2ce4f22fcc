import { type Reason, reasons } from './reasons.ts';

/** One field at fault. `path` is a JSON pointer (RFC 6901) into the request body or the checked document. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly detail: string;
}

/** How many fields at fault an answer tells at the most: enough to mend a request, whatever was in it. */
export const MAX_FIELD_PROBLEMS = 100;

/** So many requests in so long a time, or at the same time. The name is made of letters and dashes. */
export interface Quota {
  readonly name: string;
  readonly requests: number;
  /** Undefined for requests at the same time. */
  readonly windowSeconds: number | undefined;
}

export interface AppErrorOptions {
  /** What the caller reads; the table's text when absent. Never holds secrets or answers. */
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  /** How long the caller should wait before it tries again, in seconds. */
  readonly retryAfterSeconds?: number;
  /** What the caller has used up; for `TOO_MANY_REQUESTS`. REST alone tells it. */
  readonly quota?: Quota;
  readonly cause?: unknown;
}

/** The one error that domain code throws. Everything else that is thrown is a bug or a broken dependency. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly reason: Reason;
  readonly errors: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;
  readonly quota: Quota | undefined;

  constructor(reason: Reason, options: AppErrorOptions = {}) {
    super(options.detail ?? reasons[reason].detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
  }

  /** HTTP status of the reason. */
  get status(): number {
    return reasons[this.reason].status;
  }
}
