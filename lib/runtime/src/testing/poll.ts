import { setTimeout as sleep } from 'node:timers/promises';

const USUAL_EVERY_MS = 20;

/**
 * Asks again every `everyMs` (20 ms) until the answer is neither undefined, null nor false, and gives it. Throws what
 * `check` threw last, or that it never held, after `timeoutMs` (15 s).
 */
export async function poll<T>(
  check: () => Promise<T> | T,
  {
    timeoutMs = 15_000,
    everyMs = USUAL_EVERY_MS,
  }: { readonly timeoutMs?: number | undefined; readonly everyMs?: number | undefined } = {},
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown = new Error(`the condition did not hold within ${timeoutMs} ms`);
    try {
      const answer = await check();
      // What is left after the three that mean "not yet".
      if (answer !== undefined && answer !== null && answer !== false) {
        return answer as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw failure;
    await sleep(everyMs);
  }
}
