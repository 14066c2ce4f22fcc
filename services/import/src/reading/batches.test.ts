import type { FittedResponse, JudgedResponse } from '@survey/formats/core/responses/fit';
import { describe, expect, it } from 'vitest';
import { type Batch, createBatches, itemsOf, NOTHING_JUDGED } from './batches.ts';

const respond = (index: number, given: object = {}): FittedResponse => ({
  index,
  id: '',
  answers: {},
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
  omissions: [],
  lacksValues: false,
  allowsMissing: false,
  ...given,
});

const idsOf = ({ index }: { readonly index: number }) => ({ id: `new ${index}`, externalId: undefined });

function batchesOf(responses: readonly JudgedResponse[], isDryRun = false): readonly Batch[] {
  const batches = createBatches({ idsOf, isDryRun });
  const judgedBefore = (rows: number) => ({ ...NOTHING_JUDGED, rows });
  const full = responses.flatMap((response, rows) => batches.add(response, judgedBefore(rows)));
  return [...full, ...batches.flush(judgedBefore(responses.length))];
}

const batch = (responses: readonly JudgedResponse[], isDryRun = false) =>
  batchesOf(responses, isDryRun).map(({ bytes }) => itemsOf(bytes));

describe('batches', () => {
  it('keep the order, with at most 200 responses, including rejected and left out ones', () => {
    const responses = Array.from({ length: 401 }, (_, index): JudgedResponse => {
      if (index === 4) return { index, id: '', isLeftOut: true };
      return index === 3 ? { index, id: '', code: 'X', detail: 'x' } : respond(index);
    });
    const batches = batchesOf(responses);
    expect(batches.map(({ judged }) => judged.rows)).toEqual([200, 400, 401]);
    const expected = responses.map((response) => {
      if (!('answers' in response)) return response;
      const { index, id } = response;
      const payload = { id: `new ${index}`, answers: '{}', allowsMissing: false };
      return { index, id, lacksValues: false, omissions: [], payload };
    });
    expect(batches.flatMap(({ bytes }) => itemsOf(bytes))).toEqual(expected);
  });

  it('have all data to store, also texts that are no Unicode', () => {
    const details = {
      startedAt: new Date('2026-03-02T12:10:00Z'),
      completedAt: new Date('2026-03-02T12:11:00.500Z'),
      language: 'de',
      metadata: JSON.parse('{"__proto__":{"a":"\\ud800"}}'),
      status: 'abandoned' as const,
      allowsMissing: true,
    };
    const omissions = [{ column: 'c', code: 'X', detail: 'x', action: 'kept' as const }];
    const response = respond(7, {
      id: 'a',
      row: 9,
      answers: { text: 'é"\ud800' },
      omissions,
      lacksValues: true,
      ...details,
    });
    const [[item] = []] = batch([response]);
    const payload = { id: 'new 7', answers: '{"text":"é\\"\\ud800"}', ...details };
    expect(item).toEqual({ index: 7, id: 'a', row: 9, lacksValues: true, omissions, payload });
  });

  it('of a dry run have no answers and metadata', () => {
    const response = respond(0, { answers: { text: 'secret' }, metadata: { ip: 'secret' } });
    const batches = batchesOf([response], true);
    expect(Buffer.from(batches[0]?.bytes ?? []).toString()).not.toContain('secret');
    expect(batch([response], true)).toMatchObject([[{ payload: { id: 'new 0', answers: '{}' } }]]);
  });

  it('reject a response with more than 2 MiB of answers, which the response service does not store', () => {
    const answers = (length: number) => ({ answers: { text: 'x'.repeat(length) } });
    const [kept, rejected] = batch([
      respond(0, answers(2_000_000)),
      respond(1, { id: 'b', ...answers(2_100_000) }),
    ]).flat();
    expect(kept).toMatchObject({ index: 0, payload: { id: 'new 0' } });
    expect(rejected).toMatchObject({ index: 1, id: 'b', code: 'TOO_LARGE' });
  });

  it('have at most 1 MiB, or one response', () => {
    const large = respond(0, { answers: { text: 'x'.repeat(700_000) } });
    const described = respond(1, { metadata: { text: 'x'.repeat(700_000) } });
    expect(batch([large, large, respond(2)]).map(({ length }) => length)).toEqual([1, 2]);
    const batches = batch([large, described]);
    expect(batches.map(({ length }) => length)).toEqual([1, 1]);
    expect(batches.flat().some((item) => 'code' in item)).toBe(false);
  });

  it('are none for an empty file', () => {
    expect(batch([])).toEqual([]);
  });
});
