import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPieces } from './pieces.ts';
import { withMinimumSpeed } from './request-body.ts';

async function* streamOf(parts: readonly Uint8Array[]) {
  yield* parts;
}

describe('pieces of a stream', () => {
  it('contain all bytes, in equal sizes, with the last one marked', async () => {
    const property = fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 })), async (parts) => {
      const pieces = await Array.fromAsync(toPieces(streamOf(parts), 8));
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes))).toEqual(Buffer.concat(parts));
      expect(pieces.map(({ isLast }) => isLast)).toEqual(pieces.map((_, index) => index === pieces.length - 1));
      for (const { bytes, isLast } of pieces)
        expect(isLast ? bytes.length > 0 && bytes.length <= 8 : bytes.length === 8).toBe(true);
    });
    await fc.assert(property);
  });

  it('are read at most one piece ahead', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 4;
        yield new Uint8Array(4);
      }
    }
    const pieces = toPieces(endless(), 8);
    await pieces.next();
    expect(given).toBe(12);
    await pieces.return(undefined);
  });
});

describe('a stream with a minimum speed', () => {
  it('continues while it is fast enough, and fails otherwise', async () => {
    let time = 0;
    const parts = async function* () {
      for (let count = 0; count < 10; count += 1) {
        time += 10_000;
        yield new Uint8Array(1_000);
      }
    };
    const read: number[] = [];
    const all = async () => {
      for await (const bytes of withMinimumSpeed(parts(), () => time)) read.push(bytes.length);
    };
    await expect(all()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(read).toHaveLength(6);
    time = 0;
    const fast = [new Uint8Array(2 ** 20), new Uint8Array(2 ** 20)];
    expect(await Array.fromAsync(withMinimumSpeed(streamOf(fast), () => 61_000))).toHaveLength(2);
  });
});
