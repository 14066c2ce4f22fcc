const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 600_000;
/** About a day, with these pauses. */
const MAX_TIMES = 150;

/**
 * How long a delivery waits that could not be given its answers so often, because its response cannot be read, though
 * the response service is there; undefined when it waits no longer. Milliseconds.
 */
export function pauseAfter(times: number): number | undefined {
  return times < MAX_TIMES ? Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), MAX_PAUSE_MS) : undefined;
}
