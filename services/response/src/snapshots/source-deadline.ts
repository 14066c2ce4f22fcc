/** Timeout of a call to the survey service. It is shorter if there is a snapshot to fall back on. */
export function sourceDeadlineMs(known: unknown): number {
  return known === undefined ? 5_000 : 1_000;
}
