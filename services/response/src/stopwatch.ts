export interface Clocks {
  /** Monotonic clock, in milliseconds. It may pause while the machine sleeps. */
  readonly now: () => number;
  /** Wall clock. It may be set back. */
  readonly clock: () => Date;
}

/** Starts to measure a time. The result returns the milliseconds since, by the clock that shows more. */
export type StartStopwatch = () => () => number;

export function createStopwatch({ now, clock }: Clocks): StartStopwatch {
  return () => {
    const [startNow, startClock] = [now(), clock().getTime()];
    return () => Math.max(now() - startNow, clock().getTime() - startClock);
  };
}
