import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * Lets other work of the process run during a long computation. Call the result after each step: it yields to the event
 * loop when the slice of time since the start or the last time is used up, else it returns undefined.
 *
 * @param sliceMs other work waits at most about this long. Milliseconds
 */
export function createYieldIfDue(
  sliceMs = 10,
  now: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let startedAt = now();
  return () => {
    if (now() - startedAt < sliceMs) return undefined;
    return yieldToEventLoop().then(() => {
      startedAt = now();
    });
  };
}
