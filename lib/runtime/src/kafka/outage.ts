import { MongoServerError } from 'mongodb';
import type { Reason } from '../errors/reasons.ts';
import { isDocumentFault, toServiceError } from '../mongo/mongo-errors.ts';

/** Reasons that say something of a service or of the moment, and nothing against what was asked. */
const OUTAGES = new Set<Reason>([
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
 * Whether a failure to handle a message is one of the things around it, so that the same message will be handled later.
 * What else a database refuses, a full disk or a missing right, is too; what nobody knows may be the message's fault.
 */
export function isOutage(error: unknown): boolean {
  const { reason, cause } = toServiceError(error);
  if (cause instanceof MongoServerError && isDocumentFault(cause.code)) return false;
  return reason === 'INTERNAL' ? cause instanceof MongoServerError : OUTAGES.has(reason);
}
