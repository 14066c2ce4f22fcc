import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Other work of the process waits at most about this long. Milliseconds. */
const MAX_BLOCK_MS = 10;

/**
 * Lets other work of the process run during a long computation. Call the result after each step: it yields to the event
 * loop when ten milliseconds have passed since the start or the last time.
 */
export function createYielding(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < MAX_BLOCK_MS) return;
    await yieldToEventLoop();
    last = performance.now();
  };
}
