import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptFrom, distance, drawCells, randomSamplingKey, type SampleCandidate } from './sample-store.ts';

const word = (begin: string) => begin.padEnd(32, '0');
const candidatesOf = (words: readonly string[]): SampleCandidate[] =>
  words.map((draw, n) => ({ _id: String(n), draw }));

describe('a sampling key', () => {
  it('has 32 bits for every random number', () => {
    expect([0, 0.5, 1 - 2 ** -53].map((number) => randomSamplingKey(() => number))).toEqual([
      '0'.repeat(32),
      word('1'),
      '1'.repeat(32),
    ]);
    expect(new Set(Array.from({ length: 1_000 }, () => randomSamplingKey(Math.random).length))).toEqual(new Set([32]));
  });

  it('has a distance to another key, which wraps around', () => {
    expect(distance(word('0'), word('1'))).toBeCloseTo(0.5, 8);
    expect(distance(word('11'), word('01'))).toBeCloseTo(0.5, 8);
    expect(distance(word('1'), word('1'))).toBe(2 ** -32);
    expect(distance(word('0'), '1'.repeat(32))).toBe(1);
  });
});

describe('cells', () => {
  it('have 2 to 4 responses on average, and are enough for the sample', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 2 ** 31 }), fc.integer({ min: 1, max: 1_000 }), (about, size) => {
        const cells = drawCells(size, { estimate: about, max: 1_000, random: Math.random });
        const average = about / 2 ** (cells[0]?.length ?? 0);
        expect(average).toBeGreaterThan(2);
        expect(average).toBeLessThanOrEqual(4);
        expect(cells.length).toBe(Math.min(1_000, Math.ceil(size * 12.5)));
      }),
    );
    expect(drawCells(1, { estimate: 3, max: 20, random: Math.random })).toEqual(Array(13).fill(''));
    expect(drawCells(1, { estimate: 1e15, max: 1, random: () => 0 })).toEqual(['0'.repeat(32)]);
  });

  it('give each response with the same probability, whatever its key', () => {
    // Close keys, distant keys, and equal keys.
    const found = candidatesOf(
      ['00', '0000001', '0000001', '01', '0110', '0111', '0111001', '10', '11', '1111'].map(word),
    );
    const counts = new Map<string, number>();
    let accepted = 0;
    for (let n = 0; n < 200_000; n += 1) {
      const cells = drawCells(1, { estimate: 15, max: 1, random: Math.random });
      const [id] =
        acceptFrom(
          cells,
          found.filter(({ draw }) => draw.startsWith(cells[0] ?? '')),
          Math.random,
        ) ?? [];
      if (id === undefined) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      accepted += 1;
    }
    const expected = accepted / found.length;
    const chiSquare = found.reduce((sum, { _id }) => sum + ((counts.get(_id) ?? 0) - expected) ** 2 / expected, 0);
    expect(accepted).toBeGreaterThan(5_000);
    // Correct code exceeds this in fewer than one of 10^9 runs (9 degrees of freedom).
    expect(chiSquare).toBeLessThan(64);
  });

  it('give at most one response per drawn cell', () => {
    const found = candidatesOf([word('01')]);
    expect(acceptFrom(['0', '0', '1'], found, () => 0)).toEqual(['0', '0']);
    expect(acceptFrom(['0'], found, () => 1 / 25)).toEqual([]);
  });

  it('are rejected if one has too many responses', () => {
    const crowd = candidatesOf(Array.from({ length: 26 }, () => word('0')));
    expect(acceptFrom(['0'], crowd.slice(1), () => 24 / 25)).toEqual(['25']);
    expect(acceptFrom(['0'], crowd, () => 0)).toBeUndefined();
  });
});
