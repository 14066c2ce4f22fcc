import { AppError } from '@survey/runtime/errors/app-error';
import type { Logger } from 'pino';

/** Timeout of calls to identity. */
export const IDENTITY_TIMEOUT_MS = 1_500;

/** Calls identity. Returns undefined for 404, and throws `UNAVAILABLE` for any other error. */
export async function askIdentity<T>(call: () => Promise<T>, log: Logger): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    log.warn({ err: error }, 'cannot read permissions from identity');
    throw new AppError('UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
  }
}
