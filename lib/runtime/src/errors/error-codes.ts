/**
 * All error codes of the platform; the list is complete and stable.
 *
 * `grpcCode` is the gRPC status (https://grpc.io/docs/guides/status-codes/), `status` the HTTP status, and `detail` the
 * default text for callers.
 */
export const errorCodes = {
  INVALID_REQUEST: { grpcCode: 'InvalidArgument', status: 400, detail: 'The request is malformed' },
  IDEMPOTENCY_KEY_WEAK: {
    grpcCode: 'InvalidArgument',
    status: 400,
    detail: 'Without a token, Idempotency-Key must be a random UUID (version 4 or 7)',
  },
  INVALID_CURSOR: { grpcCode: 'InvalidArgument', status: 400, detail: 'The cursor does not belong to this list' },
  INVALID_TOKEN: { grpcCode: 'Unauthenticated', status: 401, detail: 'Invalid token' },
  PERMISSION_DENIED: { grpcCode: 'PermissionDenied', status: 403, detail: 'Permission required' },
  LINK_PASSWORD_WRONG: { grpcCode: 'PermissionDenied', status: 403, detail: 'The link needs its password' },
  LINK_TOKEN_WRONG: { grpcCode: 'PermissionDenied', status: 403, detail: 'The link needs one of its tokens' },
  LINKS_ONLY: { grpcCode: 'PermissionDenied', status: 403, detail: 'The survey can only be answered through a link' },
  ROUTE_NOT_FOUND: { grpcCode: 'Unimplemented', status: 404, detail: 'No operation has this path' },
  TENANT_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Tenant not found' },
  USER_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'User not found' },
  API_KEY_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'API key not found' },
  PROJECT_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Project not found' },
  LINK_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Link not found' },
  VERSION_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'The survey has no such version' },
  DRAFT_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'The survey has no draft' },
  SURVEY_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Survey not found' },
  RESPONSE_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Response not found' },
  DELETION_PLAN_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Deletion plan not found' },
  FILE_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'File not found' },
  WEBHOOK_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Webhook not found' },
  IMPORT_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Import not found' },
  DELIVERY_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Delivery not found' },
  REPLAY_NOT_FOUND: { grpcCode: 'NotFound', status: 404, detail: 'Replay not found' },
  METHOD_NOT_ALLOWED: { grpcCode: 'Unimplemented', status: 405, detail: 'The path does not support this method' },
  NOT_ACCEPTABLE: { grpcCode: 'InvalidArgument', status: 406, detail: 'The reply can only be JSON' },
  ALREADY_EXISTS: { grpcCode: 'AlreadyExists', status: 409, detail: 'The record already exists' },
  SURVEY_NOT_OPEN_YET: { grpcCode: 'FailedPrecondition', status: 409, detail: 'The survey is not open yet' },
  SURVEY_CLOSED: { grpcCode: 'FailedPrecondition', status: 409, detail: 'The survey is closed' },
  RESPONSE_LIMIT_REACHED: {
    grpcCode: 'FailedPrecondition',
    status: 409,
    detail: 'The survey has reached its response limit',
  },
  STATE_CONFLICT: {
    grpcCode: 'FailedPrecondition',
    status: 409,
    detail: 'The state of the record does not allow this',
  },
  RESPONSE_IN_PROGRESS: {
    grpcCode: 'FailedPrecondition',
    status: 409,
    detail: 'A response with this token of the link is in progress',
  },
  LAST_OWNER: {
    grpcCode: 'FailedPrecondition',
    status: 409,
    detail: 'The last owner of a tenant can be neither removed nor demoted',
  },
  VERSION_CONFLICT: { grpcCode: 'Aborted', status: 409, detail: 'The record was changed concurrently' },
  SLUG_TAKEN: {
    grpcCode: 'AlreadyExists',
    status: 409,
    detail: 'Another link has this slug, or had it in the last 90 days',
  },
  PROJECT_NOT_EMPTY: { grpcCode: 'FailedPrecondition', status: 409, detail: 'The project still has surveys' },
  IDEMPOTENCY_KEY_REUSED: {
    grpcCode: 'AlreadyExists',
    status: 409,
    detail: 'The Idempotency-Key was used with another body, or by a caller with other permissions',
  },
  LINK_EXPIRED: { grpcCode: 'FailedPrecondition', status: 410, detail: 'The link has expired' },
  LINK_USED_UP: {
    grpcCode: 'FailedPrecondition',
    status: 410,
    detail: 'The link has reached its maximum of responses',
  },
  LINK_TOKEN_USED: {
    grpcCode: 'FailedPrecondition',
    status: 410,
    detail: 'A response with this token of the link is complete',
  },
  RESPONSE_DELETED: {
    grpcCode: 'FailedPrecondition',
    status: 410,
    detail: 'The response of this Idempotency-Key has been deleted',
  },
  CURSOR_EXPIRED: {
    grpcCode: 'FailedPrecondition',
    status: 410,
    detail: 'Changes since this cursor are forgotten: start again without a cursor',
  },
  IMPORT_FILE_GONE: { grpcCode: 'FailedPrecondition', status: 410, detail: 'The file of the import has been deleted' },
  PRECONDITION_FAILED: { grpcCode: 'FailedPrecondition', status: 412, detail: 'The record does not match If-Match' },
  BODY_TOO_LARGE: {
    grpcCode: 'ResourceExhausted',
    status: 413,
    detail: 'The body exceeds the limit of this operation',
  },
  MESSAGE_TOO_LARGE: {
    grpcCode: 'ResourceExhausted',
    status: 413,
    detail: 'The request exceeds the size limit of messages between services',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    grpcCode: 'InvalidArgument',
    status: 415,
    detail: 'The body must be application/json in UTF-8, not compressed',
  },
  VALIDATION_FAILED: { grpcCode: 'InvalidArgument', status: 422, detail: 'Fields of the request are invalid' },
  INVALID_DEFINITION: { grpcCode: 'InvalidArgument', status: 422, detail: 'The survey definition has errors' },
  INVALID_ANSWERS: { grpcCode: 'InvalidArgument', status: 422, detail: 'Answers are invalid' },
  METADATA_NOT_ALLOWED: {
    grpcCode: 'InvalidArgument',
    status: 422,
    detail: 'This request cannot set fields of the metadata',
  },
  INVALID_FILE: { grpcCode: 'InvalidArgument', status: 422, detail: 'The question does not accept this file' },
  INVALID_IMPORT: { grpcCode: 'InvalidArgument', status: 422, detail: 'The import cannot be read' },
  FILE_TOO_COMPLEX: {
    grpcCode: 'InvalidArgument',
    status: 422,
    detail: 'The file takes more memory or time to read than is allowed',
  },
  WEBHOOK_URL_REFUSED: { grpcCode: 'InvalidArgument', status: 422, detail: 'Webhooks cannot be sent to this address' },
  TOO_MANY_REQUESTS: { grpcCode: 'ResourceExhausted', status: 429, detail: 'Too many requests' },
  CANCELLED: { grpcCode: 'Canceled', status: 499, detail: 'The client closed the connection' },
  INTERNAL: { grpcCode: 'Internal', status: 500, detail: 'Internal error' },
  UPSTREAM_INVALID: { grpcCode: 'Unavailable', status: 502, detail: 'A service sent an invalid reply' },
  UNAVAILABLE: { grpcCode: 'Unavailable', status: 503, detail: 'The service is unavailable, try again' },
  OVERLOADED: { grpcCode: 'Unavailable', status: 503, detail: 'The service is overloaded, try again' },
  DEADLINE_EXCEEDED: { grpcCode: 'DeadlineExceeded', status: 504, detail: 'The request timed out' },
} as const satisfies Record<
  string,
  { grpcCode: keyof typeof import('@connectrpc/connect').Code; status: number; detail: string }
>;

export type ErrorCode = keyof typeof errorCodes;

/** Whether a string, for example from another service, is an error code of the platform. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCodes, value);
}
