import { describe, expect, it } from 'vitest';
import { createRandomSource } from './random-source.ts';

describe('a random source', () => {
  it('gives as many bytes as are asked for, whatever is left of the last ones', () => {
    const random = createRandomSource();
    for (const size of [0, 12, 16, 4_090, 4_096, 10_000, 1]) expect(random(size)).toHaveLength(size);
  });

  it('gives no bytes twice, and leaves those that it gave as they are', () => {
    const random = createRandomSource();
    const pieces = Array.from({ length: 2_000 }, () => random(12));
    const written = pieces.map((piece) => Buffer.from(piece).toString('hex'));
    for (let n = 0; n < 1_000; n += 1) random(16);
    expect(new Set(written).size).toBe(pieces.length);
    expect(pieces.map((piece) => Buffer.from(piece).toString('hex'))).toEqual(written);
  });

  it('gives others than another one', () => {
    expect(createRandomSource()(16)).not.toEqual(createRandomSource()(16));
  });
});
