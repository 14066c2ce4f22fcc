import pLimit, { type LimitFunction } from 'p-limit';
import { AppError } from '../errors/app-error.ts';

/** Runs tasks of the same key one at a time, in the order of the calls. */
type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

interface Queue {
  readonly limit: LimitFunction;
  length: number;
}

/**
 * A mutex per key, within this process. A call rejects with `UNAVAILABLE` if too many tasks of its key are waiting.
 *
 * @param maxWaiting limit of waiting tasks per key
 */
export function createKeyedMutex({ maxWaiting }: { readonly maxWaiting: number }): KeyedMutex {
  const queues = new Map<string, Queue>();

  return async (key, task) => {
    const queue = queues.get(key) ?? { limit: pLimit(1), length: 0 };
    if (queue.length > maxWaiting) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    queues.set(key, queue);
    queue.length += 1;
    try {
      return await queue.limit(task);
    } finally {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    }
  };
}
