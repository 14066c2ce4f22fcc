export interface Clocks {
  /** Monotonic clock, in milliseconds. It may pause while the machine sleeps. */
  readonly now: () => number;
  /** Wall clock. It may be set back. */
  readonly clock: () => Date;
}

/** Starts a stopwatch. The stopwatch returns the elapsed milliseconds: the larger value of the two clocks. */
export type StartStopwatch = () => () => number;

export function createStopwatch({ now, clock }: Clocks): StartStopwatch {
  return () => {
    const [startNow, startClock] = [now(), clock().getTime()];
    return () => Math.max(now() - startNow, clock().getTime() - startClock);
  };
}
