import { describe, expect, it } from 'vitest';
import type { ReadItem, ReadResponse } from '../reading/read-import.ts';
import { toResponseBatches } from './response-sender.ts';

const respond = (index: number, given: object = {}): ReadResponse => ({
  index,
  id: '',
  answers: '{}',
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
  omissions: [],
  isPartial: false,
  allowsMissing: false,
  ...given,
});

async function* stream(responses: readonly ReadItem[]): AsyncGenerator<ReadItem> {
  yield* responses;
}
const toPayload = (response: ReadResponse) => ({ ...response, id: `new ${response.index}` });
const batch = (responses: readonly ReadItem[], skip = 0) =>
  Array.fromAsync(toResponseBatches(stream(responses), { toPayload, skip }));

describe('toResponseBatches', () => {
  it('keeps the order, with at most 200 responses, including rejected and left out ones', async () => {
    const responses = Array.from({ length: 401 }, (_, index): ReadItem => {
      if (index === 4) return { index, id: '', isLeftOut: true };
      return index === 3 ? { index, id: '', code: 'X', detail: 'x' } : respond(index);
    });
    const batches = await batch(responses);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 1]);
    const expected = responses.map((response) => {
      if (!('answers' in response)) return response;
      const { index, id } = response;
      return { index, id, lacksValues: false, omissions: [], payload: toPayload(response) };
    });
    expect(batches.flat()).toEqual(expected);
  });

  it('has all data to store', async () => {
    const response = respond(0, { id: 'a', answers: '{"text":"é"}', language: 'de' });
    const [[first] = []] = await batch([response]);
    const payload = { ...response, id: 'new 0' };
    expect(first).toEqual({ index: 0, id: 'a', lacksValues: false, omissions: [], payload });
  });

  it('rejects a response with more than 2 MiB of answers, which the response service does not store', async () => {
    const answers = (length: number) => ({ answers: JSON.stringify({ text: 'x'.repeat(length) }) });
    const [kept, rejected] = (
      await batch([respond(0, answers(2_000_000)), respond(1, { id: 'b', ...answers(2_100_000) })])
    ).flat();
    expect(kept).toMatchObject({ index: 0, payload: { id: 'new 0' } });
    expect(rejected).toMatchObject({ index: 1, id: 'b', code: 'TOO_LARGE' });
  });

  it('has at most 1 MiB of answers and metadata, or one response', async () => {
    const large = respond(0, { answers: JSON.stringify({ text: 'x'.repeat(700_000) }) });
    const described = respond(1, { metadata: { text: 'x'.repeat(700_000) } });
    expect((await batch([large, large, respond(2)])).map(({ length }) => length)).toEqual([1, 2]);
    const batches = await batch([large, described]);
    expect(batches.map(({ length }) => length)).toEqual([1, 1]);
    expect(batches.flat().some((item) => 'code' in item)).toBe(false);
  });

  it('skips responses that were sent before, and makes the same batches', async () => {
    const responses = Array.from({ length: 450 }, (_, index) => respond(index));
    const [, ...rest] = await batch(responses);
    expect(await batch(responses, 200)).toEqual(rest);
    expect(await batch(responses, 1_000)).toEqual([]);
  });

  it('yields the responses before an unreadable position', async () => {
    async function* broken(): AsyncGenerator<ReadItem> {
      yield respond(0);
      throw new Error('broken off');
    }
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const items of toResponseBatches(broken(), { toPayload, skip: 0 })) found.push(...items);
    })();
    await expect(reading).rejects.toThrow('broken off');
    expect(found).toHaveLength(1);
  });

  it('makes no batch of an empty file', async () => {
    expect(await batch([])).toEqual([]);
  });
});
