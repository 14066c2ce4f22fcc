import { AppError } from '@survey/runtime/errors/app-error';

const AWAY = [
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
const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const SILENT = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** What the caller is told when a service gave no answer. */
export function toUpstreamError(cause: unknown, timedOut: boolean): AppError {
  if (timedOut) return new AppError('DEADLINE_EXCEEDED', { cause });
  const code = codeOf(cause);
  if (code !== undefined && AWAY.includes(code)) return new AppError('UNAVAILABLE', { cause, retryAfterSeconds: 1 });
  return new AppError('UPSTREAM_INVALID', { cause });
}

/** Whether the connection was lost, as happens to one that the service was just closing. */
export function isLoss(error: unknown): boolean {
  return LOST.includes(codeOf(error) ?? '');
}

/** Whether the service was silent for too long. */
export function isTimeout(error: unknown): boolean {
  return SILENT.includes(codeOf(error) ?? '');
}

/** A name with several addresses fails with an error that has the code of the last one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
