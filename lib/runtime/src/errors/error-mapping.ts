import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '@survey/proto/google/rpc/error_details_pb';
import { AppError, type FieldProblem } from './app-error.ts';
import { type ErrorCode, errorCodes, isErrorCode } from './error-codes.ts';

/** The `domain` of our `google.rpc.ErrorInfo` details. */
const DOMAIN = 'survey';

/** gRPC sends errors in headers. The peer accepts 64 KiB of headers, and base64 adds a third. */
const MAX_FIELDS_BYTES = 32 * 1024;
/** Protobuf tags and lengths of the three texts of a field. */
const FIELD_OVERHEAD_BYTES = 16;
/** Maximum length of the error message, in characters. A percent-encoded character takes up to nine bytes. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Error codes for statuses that gRPC itself reports, without our error details. */
const codeOfStatus: Partial<Record<Code, ErrorCode>> = {
  [Code.Canceled]: 'CANCELLED',
  [Code.DeadlineExceeded]: 'DEADLINE_EXCEEDED',
  [Code.Unavailable]: 'UNAVAILABLE',
  // gRPC itself reports this status only for the size of a message.
  [Code.ResourceExhausted]: 'MESSAGE_TOO_LARGE',
  [Code.Unauthenticated]: 'INVALID_TOKEN',
  [Code.PermissionDenied]: 'PERMISSION_DENIED',
};

/**
 * Converts a thrown value into an error that callers may see; unknown errors become `INTERNAL`. Services use
 * `toDatabaseAppError` instead, which also converts errors of MongoDB's driver.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ConnectError) return fromConnectError(error);
  return new AppError('INTERNAL', { cause: error });
}

/** Our error as a gRPC status with `ErrorInfo`, `BadRequest` and `RetryInfo` details. */
export function toConnectError(error: AppError): ConnectError {
  const info = create(ErrorInfoSchema, { reason: error.code, domain: DOMAIN });
  const details: ConnectError['details'] = [{ desc: ErrorInfoSchema, value: info }];
  if (error.errors.length > 0) {
    const fieldViolations = fitToHeader(error.errors).map(({ path, code, detail }) => ({
      field: path,
      reason: code,
      description: detail,
    }));
    details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
  }
  if (error.retryAfterSeconds !== undefined) {
    const retryDelay = { seconds: BigInt(Math.ceil(error.retryAfterSeconds)) };
    details.push({ desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay }) });
  }
  const connectError = new ConnectError(
    error.message.slice(0, MAX_MESSAGE_LENGTH),
    Code[errorCodes[error.code].grpcCode],
    undefined,
    undefined,
    error.cause,
  );
  connectError.details.push(...details);
  return connectError;
}

/** The first problems, as many as fit into a header. */
function fitToHeader(errors: readonly FieldProblem[]): readonly FieldProblem[] {
  let bytes = 0;
  const end = errors.findIndex(({ path, code, detail }) => {
    bytes += Buffer.byteLength(path) + Buffer.byteLength(code) + Buffer.byteLength(detail) + FIELD_OVERHEAD_BYTES;
    return bytes > MAX_FIELDS_BYTES;
  });
  return end < 0 ? errors : errors.slice(0, end);
}

/** Restores the error that another service threw. A status without our details gets its code from `codeOfStatus`. */
export function fromConnectError(error: ConnectError): AppError {
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === DOMAIN);
  if (info === undefined || !isErrorCode(info.reason)) {
    const code = codeOfStatus[error.code] ?? 'INTERNAL';
    return new AppError(code, { cause: error, ...(code === 'UNAVAILABLE' ? { retryAfterSeconds: 1 } : {}) });
  }
  const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  const retryDelay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return new AppError(info.reason, {
    detail: error.rawMessage,
    errors: violations.map(({ field, reason, description }) => ({ path: field, code: reason, detail: description })),
    ...(retryDelay === undefined ? {} : { retryAfterSeconds: Number(retryDelay.seconds) }),
    cause: error,
  });
}

/** gRPC's name for the status of a call, as in the attribute `rpc.response.status_code`; `OK` without an error. */
export function rpcStatusOf(error: ErrorCode | undefined): string {
  if (error === undefined) return 'OK';
  const { grpcCode } = errorCodes[error];
  // gRPC spells this status with two Ls.
  return grpcCode === 'Canceled' ? 'CANCELLED' : grpcCode.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}
