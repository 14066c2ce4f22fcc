interface Limits {
  readonly items: number;
  readonly bytes: number;
}

/** Takes the oldest off a queue: at least one, and not more than a write should carry. */
export function takeBatch<T extends { readonly bytes: number }>(queue: T[], limits: Limits): readonly T[] {
  let count = 0;
  let bytes = 0;
  for (const waiting of queue) {
    bytes += waiting.bytes;
    if (count === limits.items || (count > 0 && bytes > limits.bytes)) break;
    count += 1;
  }
  return queue.splice(0, count);
}
