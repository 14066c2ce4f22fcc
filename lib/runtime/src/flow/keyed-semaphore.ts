type ReachedLimit = 'key' | 'total';

/** Maximum units held at a time. Default: unlimited. */
interface Limits {
  readonly perKey?: number;
  readonly total?: number;
}

/** Limits concurrency per key and over all keys, without a queue. Without limits, it only counts. */
export function createKeyedSemaphore<K = string>(limits: Limits = {}) {
  const { perKey = Number.POSITIVE_INFINITY, total = Number.POSITIVE_INFINITY } = limits;
  const heldUnits = new Map<K, number>();
  let all = 0;
  const held = (key: K) => heldUnits.get(key) ?? 0;

  function change(key: K, delta: number): void {
    const next = held(key) + delta;
    if (next === 0) heldUnits.delete(key);
    else heldUnits.set(key, next);
    all += delta;
  }

  /**
   * Acquires units for the key, or returns the limit that they would exceed. Release the same number exactly once.
   *
   * @param isExempt whether only the total limit applies to the key. Called only at the limit of the key: it may be
   * slow
   */
  function acquireOrLimit(key: K, units = 1, isExempt = () => false): ReachedLimit | undefined {
    if (held(key) + units > perKey && !isExempt()) return 'key';
    if (all + units > total) return 'total';
    change(key, units);
    return undefined;
  }

  return {
    acquireOrLimit,
    release: (key: K, units = 1) => change(key, -units),
    /** Holds a unit while the task runs. At a limit, rejects with the error of `toError`. */
    async run<T>(key: K, task: () => Promise<T>, toError: (reached: ReachedLimit) => Error): Promise<T> {
      const reached = acquireOrLimit(key);
      if (reached !== undefined) throw toError(reached);
      try {
        return await task();
      } finally {
        change(key, -1);
      }
    },
    held,
    totalHeld: () => all,
  };
}
