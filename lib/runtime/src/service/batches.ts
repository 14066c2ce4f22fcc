/** The most that a batch may have. */
export interface BatchLimits<T> {
  readonly items: number;
  readonly bytes: number;
  /** Size of an item in bytes. */
  readonly sizeOf: (item: T) => number;
}

/** Splits items, in their order, into batches within the limits. One that is too large by itself has a batch to itself. */
export function toBatches<T>(items: readonly T[], limits: BatchLimits<T>): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = limits.sizeOf(item);
    if (batch.length === limits.items || (batch.length > 0 && bytes + size > limits.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
