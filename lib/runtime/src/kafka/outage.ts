import { MongoServerError } from 'mongodb';
import type { ErrorCode } from '../errors/error-codes.ts';
import { isDocumentFault, toDatabaseAppError } from '../mongo/mongo-errors.ts';

/** Error codes of temporary failures, which the message did not cause. */
const OUTAGES = new Set<ErrorCode>([
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'TOO_MANY_REQUESTS',
  'UPSTREAM_INVALID',
  'VERSION_CONFLICT',
  'INVALID_TOKEN',
  'PERMISSION_DENIED',
]);

/**
 * Whether an error is temporary, so that the same message may succeed later. All errors of MongoDB count as temporary,
 * unless the document caused them. Unknown errors do not count: the message may be the cause.
 */
export function isOutage(error: unknown): boolean {
  const { code, cause } = toDatabaseAppError(error);
  if (cause instanceof MongoServerError && isDocumentFault(cause.code)) return false;
  return code === 'INTERNAL' ? cause instanceof MongoServerError : OUTAGES.has(code);
}
