/** Time limit of the last requests for metrics and health, in milliseconds. */
export const ADMIN_GRACE_MS = 1_000;

/**
 * The share of `STOP_MS` for running calls, in milliseconds. The rest is for workers to finish the work of those calls,
 * and for connections to close.
 */
export function timeToFinishCalls(stopMs: number): number {
  return stopMs * 0.6;
}
