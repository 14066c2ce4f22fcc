/** A stream whose first item has been read. */
export interface Peeked<T> {
  readonly isEmpty: boolean;
  /** All items, including the first. Can be read once. */
  readonly items: AsyncIterable<T>;
}

/** Waits for the first item of a stream. Rejects if the stream fails before it. */
export async function peek<T>(stream: AsyncIterable<T>): Promise<Peeked<T>> {
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  return { isEmpty: first.done === true, items: all() };

  async function* all(): AsyncGenerator<T> {
    if (first.done) return;
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
}
