import { describe, expect, it } from 'vitest';
import { readSubmissionKeys } from './repeats.ts';

async function* rowsOf(...keys: readonly string[]) {
  for (const [at, key] of keys.entries()) yield { number: at + 2, cells: [key] };
}

describe('the keys of submissions', () => {
  it('are read', async () => {
    expect(await readSubmissionKeys(rowsOf('uuid:1', ' uuid:2 '), 0)).toEqual(new Set(['uuid:1', 'uuid:2']));
  });

  it('are unknown if they have too many characters for the memory', async () => {
    const keys = Array.from({ length: 21 }, (_, at) => `${at}`.padEnd(500_000, 'x'));
    expect((await readSubmissionKeys(rowsOf(...keys.slice(0, 20)), 0))?.size).toBe(20);
    expect(await readSubmissionKeys(rowsOf(...keys), 0)).toBeUndefined();
  });

  it('are unknown without their column', async () => {
    expect(await readSubmissionKeys(rowsOf('uuid:1'), -1)).toBeUndefined();
  });
});
