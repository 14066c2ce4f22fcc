interface Options {
  /** The time before the first call, and between calls. Milliseconds. */
  readonly everyMs: number;
  readonly call: () => Promise<unknown>;
  /** Called with each error. Errors do not delay the next call. */
  readonly onError?: (error: unknown) => void;
}

export interface Interval {
  stop(): void;
}

/**
 * Repeats a short call while other work runs, for example to renew the lease of that work. A call is skipped while the
 * previous one runs. The timer does not keep the process alive. For background workers, use `createLoop`.
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
