/** Exponential backoff: each pause is twice the one before. Milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The pause after a number of failures in a row, 1 or more. Milliseconds. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}
