/** The pauses of a poll: they grow while it finds nothing to do. */
export interface IdlePause {
  /** Call it when there was something to do, or will be soon. */
  worked(): void;
  /** The pause before the next look. Milliseconds. */
  ms(): number;
}

/** A tenth of the time since there was work: nobody waits much longer than things have been quiet. */
const IDLE_SHARE = 10;

/**
 * @param everyMs the pause under load, and for a while afterwards
 * @param idleEveryMs the longest pause
 */
export function createIdlePause({
  everyMs,
  idleEveryMs,
  now = () => performance.now(),
}: {
  readonly everyMs: number;
  readonly idleEveryMs: number;
  readonly now?: () => number;
}): IdlePause {
  let workedAt = now();
  return {
    worked() {
      workedAt = now();
    },
    ms: () => Math.min(idleEveryMs, Math.max(everyMs, (now() - workedAt) / IDLE_SHARE)),
  };
}
