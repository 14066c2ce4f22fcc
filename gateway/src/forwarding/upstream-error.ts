import { AppError } from '@survey/runtime/errors/app-error';

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
];
const CONNECTION_LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const TIMED_OUT = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** The error for the client when a service did not reply. */
export function toUpstreamError(cause: unknown, timedOut: boolean): AppError {
  if (timedOut) return new AppError('DEADLINE_EXCEEDED', { cause });
  const code = codeOf(cause);
  if (code !== undefined && UNREACHABLE.includes(code))
    return new AppError('UNAVAILABLE', { cause, retryAfterSeconds: 1 });
  return new AppError('UPSTREAM_INVALID', { cause });
}

/** Whether the connection was lost, as when the service closes it. */
export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOST.includes(codeOf(error) ?? '');
}

/** Whether the service sent no data in time. */
export function isTimeout(error: unknown): boolean {
  return TIMED_OUT.includes(codeOf(error) ?? '');
}

/** The code of an error. For a host name with several addresses, Node.js gives the code of the last attempt. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
