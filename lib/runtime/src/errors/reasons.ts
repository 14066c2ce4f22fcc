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
    detail: 'Without a token, Idempotency-Key has to be a random UUID (version 4 or 7)',
  },
  INVALID_CURSOR: { code: 'InvalidArgument', status: 400, detail: 'The cursor is not one that this list gave out' },
  INVALID_TOKEN: { code: 'Unauthenticated', status: 401, detail: 'Invalid token' },
  PERMISSION_DENIED: { code: 'PermissionDenied', status: 403, detail: 'Permission required' },
  LINK_PASSWORD_WRONG: { code: 'PermissionDenied', status: 403, detail: 'The link needs its password' },
  LINK_TOKEN_WRONG: { code: 'PermissionDenied', status: 403, detail: 'The link needs one of its tokens' },
  LINKS_ONLY: { code: 'PermissionDenied', status: 403, detail: 'The survey can only be answered through a link' },
  ROUTE_NOT_FOUND: { code: 'Unimplemented', status: 404, detail: 'There is nothing at this address' },
  TENANT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Tenant not found' },
  USER_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'User not found' },
  API_KEY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'API key not found' },
  PROJECT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Project not found' },
  LINK_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Link not found' },
  VERSION_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'The survey has no such version' },
  DRAFT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'The survey has no draft that waits to be published' },
  SURVEY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Survey not found' },
  RESPONSE_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Response not found' },
  FILE_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'File not found' },
  WEBHOOK_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Webhook not found' },
  IMPORT_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Import not found' },
  DELIVERY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Delivery not found' },
  REPLAY_NOT_FOUND: { code: 'NotFound', status: 404, detail: 'Replay not found' },
  METHOD_NOT_ALLOWED: { code: 'Unimplemented', status: 405, detail: 'This address does not take that method' },
  NOT_ACCEPTABLE: { code: 'InvalidArgument', status: 406, detail: 'Only application/json can be sent back' },
  ALREADY_EXISTS: { code: 'AlreadyExists', status: 409, detail: 'It exists already' },
  SURVEY_NOT_OPEN_YET: { code: 'FailedPrecondition', status: 409, detail: 'The survey takes no answers now' },
  SURVEY_CLOSED: { code: 'FailedPrecondition', status: 409, detail: 'The survey is closed' },
  RESPONSE_LIMIT_REACHED: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The survey has as many responses as it takes',
  },
  STATE_CONFLICT: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The record is in a state that does not allow this',
  },
  LAST_OWNER: {
    code: 'FailedPrecondition',
    status: 409,
    detail: 'The last owner of a tenant can be neither removed nor demoted',
  },
  VERSION_CONFLICT: { code: 'Aborted', status: 409, detail: 'The record was changed in the meantime' },
  SLUG_TAKEN: { code: 'AlreadyExists', status: 409, detail: 'Another link has this slug' },
  PROJECT_NOT_EMPTY: { code: 'FailedPrecondition', status: 409, detail: 'There are surveys in the project' },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'AlreadyExists',
    status: 409,
    detail: 'This Idempotency-Key came before with another body, or from a caller who may do something else',
  },
  LINK_EXPIRED: { code: 'FailedPrecondition', status: 410, detail: 'The link has expired' },
  LINK_USED_UP: { code: 'FailedPrecondition', status: 410, detail: 'The link has been used up' },
  RESPONSE_DELETED: {
    code: 'FailedPrecondition',
    status: 410,
    detail: 'The response that this Idempotency-Key made has been deleted',
  },
  IMPORT_FILE_GONE: { code: 'FailedPrecondition', status: 410, detail: 'The file of the import is not there any more' },
  PRECONDITION_FAILED: { code: 'FailedPrecondition', status: 412, detail: 'The record is not as If-Match says' },
  BODY_TOO_LARGE: { code: 'ResourceExhausted', status: 413, detail: 'The body is over the limit of this route' },
  MESSAGE_TOO_LARGE: {
    code: 'ResourceExhausted',
    status: 413,
    detail: 'The request needs more data at once than one service hands to another',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'InvalidArgument',
    status: 415,
    detail: 'The body has to be application/json in UTF-8, not compressed',
  },
  VALIDATION_FAILED: { code: 'InvalidArgument', status: 422, detail: 'The request breaks the rules of its fields' },
  INVALID_DEFINITION: { code: 'InvalidArgument', status: 422, detail: 'The survey definition has errors' },
  INVALID_ANSWERS: { code: 'InvalidArgument', status: 422, detail: 'The answers do not fit the survey' },
  INVALID_FILE: { code: 'InvalidArgument', status: 422, detail: 'The file is none that the question takes' },
  INVALID_IMPORT: { code: 'InvalidArgument', status: 422, detail: 'The import cannot be read' },
  WEBHOOK_URL_REFUSED: { code: 'InvalidArgument', status: 422, detail: 'Webhooks cannot be sent to this address' },
  TOO_MANY_REQUESTS: { code: 'ResourceExhausted', status: 429, detail: 'Too many requests' },
  CANCELLED: { code: 'Canceled', status: 499, detail: 'The caller went away' },
  INTERNAL: { code: 'Internal', status: 500, detail: 'Something went wrong on our side' },
  UPSTREAM_INVALID: { code: 'Unavailable', status: 502, detail: 'A service gave no usable answer' },
  UNAVAILABLE: { code: 'Unavailable', status: 503, detail: 'The service cannot answer now, try again' },
  OVERLOADED: { code: 'Unavailable', status: 503, detail: 'Too much work is waiting, try again' },
  DEADLINE_EXCEEDED: { code: 'DeadlineExceeded', status: 504, detail: 'The answer took too long' },
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
