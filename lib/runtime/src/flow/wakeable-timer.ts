/** Pauses of a background loop. */
interface WakeableTimer {
  /** Waits for the time, `wake` or `stop`. Returns immediately if `wake` was called since the last `waitForWork`. */
  waitForWork(ms: number): Promise<void>;
  /** Waits for the time or `stop`. */
  pause(ms: number): Promise<void>;
  wake(): void;
  stop(): void;
  isStopped(): boolean;
}

export function createWakeableTimer(): WakeableTimer {
  let stopped = false;
  let woken = false;
  let check = () => {};

  function wait(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    check = () => {
      if (!isOver()) return;
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  return {
    async waitForWork(ms) {
      await wait(ms, () => woken || stopped);
      woken = false;
    },
    pause: (ms) => wait(ms, () => stopped),
    wake() {
      woken = true;
      check();
    },
    stop() {
      stopped = true;
      check();
    },
    isStopped: () => stopped,
  };
}
