import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { Reason } from '@survey/runtime/errors/reasons';

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

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
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
    for (let pauseMs = FIRST_PAUSE_MS; goesOn(); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await make();
      } catch (error) {
        const failure = toAppError(error);
        failingSince ??= now();
        if (!isPassing(failure)) return failure;
        if (goesOn() && now() - failingSince >= patienceMs) return failure;
        await pause(pauseMs);
      }
    }
    return undefined;
  };
}
