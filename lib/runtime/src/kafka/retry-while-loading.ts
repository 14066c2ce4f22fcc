import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../flow/retry.ts';

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
