interface Options {
  /** The time before the first call, and between calls. Milliseconds. */
  readonly everyMs: number;
  readonly call: () => Promise<unknown>;
  /** Called with each error. The next call is not delayed. */
  readonly onError?: (error: unknown) => void;
}

/** Calls that are repeated until `stop`. */
export interface Interval {
  stop(): void;
}

/**
 * Repeats a short call while other work runs, such as the renewal of its lease. Calls do not overlap: one is skipped
 * while the previous one runs. They do not keep the process alive. For background workers, use `createLoop`.
 */
export function startInterval({ everyMs, call, onError = () => {} }: Options): Interval {
  let isRunning = false;

  async function repeat(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await call();
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  }

  const timer = setInterval(() => void repeat(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
