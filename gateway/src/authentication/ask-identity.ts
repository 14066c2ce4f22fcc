import { AppError } from '@survey/runtime/errors/app-error';
import type { Logger } from 'pino';

/** How long identity may take to tell who calls, in milliseconds. */
export const TIMEOUT_MS = 1_500;

/**
 * What identity tells, undefined when it knows nobody like that. Whatever goes wrong there is `UNAVAILABLE` to the
 * caller, who can do nothing about it.
 */
export async function askIdentity<T>(call: () => Promise<T>, log: Logger): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    log.warn({ err: error }, 'identity cannot tell permissions');
    throw new AppError('UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
  }
}
