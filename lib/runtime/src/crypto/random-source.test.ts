import { describe, expect, it } from 'vitest';
import { createRandomSource } from './random-source.ts';

describe('a random source', () => {
  it('returns the requested number of bytes, regardless of the rest of the pool', () => {
    const random = createRandomSource();
    for (const size of [0, 12, 16, 4_090, 4_096, 10_000, 1]) expect(random(size)).toHaveLength(size);
  });

  it('never repeats or changes returned bytes', () => {
    const random = createRandomSource();
    const pieces = Array.from({ length: 2_000 }, () => random(12));
    const written = pieces.map((piece) => Buffer.from(piece).toString('hex'));
    for (let n = 0; n < 1_000; n += 1) random(16);
    expect(new Set(written).size).toBe(pieces.length);
    expect(pieces.map((piece) => Buffer.from(piece).toString('hex'))).toEqual(written);
  });

  it('differs from other sources', () => {
    expect(createRandomSource()(16)).not.toEqual(createRandomSource()(16));
  });
});
