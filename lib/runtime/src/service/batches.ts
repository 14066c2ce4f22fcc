/** The most that a batch may have. */
export interface BatchLimits<T> {
  readonly items: number;
  /** Of all its items together, in the unit of `sizeOf`. */
  readonly size: number;
  readonly sizeOf: (item: T) => number;
}

/** Splits items, in their order, into batches within the limits. One that is too large by itself has a batch to itself. */
export function toBatches<T>(items: readonly T[], limits: BatchLimits<T>): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let filled = 0;
  for (const item of items) {
    const size = limits.sizeOf(item);
    if (batch.length === limits.items || (batch.length > 0 && filled + size > limits.size)) {
      batches.push(batch);
      batch = [];
      filled = 0;
    }
    batch.push(item);
    filled += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
