/**
 * How long the survey service may take: one that has nothing to go on with waits longer than one whose last snapshot
 * serves. Milliseconds.
 */
export function sourceDeadlineMs(known: unknown): number {
  return known === undefined ? 5_000 : 1_000;
}
