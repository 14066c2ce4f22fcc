import pLimit, { type LimitFunction } from 'p-limit';
import { AppError } from '../errors/app-error.ts';

/** Runs tasks with the same key one after the other, in the order of the calls. */
type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

interface Queue {
  readonly limit: LimitFunction;
  length: number;
}

/**
 * A mutex for each key, within this process. A call rejects with `UNAVAILABLE` when too many tasks of its key wait.
 *
 * @param maxWaiting tasks of one key that wait
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
