import { AppError } from '../errors/app-error.ts';

/** Runs one task at a time, round robin by key. */
interface FairMutex {
  /** Rejects with `OVERLOADED` if too many tasks of the key, or too many keys, are waiting. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

interface Options {
  readonly maxPerKey: number;
  readonly maxKeys: number;
}

export function createFairMutex({ maxPerKey, maxKeys }: Options): FairMutex {
  /** Waiting tasks by key. The first key is the next one. */
  const waiting = new Map<string, readonly (() => Promise<void>)[]>();
  let isRunning = false;

  async function drain(): Promise<void> {
    isRunning = true;
    for (const [key, [next, ...others]] of waiting) {
      waiting.delete(key);
      // Re-inserting moves the key behind all others.
      if (others.length > 0) waiting.set(key, others);
      await next?.();
    }
    isRunning = false;
  }

  return {
    run: <T>(key: string, task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const tasks = waiting.get(key) ?? [];
        if (tasks.length >= maxPerKey || (tasks.length === 0 && waiting.size >= maxKeys))
          throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
        waiting.set(key, [...tasks, () => Promise.try(task).then(resolve, reject)]);
        if (!isRunning) void drain();
      }),
  };
}
