import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '@survey/runtime/errors/app-error';
import type { Reason } from '@survey/runtime/errors/reasons';

/** Waits before something is tried once more; false when it is not to be. */
export type MayRetry = (attempt: number, failure: AppError) => Promise<boolean>;

interface Options {
  /** For how long something that fails is tried, in milliseconds. */
  readonly patienceMs: number;
  /** Asked before, during and after each pause. */
  readonly goesOn: () => boolean;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const LOOK_EVERY_MS = 250;
/** What may be otherwise the next time. */
const PASSING: readonly Reason[] = ['UNAVAILABLE', 'OVERLOADED', 'DEADLINE_EXCEEDED', 'TOO_MANY_REQUESTS', 'INTERNAL'];

export function isPassing({ reason }: AppError): boolean {
  return PASSING.includes(reason);
}

export function createPatience({ patienceMs, goesOn, now }: Options): MayRetry {
  let since: number | undefined;
  return async (attempt, failure) => {
    // Of something else, that is tried for the first time.
    if (attempt === 1) since = now();
    const isOver = now() - (since ?? now()) >= patienceMs;
    if (isOver || !isPassing(failure) || !goesOn()) return false;
    const until = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    for (let left = until - now(); left > 0 && goesOn(); left = until - now())
      await delay(Math.min(left, LOOK_EVERY_MS));
    return goesOn();
  };
}
