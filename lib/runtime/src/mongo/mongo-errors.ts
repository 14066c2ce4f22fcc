import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { toAppError } from '../errors/error-mapping.ts';

/**
 * Codes of errors after which the caller should retry: elections, shutdowns, timeouts of write concerns, conflicts
 * between transactions, and full disks. https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const RETRYABLE_CODES = new Set([
  6, 7, 64, 89, 91, 100, 112, 189, 262, 371, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
]);

/**
 * Names of driver errors for missing connections; not all of the classes are exported. A closing client ends its
 * sessions first, so running operations often fail with an expired session.
 */
const RETRYABLE_NAMES = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/** Codes of broken sockets. The driver (7.8) passes on the error of the socket if it breaks during a write. */
const BROKEN_SOCKET_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/** Codes of BSONObjectTooLarge: the present and the older number. */
const TOO_LARGE_CODES = new Set<unknown>([10_334, 17_419]);
/** A document that is too large because of its unpublished events can be updated after they are published. */
const TOO_LARGE_RETRY_SECONDS = 10;
/** Codes of errors that a new document causes: BadValue, TypeMismatch, Overflow, DocumentValidationFailure, size. */
const DOCUMENT_FAULTS = new Set<unknown>([2, 14, 15, 121, ...TOO_LARGE_CODES]);

/** Code of a duplicate value in a unique index. */
export const DUPLICATE_KEY = 11_000;
const MAX_TIME_EXPIRED = 50;

/** Whether a unique index already has the value. With `field`, only an index that contains the field counts. */
export function isDuplicateKey(error: unknown, field?: string): error is MongoServerError {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return field === undefined || Object.hasOwn(error['keyPattern'] ?? {}, field);
}

export function isTimeLimit(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** Whether a new document caused the error. After other errors, the server may accept the same document later. */
export function isDocumentFault(code: unknown): boolean {
  return DOCUMENT_FAULTS.has(code);
}

/**
 * Maps an error of the driver or of a broken socket to `ALREADY_EXISTS`, `DEADLINE_EXCEEDED`, or `UNAVAILABLE` if a
 * retry may help. Returns undefined for bugs and for other errors.
 */
export function fromMongoError(error: unknown): AppError | undefined {
  if (isBrokenSocket(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  if (!(error instanceof MongoError)) return undefined;
  // If a bulk write failed as a whole, the driver stores the cause only in `errorResponse`.
  const bulkError: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  if (bulkError instanceof MongoError) return fromMongoError(bulkError);
  if (isDuplicateKey(error)) return new AppError('ALREADY_EXISTS', { cause: error });
  if (isTimeLimit(error)) return new AppError('DEADLINE_EXCEEDED', { cause: error });
  // Requests are much smaller than the limit, so unpublished events must fill the document.
  if (TOO_LARGE_CODES.has(error.code))
    return new AppError('UNAVAILABLE', { retryAfterSeconds: TOO_LARGE_RETRY_SECONDS, cause: error });
  if (isRetryable(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  return undefined;
}

/** Like `toAppError`, for code that uses a database. */
export function toDatabaseAppError(error: unknown): AppError {
  return fromMongoError(error) ?? toAppError(error);
}

function isBrokenSocket(error: unknown): boolean {
  return error instanceof Error && 'code' in error && BROKEN_SOCKET_CODES.has(error.code);
}

function isRetryable(error: MongoError): boolean {
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    RETRYABLE_NAMES.has(error.name) ||
    (typeof error.code === 'number' && RETRYABLE_CODES.has(error.code)) ||
    error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
    error.hasErrorLabel(MongoErrorLabel.TransientTransactionError)
  );
}

/** Error codes of failures that the handled message did not cause. */
const NOT_CAUSED_BY_MESSAGE = new Set<ErrorCode>([
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'TOO_MANY_REQUESTS',
  'UPSTREAM_INVALID',
  // A concurrent change came first.
  'VERSION_CONFLICT',
  // Another service rejects this process, for example while keys are rotated or a release adds a caller.
  'INVALID_TOKEN',
  'PERMISSION_DENIED',
]);

/**
 * Whether handling the same message of Kafka may succeed later. If so, the consumer retries without limit. If not, the
 * message may be the cause, so the consumer gives up after some tries.
 *
 * Errors of the MongoDB server and its connections count as temporary, except duplicate keys and document faults. One
 * of these faults is a document that is too large, although `fromMongoError` advises a retry: the retries might never
 * end.
 */
export function maySucceedLater(error: unknown): boolean {
  const { code, cause } = toDatabaseAppError(error);
  if (cause instanceof MongoServerError && isDocumentFault(cause.code)) return false;
  return code === 'INTERNAL' ? cause instanceof MongoServerError : NOT_CAUSED_BY_MESSAGE.has(code);
}
