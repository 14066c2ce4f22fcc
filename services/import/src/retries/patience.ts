import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { Reason } from '@survey/runtime/errors/reasons';
import { retry } from '@survey/runtime/flow/retry';

/**
 * What something gives, tried again while it fails for a reason that passes; else the last reason, or undefined when it
 * was given up because the import does not go on here: whoever goes on with it tries again.
 */
export type Persist = <T>(make: () => Promise<T>) => Promise<T | AppError | undefined>;

interface Options {
  /** For how long something that fails is tried, in milliseconds. */
  readonly patienceMs: number;
  /** Asked before each try, and during pauses. */
  readonly goesOn: () => boolean;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

const BACKOFF = { firstMs: 100, maxMs: 10_000 };
const LOOK_EVERY_MS = 250;
/** What may be otherwise the next time. */
const PASSING: readonly Reason[] = ['UNAVAILABLE', 'OVERLOADED', 'DEADLINE_EXCEEDED', 'TOO_MANY_REQUESTS', 'INTERNAL'];

export function isPassing({ reason }: AppError): boolean {
  return PASSING.includes(reason);
}

export function createPatience({ patienceMs, goesOn, now }: Options): Persist {
  async function pause(ms: number): Promise<void> {
    const until = now() + ms;
    for (let left = ms; left > 0 && goesOn(); left = until - now()) await delay(Math.min(left, LOOK_EVERY_MS));
  }

  return async (make) => {
    let failingSince: number | undefined;
    const ended = await retry(make, {
      backoff: BACKOFF,
      isStopped: () => !goesOn(),
      shouldRetry(error) {
        failingSince ??= now();
        const isOver = goesOn() && now() - failingSince >= patienceMs;
        return isPassing(toAppError(error)) && !isOver;
      },
      pause,
    });
    if (ended.kind === 'done') return ended.value;
    return ended.kind === 'failed' ? toAppError(ended.error) : undefined;
  };
}
