import pLimit, { type LimitFunction } from 'p-limit';
import { AppError } from '../errors/app-error.ts';

/** Does what has the same key one after the other, in the order in which it came. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  readonly limit: LimitFunction;
  length: number;
}

/**
 * Turns within one process, for what would only be in its own way otherwise.
 *
 * @param longest how much waits under one key at the most: what comes then is refused with `UNAVAILABLE`
 */
export function createTurns({ longest }: { readonly longest: number }): Turns {
  const lines = new Map<string, Line>();

  return async (key, work) => {
    const line = lines.get(key) ?? { limit: pLimit(1), length: 0 };
    if (line.length > longest) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    lines.set(key, line);
    line.length += 1;
    try {
      return await line.limit(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
