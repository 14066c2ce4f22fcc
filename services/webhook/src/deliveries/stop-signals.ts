/**
 * Stops all running attempts. Each has a signal of its own, because a signal with thousands of listeners is slow: it
 * searches all of them for each new one.
 */
export interface StopSignals {
  /** Runs `work` with a signal that `stop` aborts. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Also aborts signals of later work. */
  stop(): void;
  isStopped(): boolean;
}

export function createStopSignals(): StopSignals {
  const running = new Set<AbortController>();
  let isStopped = false;

  return {
    async run(work) {
      const controller = new AbortController();
      if (isStopped) controller.abort();
      running.add(controller);
      try {
        return await work(controller.signal);
      } finally {
        running.delete(controller);
      }
    },

    stop() {
      isStopped = true;
      for (const controller of running) controller.abort();
    },

    isStopped: () => isStopped,
  };
}
