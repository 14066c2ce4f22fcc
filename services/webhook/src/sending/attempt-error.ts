import { errors } from 'undici';

/** Causes of an attempt without a valid reply. Tenants see them, and metrics count them. */
export const attemptFailures = [
  'timeout',
  'dns_failed',
  // The platform does not send to this address.
  'address_refused',
  'connection_refused',
  'connection_failed',
  'connection_lost',
  'tls_failed',
  // The reply is not valid HTTP, or too large. The API keeps this old name.
  'invalid_answer',
] as const;

export type AttemptFailure = (typeof attemptFailures)[number];

/** An attempt without a reply. Tenants see the message: the failure and, if there is one, an error code. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure, cause?: unknown) {
    const code = codeOf(cause);
    super(code === undefined ? failure : `${failure}: ${code}`, { cause });
    this.failure = failure;
  }
}

/** Maps errors after the connection was established. */
export function toExchangeError(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  const isProtocol = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
  return new AttemptError(isProtocol ? 'invalid_answer' : 'connection_lost', error);
}

/** Maps errors before the connection was established. */
export function toConnectionError(error: unknown): AttemptError {
  const code = codeOf(error);
  return code === 'ECONNREFUSED'
    ? new AttemptError('connection_refused')
    : new AttemptError('connection_failed', error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
