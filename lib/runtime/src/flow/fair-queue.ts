import { AppError } from '../errors/app-error.ts';

interface Queue<T> {
  push(item: T): void;
  /** Removes and returns the next item that `accept` allows. May miss one: see `createInner` and `maxTried`. */
  next(accept?: (item: T) => boolean): T | undefined;
  removeWhere(matches: (item: T) => boolean): readonly T[];
  size(): number;
}

interface FairQueue<T> extends Queue<T> {
  sizeOf(key: string): number;
  keyCount(): number;
}

interface FairQueueOptions<T> {
  readonly keyOf: (item: T) => string;
  /** Creates the queue of one key. Default: first in, first out, and only the first item can be accepted. */
  readonly createInner?: () => Queue<T>;
  /** `next` tries at most this number of keys, and the next call begins after them. Default: it tries all keys. */
  readonly maxTried?: number;
}

/** Serves keys round robin: a key whose item was taken moves behind the others. */
export function createFairQueue<T>(options: FairQueueOptions<T>): FairQueue<T> {
  const { keyOf, createInner = createFifoQueue, maxTried } = options;
  /** Queues by key, in the order of service. None is empty. */
  const queues = new Map<string, Queue<T>>();
  let size = 0;

  return {
    push(item) {
      size += 1;
      const key = keyOf(item);
      const queue = queues.get(key) ?? createInner();
      queue.push(item);
      queues.set(key, queue);
    },

    next(accept) {
      // The loop also reaches keys that it moved to the end of the map, so `left` limits its steps.
      let left = Math.min(maxTried ?? queues.size, queues.size);
      for (const [key, queue] of queues) {
        if (left === 0) return undefined;
        left -= 1;
        const item = queue.next(accept);
        if (item === undefined && maxTried === undefined) continue;
        queues.delete(key);
        if (queue.size() > 0) queues.set(key, queue);
        if (item === undefined) continue;
        size -= 1;
        return item;
      }
      return undefined;
    },

    removeWhere(matches) {
      const removed: T[] = [];
      for (const [key, queue] of queues) {
        removed.push(...queue.removeWhere(matches));
        if (queue.size() === 0) queues.delete(key);
      }
      size -= removed.length;
      return removed;
    },

    size: () => size,
    sizeOf: (key) => queues.get(key)?.size() ?? 0,
    keyCount: () => queues.size,
  };
}

function createFifoQueue<T>(): Queue<T> {
  let items: T[] = [];
  return {
    push: (item) => void items.push(item),
    next(accept = () => true) {
      const [first] = items;
      return first !== undefined && accept(first) ? items.shift() : undefined;
    },
    removeWhere(matches) {
      const { removed = [], kept = [] } = Object.groupBy(items, (item) => (matches(item) ? 'removed' : 'kept'));
      items = kept;
      return removed;
    },
    size: () => items.length,
  };
}

/** Runs one task at a time, round robin by key. */
export function createFairMutex({ maxPerKey, maxKeys }: { readonly maxPerKey: number; readonly maxKeys: number }) {
  const waiting = createFairQueue<{ readonly key: string; run(): Promise<void> }>({ keyOf: ({ key }) => key });
  let isRunning = false;

  async function drain(): Promise<void> {
    isRunning = true;
    for (let task = waiting.next(); task !== undefined; task = waiting.next()) await task.run();
    isRunning = false;
  }

  return {
    /** Rejects with `OVERLOADED` if too many tasks of the key, or too many keys, are waiting. */
    run: <T>(key: string, task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const size = waiting.sizeOf(key);
        if (size >= maxPerKey || (size === 0 && waiting.keyCount() >= maxKeys))
          throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
        waiting.push({ key, run: () => Promise.try(task).then(resolve, reject) });
        if (!isRunning) void drain();
      }),
  };
}
