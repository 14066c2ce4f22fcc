import { backoffMs } from '@survey/runtime/flow/backoff';

const BACKOFF = { firstMs: 1_000, maxMs: 600_000 };
/** About one day with this backoff. */
const MAX_TIMES = 150;

/**
 * Returns the pause before the answers of a delivery are read again, in milliseconds. Undefined after too many failed
 * reads: the delivery has failed.
 *
 * @param times the number of failed reads, 1 or more
 */
export function pauseAfter(times: number): number | undefined {
  return times < MAX_TIMES ? backoffMs(BACKOFF, times) : undefined;
}
