import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeBatch, toBatches } from './batcher.ts';

const limits = { maxItems: 3, maxSize: 10, sizeOf: (size: number) => size };

describe('toBatches', () => {
  it('begins a new batch at the limit of items or size', () => {
    expect(toBatches([1, 1, 1, 1], limits)).toEqual([[1, 1, 1], [1]]);
    expect(toBatches([5, 5, 1], limits)).toEqual([[5, 5], [1]]);
  });

  it('puts an oversized item into a batch of its own', () => {
    expect(toBatches([1, 11, 1], limits)).toEqual([[1], [11], [1]]);
  });

  it('keeps all items in order, within the limits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12)), (sizes) => {
        const batches = toBatches(sizes, limits);
        expect(batches.flat()).toEqual(sizes);
        for (const batch of batches) {
          const bytes = batch.reduce((sum, size) => sum + size, 0);
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(3);
          expect(batch.length === 1 || bytes <= 10).toBe(true);
        }
      }),
    );
  });
});

describe('takeBatch', () => {
  it('removes the first batch from the queue', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12)), (sizes) => {
        const queue = [...sizes];
        expect(takeBatch(queue, limits)).toEqual(toBatches(sizes, limits)[0] ?? []);
        expect(queue).toEqual(toBatches(sizes, limits).slice(1).flat());
      }),
    );
  });
});
