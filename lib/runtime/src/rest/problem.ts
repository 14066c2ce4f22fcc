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
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly detail: string }[];
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** Status, headers and body of an error, for services and the gateway. */
export function toProblem(
  error: AppError,
  requestId: string,
): { status: number; headers: Record<string, string>; body: Problem } {
  const { status, code, message, errors, quota, retryAfterSeconds, responseId } = error;
  const headers: Record<string, string> = { 'content-type': PROBLEM_CONTENT_TYPE, 'cache-control': 'no-store' };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  const wait = Math.ceil(retryAfterSeconds ?? 1);
  if (retryAfterSeconds !== undefined || status === 503) headers['retry-after'] = String(wait);
  if (quota !== undefined) {
    headers[rateLimitHeaders.policy] = toRateLimitPolicy(quota);
    headers[rateLimitHeaders.limit] = toRateLimit(quota, 0, wait);
  }
  const body: Problem = {
    type: `urn:survey:error:${code}`,
    title: titleOf(code),
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(responseId === undefined ? {} : { response_id: responseId }),
    ...(errors.length > 0 ? { errors } : {}),
  };
  return { status, headers, body };
}

/** `SURVEY_NOT_FOUND` → `Survey not found`. */
function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
