/** The pauses of one background loop, which end early when there is something to do. */
export interface Waiter {
  /** Waits for the time, `nudge` or `stop`, whichever is first. A nudge from before, since the last such wait, counts. */
  forWork(ms: number): Promise<void>;
  /** Waits for the time or `stop`. */
  pause(ms: number): Promise<void>;
  nudge(): void;
  stop(): void;
  isStopped(): boolean;
}

export function createWaiter(): Waiter {
  let stopped = false;
  let nudged = false;
  let look = () => {};

  function wait(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    look = () => {
      if (!isOver()) return;
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  return {
    async forWork(ms) {
      await wait(ms, () => nudged || stopped);
      nudged = false;
    },
    pause: (ms) => wait(ms, () => stopped),
    nudge() {
      nudged = true;
      look();
    },
    stop() {
      stopped = true;
      look();
    },
    isStopped: () => stopped,
  };
}
