import { AppError } from '../errors/app-error.ts';

/** An upload may take a minute, plus the time for its bytes at half a megabit per second. */
const GRACE_MS = 60_000;
const BYTES_PER_MS = 64;

/**
 * Passes the bytes through while they arrive fast enough. Throws `DEADLINE_EXCEEDED` otherwise, so that slow clients
 * cannot occupy a slot forever.
 *
 * @param now milliseconds that never decrease
 */
export async function* withMinimumSpeed(
  stream: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array> {
  const begin = now();
  let received = 0;
  for await (const bytes of stream) {
    received += bytes.length;
    if (now() - begin > GRACE_MS + received / BYTES_PER_MS)
      throw new AppError('DEADLINE_EXCEEDED', { detail: 'The file arrives too slowly' });
    yield bytes;
  }
}
