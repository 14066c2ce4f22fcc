import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * Lets other work of the process run during a long computation. Call the returned function after each step, and await
 * its result. It yields to the event loop when `sliceMs` have passed since the start or the last yield.
 *
 * @param sliceMs approximate maximum wait of other work, in milliseconds
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
