export interface Clocks {
  /** Monotonic clock, in milliseconds. It may pause while the machine sleeps. */
  readonly now: () => number;
  /** Wall clock. It may be set back. */
  readonly clock: () => Date;
}

/** Starts a stopwatch, which returns the elapsed milliseconds by the clock that lost less time. */
export type StartStopwatch = () => () => number;

export function createStopwatch({ now, clock }: Clocks): StartStopwatch {
  return () => {
    const [startNow, startClock] = [now(), clock().getTime()];
    return () => Math.max(now() - startNow, clock().getTime() - startClock);
  };
}
