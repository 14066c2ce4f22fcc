import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError, Quota } from '../errors/app-error.ts';
import { hasBody } from './request-body.ts';

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

export function toProblem(
  error: AppError,
  requestId: string,
): { status: number; headers: Record<string, string>; body: Problem } {
  const { status, code, message, errors, quota, retryAfterSeconds, responseId, hasToken } = error;
  const headers: Record<string, string> = { 'content-type': PROBLEM_CONTENT_TYPE, 'cache-control': 'no-store' };
  // RFC 6750 (section 3.1): no error code for a request without a token.
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

/** After the reply, the rest of a body is read and discarded for this time, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Replies with an error. If another reply has begun, closes the connection instead, so that the caller does not take
 * the incomplete reply for a complete one. Never throws.
 */
export async function sendProblem(
  error: AppError,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = toProblem(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', bytes.length);
  if (request.complete || !hasBody(request)) {
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  // The rest of the body would be parsed as the next request, so close the connection, but only after reading the body.
  // An earlier close could reset the connection before the caller reads the reply.
  response.setHeader('connection', 'close');
  response.write(bytes);
  await readToEnd(request);
  response.end();
}

function readToEnd(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', done).once('close', done).resume();
  });
}

/** Header names in lower case, as in `node:http`. */
export const rateLimitHeaders = { policy: 'ratelimit-policy', limit: 'ratelimit' } as const;

/**
 * Value of `RateLimit-Policy` for a quota: draft-ietf-httpapi-ratelimit-headers-11, section 3. A quota without a window
 * limits concurrent requests.
 */
export function toRateLimitPolicy({ name, requests, windowSeconds }: Quota): string {
  const parameter = windowSeconds === undefined ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return `"${name}";q=${requests};${parameter}`;
}

/**
 * Value of `RateLimit` for a quota: section 4 of the draft.
 *
 * @param remaining remaining requests
 * @param seconds time until the quota is reset
 */
export function toRateLimit({ name }: Quota, remaining: number, seconds: number): string {
  return `"${name}";r=${remaining};t=${seconds}`;
}
