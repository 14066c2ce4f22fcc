import { setTimeout as sleep } from 'node:timers/promises';

const DEFAULT_INTERVAL_MS = 20;

/**
 * Calls `check` every `intervalMs` (20 ms) until its result is neither undefined, null nor false, and returns it. After
 * `timeoutMs` (30 s), throws the last error of `check`, or that the condition did not hold.
 */
export async function poll<T>(
  check: () => Promise<T> | T,
  {
    timeoutMs = 30_000,
    intervalMs = DEFAULT_INTERVAL_MS,
  }: { readonly timeoutMs?: number | undefined; readonly intervalMs?: number | undefined } = {},
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs;
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
    if (performance.now() > deadline) throw failure;
    await sleep(intervalMs);
  }
}
