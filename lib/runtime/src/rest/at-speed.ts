import { AppError } from '../errors/app-error.ts';

/** What everybody is given, in milliseconds, and the bytes a millisecond that are needed beyond it: half a megabit a second. */
const GRACE_MS = 60_000;
const BYTES_PER_MS = 64;

/**
 * The same bytes, as long as they arrive fast enough: who sends them drop by drop would hold a place for ever. Throws
 * `DEADLINE_EXCEEDED`.
 *
 * @param now milliseconds that only ever grow
 */
export async function* atSpeed(stream: AsyncIterable<Uint8Array>, now: () => number): AsyncGenerator<Uint8Array> {
  const begin = now();
  let received = 0;
  for await (const bytes of stream) {
    received += bytes.length;
    if (now() - begin > GRACE_MS + received / BYTES_PER_MS)
      throw new AppError('DEADLINE_EXCEEDED', { detail: 'The file arrives too slowly' });
    yield bytes;
  }
}
