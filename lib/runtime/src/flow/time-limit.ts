/**
 * Waits for work, but not longer than a time limit in milliseconds. Then the work continues, and `onTimeout` gives the
 * result or throws.
 */
export async function withTimeLimit<T>(work: Promise<T>, ms: number, onTimeout: () => T): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
