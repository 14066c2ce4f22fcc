/** A stream whose beginning is known. */
export interface Peeked<T> {
  readonly isEmpty: boolean;
  /** All of its items, the first one too. To be read once. */
  readonly items: AsyncIterable<T>;
}

/** Waits for the first item of a stream; what fails before it is thrown here. */
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
