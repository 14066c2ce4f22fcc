import { ApiError } from '@survey/client';

/** Statuses after which the same request can succeed later: no reply, too many requests, or an outage. */
const TEMPORARY = [0, 429, 502, 503, 504];

export function isTemporary(error: unknown): error is ApiError {
  return error instanceof ApiError && TEMPORARY.includes(error.status);
}

/** Whether the request did not reach the platform, as far as the browser knows. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Reads the question from a JSON pointer such as `/data/ate` or `/data/ate/row`. */
export function questionIdOf(path: string): string | undefined {
  const [, member, id] = path.split('/');
  return member === 'data' ? id?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined;
}

/** An error of the page itself must not look like one of the connection. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('the page failed', { code: 'UNEXPECTED_REPLY', status: -1, cause: error });
}
