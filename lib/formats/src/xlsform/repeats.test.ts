import { describe, expect, it } from 'vitest';
import { readSubmissionKeys } from './repeats.ts';

function tableOf(...keys: readonly string[]) {
  return {
    async *rows() {
      for (const [at, key] of ['KEY', ...keys].entries()) yield { number: at + 1, cells: [key] };
    },
  };
}

describe('the keys of submissions', () => {
  it('are read', async () => {
    expect(await readSubmissionKeys(tableOf('uuid:1', ' uuid:2 '))).toEqual(new Set(['uuid:1', 'uuid:2']));
  });

  it('are unknown if they have too many characters for the memory', async () => {
    const keys = Array.from({ length: 21 }, (_, at) => `${at}`.padEnd(500_000, 'x'));
    expect((await readSubmissionKeys(tableOf(...keys.slice(0, 20))))?.size).toBe(20);
    expect(await readSubmissionKeys(tableOf(...keys))).toBeUndefined();
  });

  it('are unknown without their column', async () => {
    expect(
      await readSubmissionKeys({
        rows: async function* () {
          yield { number: 1, cells: ['id'] };
        },
      }),
    ).toBeUndefined();
  });
});
