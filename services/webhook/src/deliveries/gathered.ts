/** Gathers what is asked for at about the same time into few calls. */
export type Gathered<T, R> = (item: T) => Promise<R>;

interface Options<T, R> {
  /** Has to give an outcome for each of the items, in their order. What it throws is told to all of them. */
  readonly work: (items: readonly T[]) => Promise<readonly R[]>;
  readonly maxItems: number;
  /** How many calls run at the same time at the most. */
  readonly maxCalls: number;
}

/**
 * Alone, an item goes out with those of the same turn of the event loop; while enough calls are on their way it waits
 * for one of them, and goes out with all that waited with it. No item is in a call that began before it was asked for.
 */
export function createGathered<T, R>({ work, maxItems, maxCalls }: Options<T, R>): Gathered<T, R> {
  type Waiting = {
    readonly item: T;
    readonly resolve: (outcome: R) => void;
    readonly reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let calls = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || calls >= maxCalls || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      void call(batch);
      schedule();
    });
  }

  async function call(batch: readonly Waiting[]): Promise<void> {
    calls += 1;
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      // One outcome for each item.
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      calls -= 1;
      schedule();
    }
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    waiting.push({ item, resolve, reject });
    schedule();
    return promise;
  };
}
