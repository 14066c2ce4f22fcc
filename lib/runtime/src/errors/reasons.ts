/**
 * All error codes of the platform; the list is complete and stable.
 *
 * `code` is the gRPC status (https://grpc.io/docs/guides/status-codes/), `status` the HTTP status, and `detail` the
 * default text for callers.
 */
export const reasons = {
  INVALID_REQUEST: { code: 'InvalidArgument', status: 400, detail: 'The request is malformed' },
  IDEMPOTENCY_KEY_WEAK: {
    code: 'InvalidArgument',
    status: 400,
    detail: 'Without a token, Idempotency-Key must be a random UUID (version 4 or 7)',
  },
  INVALID_CURSOR: { code: 'InvalidArgument', status: 400, detail: 'The cursor does not belong to this list' },
  INVALID_TOKEN: { code: 'Unauthenticated', status: 401, detail: 'Invalid token' },
  PERMISSION_DENIED: { code: 'PermissionDenied', status: 403, detail: 'Permission required' },
  LINK_PASSWORD_WRONG: { code: 'PermissionDenied', status: 403, detail: 'The link needs its password' },
  LINK_TOKEN_WRONG: { code: 'PermissionDenied', status: 403, detail: 'The link needs one of its tokens' },
  LINKS_ONLY: { code: 'PermissionDenied', status: 403, detail: 'The survey can only be answered through a link' },
  ROUTE_NOT_FOUND: { code: 'Unimplemented', status: 404, detail: 'No operation has this path' },
  TENANT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Tenant not found' },
  USER_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'User not found' },
  API_KEY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'API key not found' },
  PROJECT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Project not found' },
  LINK_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Link not found' },
  VERSION_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'The survey has no such version' },
  DRAFT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'The survey has no draft' },
  SURVEY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Survey not found' },
  RESPONSE_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Response not found' },
  FILE_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'File not found' },
  WEBHOOK_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Webhook not found' },
  IMPORT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Import not found' },
  DELIVERY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Delivery not found' },
  REPLAY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Replay not found' },
  METHOD_NOT_ALLOWED: { code: 'Unimplemented', status: 405, detail: 'The path does not support this method' },
  NOT_ACCEPTABLE: { code: 'InvalidArgument', status: 406, detail: 'The reply can only be application/json' },
  ALREADY_EXISTS: { code: 'AlreadyExists', status: 409, detail: 'The record already exists' },
  SURVEY_NOT_OPEN_YET: { code: 'FailedPrecondition', status: 409, detail: 'The survey is not open yet' },
  SURVEY_CLOSED: { code: 'FailedPrecondition', status: 409, detail: 'The survey is closed' },
  RESPONSE_LIMIT_REACHED: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The survey has reached its response limit',
  },
  STATE_CONFLICT: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The state of the record does not allow this',
  },
  LAST_OWNER: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The last owner of a tenant can be neither removed nor demoted',
  },
  VERSION_CONFLICT: { code: 'Aborted', status: 409, detail: 'The record was changed concurrently' },
  SLUG_TAKEN: { code: 'AlreadyExists', status: 409, detail: 'Another link has this slug' },
  PROJECT_NOT_EMPTY: { code: 'FailedPrecondition', status: 409, detail: 'The project still has surveys' },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'AlreadyExists',
    status: 409,
    detail: 'The Idempotency-Key was used with another body, or by a caller with other permissions',
  },
  LINK_EXPIRED: { code: 'FailedPrecondition', status: 410, detail: 'The link has expired' },
  LINK_USED_UP: { code: 'FailedPrecondition', status: 410, detail: 'The link is used up' },
  RESPONSE_DELETED: {
    code: 'FailedPrecondition',
    status: 410,
    detail: 'The response of this Idempotency-Key has been deleted',
  },
  IMPORT_FILE_GONE: { code: 'FailedPrecondition', status: 410, detail: 'The file of the import has been deleted' },
  PRECONDITION_FAILED: { code: 'FailedPrecondition', status: 412, detail: 'The record does not match If-Match' },
  BODY_TOO_LARGE: { code: 'ResourceExhausted', status: 413, detail: 'The body exceeds the limit of this operation' },
  MESSAGE_TOO_LARGE: {
    code: 'ResourceExhausted',
    status: 413,
    detail: 'The request exceeds the message size between services',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'InvalidArgument',
    status: 415,
    detail: 'The body must be application/json in UTF-8, not compressed',
  },
  VALIDATION_FAILED: { code: 'InvalidArgument', status: 422, detail: 'Fields of the request are invalid' },
  INVALID_DEFINITION: { code: 'InvalidArgument', status: 422, detail: 'The survey definition has errors' },
  INVALID_ANSWERS: { code: 'InvalidArgument', status: 422, detail: 'Answers are invalid' },
  INVALID_FILE: { code: 'InvalidArgument', status: 422, detail: 'The question does not accept this file' },
  INVALID_IMPORT: { code: 'InvalidArgument', status: 422, detail: 'The import cannot be read' },
  WEBHOOK_URL_REFUSED: { code: 'InvalidArgument', status: 422, detail: 'Webhooks cannot be sent to this address' },
  TOO_MANY_REQUESTS: { code: 'ResourceExhausted', status: 429, detail: 'Too many requests' },
  CANCELLED: { code: 'Canceled', status: 499, detail: 'The client closed the connection' },
  INTERNAL: { code: 'Internal', status: 500, detail: 'Internal error' },
  UPSTREAM_INVALID: { code: 'Unavailable', status: 502, detail: 'A service sent an invalid reply' },
  UNAVAILABLE: { code: 'Unavailable', status: 503, detail: 'The service is unavailable, try again' },
  OVERLOADED: { code: 'Unavailable', status: 503, detail: 'The service is overloaded, try again' },
  DEADLINE_EXCEEDED: { code: 'DeadlineExceeded', status: 504, detail: 'The request timed out' },
} as const satisfies Record<
  string,
  { code: keyof typeof import('@connectrpc/connect').Code; status: number; detail: string }
>;

/** A stable, documented name of one way to fail. */
export type Reason = keyof typeof reasons;

/** Tells whether a string, from the wire for example, is a reason of the table. */
export function isReason(value: string): value is Reason {
  return Object.hasOwn(reasons, value);
}
