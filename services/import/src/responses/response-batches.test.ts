import { describe, expect, it } from 'vitest';
import type { FileResponse } from './file-response.ts';
import { toResponseBatches } from './response-batches.ts';

const respond = (index: number, given: object = {}): FileResponse => ({
  index,
  id: '',
  answers: {},
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
  ...given,
});

async function* stream(responses: readonly FileResponse[]): AsyncGenerator<FileResponse> {
  yield* responses;
}
const batch = (responses: readonly FileResponse[], skip = 0) =>
  Array.fromAsync(toResponseBatches(stream(responses), skip));

describe('toResponseBatches', () => {
  it('keeps the order and holds 200 responses at most, refused ones too', async () => {
    const responses = Array.from({ length: 401 }, (_, index) =>
      index === 3 ? { index, id: '', code: 'X', detail: 'x' } : respond(index),
    );
    const batches = await batch(responses);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(batches.flat()).toEqual(responses);
  });

  it('holds a mebibyte of answers and metadata at most, or one response', async () => {
    const large = respond(0, { answers: { text: 'x'.repeat(700_000) } });
    const described = respond(1, { metadata: { text: 'x'.repeat(700_000) } });
    expect((await batch([large, large, respond(2)])).map(({ length }) => length)).toEqual([1, 2]);
    expect((await batch([large, described])).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('leaves out those that are done with, and cuts the rest at the same places', async () => {
    const responses = Array.from({ length: 450 }, (_, index) => respond(index));
    const [, ...rest] = await batch(responses);
    expect(await batch(responses, 200)).toEqual(rest);
    expect(await batch(responses, 1_000)).toEqual([]);
  });

  it('gives what came before the file broke off', async () => {
    async function* broken(): AsyncGenerator<FileResponse> {
      yield respond(0);
      throw new Error('broken off');
    }
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const items of toResponseBatches(broken(), 0)) found.push(...items);
    })();
    await expect(reading).rejects.toThrow('broken off');
    expect(found).toHaveLength(1);
  });

  it('makes none of nothing', async () => {
    expect(await batch([])).toEqual([]);
  });
});
