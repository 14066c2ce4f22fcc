import { ApiError } from '@survey/client';

/** Status of errors of the page itself. */
const PAGE_FAILED = -1;

/**
 * Whether the same request can succeed later. The outcome of the failed request is unknown: the platform may have
 * processed it.
 */
export function isTemporary(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === PAGE_FAILED) return false;
  const { status, code } = error;
  // A proxy or a captive portal sends unexpected replies, with any status.
  return status === 0 || status === 408 || status === 429 || status >= 500 || code === 'UNEXPECTED_REPLY';
}

/** Whether the platform has rejected the request, so that the request has changed nothing. */
export function isRejected(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !isTemporary(error);
}

/**
 * Whether the link rejects this visitor. The platform reports this before it compares idempotency keys, so an earlier
 * request with the same key may have created a response.
 */
export function isAccessDenied({ code }: ApiError): boolean {
  return code === 'LINK_PASSWORD_WRONG' || code === 'LINK_TOKEN_WRONG';
}

/** Whether the request did not reach the platform, as far as the browser knows. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/**
 * Whether the response is complete or deleted, for example because another tab has submitted it. The answers in the
 * browser cannot be sent any more.
 */
export function isResponseOver({ code }: ApiError): boolean {
  return code === 'STATE_CONFLICT' || code === 'RESPONSE_DELETED';
}

/** Whether another device has saved the response, or has begun one with the same token of a single-use link. */
export function isFromAnotherDevice({ code }: ApiError): boolean {
  return code === 'PRECONDITION_FAILED' || code === 'RESPONSE_IN_PROGRESS';
}

/** Reads the question from a JSON pointer such as `/data/ate` or `/data/ate/row`. */
export function questionIdOf(path: string): string | undefined {
  const [, member, id] = path.split('/');
  return member === 'data' ? id?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined;
}

/** Whether an error is about the metadata of a response, such as `/metadata/campaign`. */
export function isAboutMetadata({ path }: ApiError['errors'][number]): boolean {
  return path === '/metadata' || path.startsWith('/metadata/');
}

/** Converts an error of the page itself to an `ApiError`, with a status that no reply and no lost connection has. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('the page failed', { code: 'UNEXPECTED_REPLY', status: PAGE_FAILED, cause: error });
}
