import { describe, expect, it } from 'vitest';
import { invalidImport } from '../files/report.ts';
import { lookAhead } from './look-ahead.ts';

async function* upTo(end: number, error?: Error) {
  for (let number = 1; number <= end; number += 1) yield number;
  if (error !== undefined) throw error;
}

async function seenOf(items: AsyncIterable<number>): Promise<readonly number[]> {
  const seen: number[] = [];
  await lookAhead(items, (item) => seen.push(item));
  return seen;
}

describe('lookAhead', () => {
  it('reads the beginning of a file', async () => {
    expect(await seenOf(upTo(3))).toEqual([1, 2, 3]);
    expect(await seenOf(upTo(5_000))).toHaveLength(1_000);
  });

  it('ends at an unreadable position, and hides no other error', async () => {
    expect(await seenOf(upTo(2, invalidImport([])))).toEqual([1, 2]);
    await expect(seenOf(upTo(2, new TypeError('broken')))).rejects.toThrow('broken');
  });
});
