import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';

/**
 * Codes of the server after which the same call may succeed soon: elections, shutdowns, write concerns that were not
 * met in time, conflicts between transactions, and no room on the disk, or so little that writes are blocked.
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const TRANSIENT_CODES = new Set([
  6, 7, 64, 89, 91, 100, 112, 189, 262, 371, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
]);

/**
 * Names of driver errors that say the connection is missing; their classes are not all exported. A client that is closed
 * ends its sessions first, so what runs then mostly hears of its session.
 */
const TRANSIENT_NAMES = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/**
 * Codes of sockets whose other side is gone. A command that is written just then fails with the socket's own error: the
 * driver (7.8) waits for room to write and passes on what it meets there.
 */
const BROKEN_SOCKET_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/**
 * What the server says when it cannot store a document as it is: BadValue, TypeMismatch, Overflow,
 * DocumentValidationFailure, BSONObjectTooLarge and its older number.
 */
const DOCUMENT_FAULTS = new Set<unknown>([2, 14, 15, 121, 10_334, 17_419]);

/**
 * BSONObjectTooLarge, and its number for updates. What one call brings is far smaller: the document is full of events
 * that wait for Kafka, and has room again when that takes them.
 */
const TOO_LARGE_CODES = new Set<unknown>([10_334, 17_419]);
const TOO_LARGE_RETRY_SECONDS = 10;

/** Code of the server for a unique index that has the value already. */
export const DUPLICATE_KEY = 11_000;
const MAX_TIME_EXPIRED = 50;

/** Tells whether a write met a unique index (or an `_id`) that has the value already; one with this field, if given. */
export function isDuplicateKey(error: unknown, field?: string): error is MongoServerError {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return field === undefined || Object.hasOwn(error['keyPattern'] ?? {}, field);
}

/** Tells whether a code of the server blames the document; what else it refuses, for a full disk say, it may take later. */
export function isDocumentFault(code: unknown): boolean {
  return DOCUMENT_FAULTS.has(code);
}

/**
 * The driver's error in our terms: `ALREADY_EXISTS`, `DEADLINE_EXCEEDED`, or `UNAVAILABLE` where another try may help.
 * Undefined for everything else, which is a bug or not from MongoDB.
 */
export function fromMongoError(error: unknown): AppError | undefined {
  if (isBrokenSocket(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  if (!(error instanceof MongoError)) return undefined;
  // Of a bulk write that failed as a whole, the driver keeps what went wrong only here.
  const whole: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  if (whole instanceof MongoError) return fromMongoError(whole);
  if (isDuplicateKey(error)) return new AppError('ALREADY_EXISTS', { cause: error });
  if (error.code === MAX_TIME_EXPIRED) return new AppError('DEADLINE_EXCEEDED', { cause: error });
  if (TOO_LARGE_CODES.has(error.code))
    return new AppError('UNAVAILABLE', { retryAfterSeconds: TOO_LARGE_RETRY_SECONDS, cause: error });
  if (isTransient(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  return undefined;
}

/** Whatever was thrown where a database is asked, as an error that may be shown: see `toAppError`. */
export function toServiceError(error: unknown): AppError {
  return fromMongoError(error) ?? toAppError(error);
}

function isBrokenSocket(error: unknown): boolean {
  return error instanceof Error && 'code' in error && BROKEN_SOCKET_CODES.has(error.code);
}

function isTransient(error: MongoError): boolean {
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    TRANSIENT_NAMES.has(error.name) ||
    (typeof error.code === 'number' && TRANSIENT_CODES.has(error.code)) ||
    error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
    error.hasErrorLabel(MongoErrorLabel.TransientTransactionError)
  );
}
