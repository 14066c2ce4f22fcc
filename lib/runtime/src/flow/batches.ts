export interface BatchLimits<T> {
  readonly items: number;
  /** Maximum sum of `sizeOf` over the items of a batch. A larger item gets a batch of its own. */
  readonly size?: number;
  readonly sizeOf?: (item: T) => number;
}

/** Splits items into batches within the limits, in their order. */
export function toBatches<T>(items: readonly T[], limits: BatchLimits<T>): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let start = 0; start < items.length; ) {
    const count = firstBatchLength(items, limits, start);
    batches.push(items.slice(start, start + count));
    start += count;
  }
  return batches;
}

export function takeBatch<T>(queue: T[], limits: BatchLimits<T>): readonly T[] {
  return queue.splice(0, firstBatchLength(queue, limits, 0));
}

function firstBatchLength<T>(items: readonly T[], limits: BatchLimits<T>, start: number): number {
  const { items: maxItems, size = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  let count = 0;
  let filled = 0;
  for (let index = start; index < items.length && count < maxItems; index += 1) {
    filled += sizeOf(items[index] as T);
    if (count > 0 && filled > size) break;
    count += 1;
  }
  return count;
}
