import { type ErrorCode, errorCodes } from './error-codes.ts';

/**
 * One field at fault. `path` is a JSON pointer (RFC 6901) into the request body or the checked document. In REST
 * replies, `rest/request-message.ts` replaces it for query parameters (`?name`) and path parameters (`{name}`).
 */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly detail: string;
}

/** Maximum number of problems that a check of a request reports. */
export const MAX_FIELD_PROBLEMS = 100;

/** A limit on requests per time window, or on concurrent requests. Headers contain its name: letters and dashes. */
export interface Quota {
  readonly name: string;
  readonly requests: number;
  /** Undefined for a limit on concurrent requests. */
  readonly windowSeconds: number | undefined;
}

export interface AppErrorOptions {
  /** Text for the caller; default: the text in the table of error codes. Must not contain secrets or answers. */
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  /** Seconds after which the caller may retry. */
  readonly retryAfterSeconds?: number;
  /** The exceeded limit, for `TOO_MANY_REQUESTS`. Only REST replies contain it. */
  readonly quota?: Quota;
  /** Id of the survey response that prevents the request. Only REST replies contain it. */
  readonly responseId?: string | undefined;
  /** For `INVALID_TOKEN`: whether the request had a token. `WWW-Authenticate` depends on it. Default: true. */
  readonly hasToken?: boolean;
  readonly cause?: unknown;
}

/** The only error that domain code throws. Any other error is a bug or a failed dependency. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;
  readonly quota: Quota | undefined;
  readonly responseId: string | undefined;
  readonly hasToken: boolean;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.detail ?? errorCodes[code].detail,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
    this.responseId = options.responseId;
    this.hasToken = options.hasToken ?? true;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** The error for a missing permission. The gateway and services use the same text. */
export function permissionDenied(permission: string): AppError {
  return new AppError('PERMISSION_DENIED', { detail: `Permission '${permission}' required` });
}
