import type { Problem } from './generated/types.ts';

/** An invalid field of a request. */
export type FieldError = NonNullable<Problem['errors']>[number];

/** Codes of errors without a reply of the platform. */
export type ClientErrorCode =
  /** The connection failed or was lost. The platform may still have carried out the request. */
  | 'CONNECTION_LOST'
  /** There was no complete reply in time. The platform may still have carried out the request. */
  | 'TIMEOUT'
  /** The reply does not come from the platform, but for example from a proxy. Redirects are not followed. */
  | 'UNEXPECTED_REPLY';

interface Details {
  readonly code: ApiError['code'];
  readonly status: number;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A failed request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The stable code, such as `SURVEY_NOT_FOUND`. Use it to handle errors. */
  readonly code: Problem['code'] | ClientErrorCode;
  /** The HTTP status; 0 without a reply, and in browsers for a redirect. */
  readonly status: number;
  /** Invalid fields, each with a JSON pointer to it. */
  readonly errors: readonly FieldError[];
  /** Identifies the request in the logs of the platform. Name it when you report a problem. */
  readonly requestId: string | undefined;
  /** The response in progress, for `RESPONSE_IN_PROGRESS`. */
  readonly responseId: string | undefined;
  /** The wait that the platform asks for, before the request is sent again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    { code, status, errors = [], requestId, responseId, retryAfterSeconds, cause }: Details,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.responseId = responseId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Converts the reply of a failed request. */
export async function toApiError(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  const { status, headers } = response;
  return new ApiError(problem?.detail ?? `unexpected reply with status ${status}`, {
    code: problem?.code ?? 'UNEXPECTED_REPLY',
    status,
    errors: problem?.errors,
    requestId: problem?.request_id ?? headers.get('x-request-id') ?? undefined,
    responseId: problem?.response_id,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  });
}

/** Browsers hide status and headers of a redirect that is not followed. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** The error of a reply that is a redirect to another address than `url`. */
export async function toRedirectError(response: Response, url: string): Promise<ApiError> {
  await response.body?.cancel();
  const location = response.headers.get('location') ?? '';
  const target = URL.canParse(location, url) ? new URL(location, url).origin : 'an unknown address';
  const message = `the reply redirects to ${target}; redirects are not followed: correct the address of the platform`;
  return new ApiError(message, { code: 'UNEXPECTED_REPLY', status: response.status });
}

async function readProblem(response: Response): Promise<Problem | undefined> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  if (!isProblem) {
    await response.body?.cancel();
    return undefined;
  }
  return (await response.json()) as Problem;
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
