import { backoffMs } from '@survey/runtime/flow/backoff';

const BACKOFF = { firstMs: 1_000, maxMs: 600_000 };
/** About a day, with these pauses. */
const MAX_TIMES = 150;

/**
 * The pause before a delivery asks again for answers that the response service cannot read. Undefined after too many
 * times: the delivery has failed. Milliseconds.
 *
 * @param times how often it could not be read, 1 or more
 */
export function pauseAfter(times: number): number | undefined {
  return times < MAX_TIMES ? backoffMs(BACKOFF, times) : undefined;
}
