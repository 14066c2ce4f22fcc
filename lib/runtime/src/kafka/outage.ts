import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import type { ErrorCode } from '../errors/error-codes.ts';
import { retry } from '../flow/retry.ts';
import { isDocumentFault, toDatabaseAppError } from '../mongo/mongo-errors.ts';

/** Error codes of temporary failures, which the message did not cause. */
const TEMPORARY = new Set<ErrorCode>([
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'TOO_MANY_REQUESTS',
  'UPSTREAM_INVALID',
  'VERSION_CONFLICT',
  // Another service rejects this process, as while keys are replaced or a release adds a caller. No message causes it.
  'INVALID_TOKEN',
  'PERMISSION_DENIED',
]);

/**
 * Whether an error is temporary, so that the same message may succeed later. All errors of MongoDB count as temporary,
 * unless the document caused them. Unknown errors do not count: the message may be the cause.
 */
export function isTemporary(error: unknown): boolean {
  const { code, cause } = toDatabaseAppError(error);
  if (cause instanceof MongoServerError && isDocumentFault(cause.code)) return false;
  return code === 'INTERNAL' ? cause instanceof MongoServerError : TEMPORARY.has(code);
}

const BACKOFF = { firstMs: 100, maxMs: 1_000 };
const TRIES = 12;

/**
 * Reads offsets of a consumer group for an operator. Retries for some ten seconds while the coordinator of the group is
 * loading, as after the start of a broker: the admin client of kafkajs rejects at once.
 */
export async function retryWhileLoading<T>(read: () => Promise<T>): Promise<T> {
  const isLoading = (error: unknown) =>
    error instanceof Error && 'type' in error && error.type === 'GROUP_LOAD_IN_PROGRESS';
  const result = await retry(read, {
    backoff: BACKOFF,
    shouldRetry: (error, failures) => isLoading(error) && failures < TRIES,
    pause: (ms) => sleep(ms),
    isStopped: () => false,
  });
  if (result.kind === 'done') return result.value;
  throw result.kind === 'failed' ? result.error : new Error('unreachable: the retry is never stopped');
}
