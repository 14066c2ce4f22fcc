import { AppError } from '../errors/app-error.ts';

interface BatchLimits<T> {
  readonly maxItems: number;
  /** Maximum sum of `sizeOf` over the items of a batch. A larger item gets a batch of its own. */
  readonly maxSize?: number;
  readonly sizeOf?: (item: T) => number;
}

/** Splits items into batches within the limits, in their order. */
export function toBatches<T>(items: readonly T[], limits: BatchLimits<T>): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let start = 0; start < items.length; ) {
    const count = firstBatchLength(items, limits, start);
    batches.push(items.slice(start, start + count));
    start += count;
  }
  return batches;
}

export function takeBatch<T>(queue: T[], limits: BatchLimits<T>): readonly T[] {
  return queue.splice(0, firstBatchLength(queue, limits, 0));
}

function firstBatchLength<T>(items: readonly T[], limits: BatchLimits<T>, start: number): number {
  const { maxItems, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  let count = 0;
  let filled = 0;
  for (let index = start; index < items.length && count < maxItems; index += 1) {
    filled += sizeOf(items[index] as T);
    if (count > 0 && filled > maxSize) break;
    count += 1;
  }
  return count;
}

export interface BatcherMetrics {
  setWaiting(items: number): void;
  observeBatch(items: number): void;
  /** Measures how long an item waits for its flush. The returned function ends the measurement. */
  startTimer(): () => void;
  countShed(): void;
}

interface Options<T, R> {
  /** Returns one result per item, in the same order. With another number of results, all items are rejected. */
  readonly flush: (items: readonly T[]) => Promise<readonly R[]>;
  /** Items of different keys never share a batch. Without `keyOf`, all items have the same key. */
  readonly keyOf?: (item: T) => string;
  readonly batch: BatchLimits<T>;
  /** Maximum number of flushes of one key that run at a time. */
  readonly concurrency: number;
  /**
   * Minimum milliseconds between the starts of two flushes of a key, so that items accumulate. A full batch is flushed
   * at once. A single item is flushed at once if no flush runs and the last one had at most one item. With `keyOf`,
   * idle keys are forgotten, so their next item is flushed at once.
   */
  readonly intervalMs?: number;
  /**
   * Acquires capacity for an item, or throws if there is none. The returned function releases it after the flush.
   * Without `acquire`, callers must limit the number of waiting items.
   */
  readonly acquire?: (item: T, size: number) => () => void;
  readonly metrics?: BatcherMetrics;
}

interface WaitingItem<T, R> {
  readonly item: T;
  readonly size: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
  readonly release: () => void;
  readonly stopTimer: () => void;
}

interface Queue<T, R> {
  readonly key: string;
  readonly items: WaitingItem<T, R>[];
  size: number;
  runningFlushes: number;
  /** Start and size of the last flush. */
  last: { readonly at: number; readonly items: number };
  isScheduled: boolean;
  timer?: NodeJS.Timeout;
}

const NO_METRICS: BatcherMetrics = { setWaiting() {}, observeBatch() {}, startTimer: () => () => {}, countShed() {} };

/** Collects single items into batches, and returns each caller the result of its item. */
export function createBatcher<T, R>({
  flush,
  keyOf,
  batch: limits,
  concurrency,
  intervalMs = 0,
  acquire = () => () => {},
  metrics = NO_METRICS,
}: Options<T, R>) {
  const queues = new Map<string, Queue<T, R>>();
  const running = new Set<Promise<void>>();
  const { maxItems, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  const batchLimits = { maxItems, maxSize, sizeOf: ({ size }: WaitingItem<T, R>) => size };
  let waitingItems = 0;
  let isStopped = false;

  function changeWaiting(by: number): void {
    waitingItems += by;
    metrics.setWaiting(waitingItems);
  }

  function queueOf(key: string): Queue<T, R> {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const last = { at: Number.NEGATIVE_INFINITY, items: 0 };
    const queue: Queue<T, R> = { key, items: [], size: 0, runningFlushes: 0, last, isScheduled: false };
    queues.set(key, queue);
    return queue;
  }

  function mustNotWait({ items, size }: Queue<T, R>): boolean {
    if (isStopped) return items.length > 0;
    return items.length >= maxItems || size >= maxSize;
  }

  /** Flushes full batches, and schedules a flush of the remaining items. */
  function proceed(queue: Queue<T, R>): void {
    while (mustNotWait(queue) && queue.runningFlushes < concurrency) beginFlush(queue);
    if (queue.items.length === 0) forgetIfIdle(queue);
    else schedule(queue);
  }

  function schedule(queue: Queue<T, R>): void {
    if (queue.isScheduled || queue.runningFlushes >= concurrency) return;
    queue.isScheduled = true;
    const isQuiet = queue.runningFlushes === 0 && queue.last.items <= 1;
    const pauseMs = isQuiet ? 0 : queue.last.at + intervalMs - performance.now();
    const beginScheduled = () => {
      queue.isScheduled = false;
      if (queue.items.length > 0 && queue.runningFlushes < concurrency) beginFlush(queue);
      proceed(queue);
    };
    if (pauseMs <= 0) setImmediate(beginScheduled);
    else queue.timer = setTimeout(beginScheduled, pauseMs);
  }

  /** Deletes an idle queue: with many keys, most are not used again soon. */
  function forgetIfIdle({ key, runningFlushes, isScheduled }: Queue<T, R>): void {
    if (keyOf !== undefined && runningFlushes === 0 && !isScheduled) queues.delete(key);
  }

  function beginFlush(queue: Queue<T, R>): void {
    const taken = takeBatch(queue.items, batchLimits);
    const size = taken.reduce((sum, waiting) => sum + waiting.size, 0);
    queue.size -= size;
    queue.runningFlushes += 1;
    queue.last = { at: performance.now(), items: taken.length };
    changeWaiting(-taken.length);
    metrics.observeBatch(taken.length);
    const run: Promise<void> = flushTaken(taken).finally(() => {
      running.delete(run);
      queue.runningFlushes -= 1;
      proceed(queue);
    });
    running.add(run);
  }

  async function flushTaken(taken: readonly WaitingItem<T, R>[]): Promise<void> {
    for (const { stopTimer } of taken) stopTimer();
    try {
      const results = await flush(taken.map(({ item }) => item));
      if (results.length !== taken.length)
        throw new Error(`A flush of ${taken.length} items returned ${results.length} results`);
      for (const [index, { resolve }] of taken.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    } finally {
      for (const { release } of taken) release();
    }
  }

  function acquireOrShed(item: T, size: number): () => void {
    try {
      return acquire(item, size);
    } catch (error) {
      metrics.countShed();
      throw error;
    }
  }

  return {
    /**
     * Resolves with the result of the item, or rejects with the error of its flush. Rejects with the error of `acquire`
     * if there is no capacity for the item, and with `UNAVAILABLE` after `stop`.
     */
    add: (item: T) =>
      new Promise<R>((resolve, reject) => {
        if (isStopped) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
        const size = sizeOf(item);
        const release = acquireOrShed(item, size);
        const queue = queueOf(keyOf?.(item) ?? '');
        queue.items.push({ item, size, resolve, reject, release, stopTimer: metrics.startTimer() });
        queue.size += size;
        changeWaiting(1);
        proceed(queue);
      }),

    /** Flushes the waiting items, and resolves when all flushes have ended. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const queue of queues.values()) {
        // `proceed` starts as many flushes as `concurrency` allows. The end of each flush starts the next one.
        clearTimeout(queue.timer);
        proceed(queue);
      }
      while (running.size > 0) await Promise.all(running);
    },
  };
}
