import { setTimeout as sleep } from 'node:timers/promises';

const MIN_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 500;
/** Pauses are this share of the time so far: long waits need few calls, and end at most a tenth later. */
const INTERVAL_SHARE = 0.1;

/**
 * Calls `check` until its result is neither undefined, null nor false, and returns that result. After `timeoutMs` (90
 * s), throws the last error of `check`, or an error that the condition did not hold. Pauses between calls grow from 20
 * to 500 ms, unless `intervalMs` is given.
 */
export async function poll<T>(
  check: () => Promise<T> | T,
  {
    timeoutMs = 90_000,
    intervalMs,
  }: { readonly timeoutMs?: number | undefined; readonly intervalMs?: number | undefined } = {},
): Promise<Exclude<T, undefined | null | false>> {
  const startedAt = performance.now();
  for (;;) {
    let failure: unknown = new Error(`the condition did not hold within ${timeoutMs} ms`);
    try {
      const result = await check();
      // TypeScript does not narrow a generic type.
      if (result !== undefined && result !== null && result !== false) {
        return result as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      failure = error;
    }
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > timeoutMs) throw failure;
    await sleep(intervalMs ?? Math.min(Math.max(elapsedMs * INTERVAL_SHARE, MIN_INTERVAL_MS), MAX_INTERVAL_MS));
  }
}
