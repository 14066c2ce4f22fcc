/** How long the last requests for metrics and health may take, in milliseconds. */
export const ADMIN_GRACE_MS = 1_000;

/**
 * The part of the time for stopping (`STOP_MS`) that running calls have. The rest is for workers to finish what the calls
 * gave them, and for connections to close.
 */
export function timeToFinishCalls(stopMs: number): number {
  return stopMs * 0.6;
}
