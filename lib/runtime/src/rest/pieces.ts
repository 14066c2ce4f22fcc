/** Some bytes of an upload. Each piece is encrypted and stored alone. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** Splits a stream into pieces of equal size; only the last one may be shorter. An empty stream has no pieces. */
export async function* toPieces(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Piece> {
  let piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const bytes of stream) {
    for (let offset = 0; offset < bytes.length; ) {
      if (filled === size) {
        yield { bytes: piece, isLast: false };
        piece = Buffer.allocUnsafe(size);
        filled = 0;
      }
      const part = bytes.subarray(offset, offset + size - filled);
      piece.set(part, filled);
      filled += part.length;
      offset += part.length;
    }
  }
  if (filled > 0) yield { bytes: piece.subarray(0, filled), isLast: true };
}

/** Waits for the first chunk of a stream, so that an earlier error can still get a normal error reply. */
export async function beginStream<T>(stream: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (!first.done) yield first.value;
    // Pass on the rest. `yield*` also ends the iterator if the reader stops early.
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}
