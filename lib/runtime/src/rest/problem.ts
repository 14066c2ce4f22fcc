import type { AppError } from '../errors/app-error.ts';
import { rateLimitHeaders, toRateLimit, toRateLimitPolicy } from './rate-limit-headers.ts';

/** Body of all errors of the API: RFC 9457, with additional members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  /** The response in progress, for `RESPONSE_IN_PROGRESS`. */
  readonly response_id?: string;
  /** The exceeded limit, of `TOO_MANY_REQUESTS`. */
  readonly policy?: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly detail: string }[];
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The page of the documentation about an error code, at the gateway. */
export function errorAddress(code: string): string {
  return `/docs/errors/${code}`;
}

/** Status, headers and body of an error, for services and the gateway. */
export function toProblem(
  error: AppError,
  requestId: string,
): { status: number; headers: Record<string, string>; body: Problem } {
  const { status, code, message, errors, quota, retryAfterSeconds, responseId, hasToken } = error;
  const headers: Record<string, string> = { 'content-type': PROBLEM_CONTENT_TYPE, 'cache-control': 'no-store' };
  // Without a token, RFC 6750 (section 3.1) gives no error code.
  if (status === 401) headers['www-authenticate'] = hasToken ? 'Bearer error="invalid_token"' : 'Bearer';
  const wait = Math.ceil(retryAfterSeconds ?? 1);
  if (retryAfterSeconds !== undefined || status === 503) headers['retry-after'] = String(wait);
  if (quota !== undefined) {
    headers[rateLimitHeaders.policy] = toRateLimitPolicy(quota);
    headers[rateLimitHeaders.limit] = toRateLimit(quota, 0, wait);
  }
  const body: Problem = {
    type: errorAddress(code),
    title: titleOf(code),
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(responseId === undefined ? {} : { response_id: responseId }),
    ...(quota === undefined ? {} : { policy: quota.name }),
    ...(errors.length > 0 ? { errors } : {}),
  };
  return { status, headers, body };
}

/** `SURVEY_NOT_FOUND` → `Survey not found`. */
function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
