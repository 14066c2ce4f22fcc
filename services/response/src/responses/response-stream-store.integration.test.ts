import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { type Collection, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newResponse } from '../testing/new-response.ts';
import { createStoredResponses } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import type { Response } from './response.ts';
import type { ResponseDocument } from './response-document-store.ts';
import type { ResponseSealer } from './response-sealer.ts';
import { createResponseStream, createResponseStreamStore, type ResponseStreamStore } from './response-stream-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let sealer: ResponseSealer;
let stream: ResponseStreamStore;
let store: (responses: readonly Response[]) => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ collection, sealer, stream, store } = await createStoredResponses(database.db));
});
afterAll(() => database.drop());

const definition = () => newDefinition([{ id: 'q', type: 'text' }]);

const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000);

async function batchesOf({ tenantId, surveyId }: ReturnType<typeof definition>) {
  const batches: string[][] = [];
  for await (const batch of stream.read(tenantId, { surveyId })) batches.push(batch.map(({ id }) => id));
  return batches;
}

describe('reading all responses of a survey', () => {
  it('returns each once, oldest first, even with equal times', async () => {
    const survey = definition();
    // Three responses per time, so that batches end between responses with equal times.
    const responses = Array.from({ length: 2_500 }, (_, n) =>
      newResponse(survey, { createdAt: at(Math.floor(n / 3)) }),
    );
    await store(responses.toReversed());
    await store([newResponse(definition())]);
    const batches = await batchesOf(survey);
    expect(batches.map((ids) => ids.length)).toEqual(Array(25).fill(100));
    const inOrder = responses
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
    expect(batches.flat()).toEqual(inOrder);
  });

  it('keeps at most one reply of MongoDB in memory', async () => {
    const survey = definition();
    const responses = Array.from({ length: 9 }, (_, n) =>
      newResponse(survey, { createdAt: at(n), data: { q: 'x'.repeat(4 * 1024 * 1024) } }),
    );
    await store(responses);
    const batches = await batchesOf(survey);
    expect(batches.flat()).toEqual(responses.map(({ id }) => id));
    for (const ids of batches) expect(ids.length).toBeLessThanOrEqual(4);
  });

  it('leaves no cursor open if the reader stops', async () => {
    const survey = definition();
    await store(Array.from({ length: 1_100 }, (_, n) => newResponse(survey, { createdAt: at(n) })));
    for await (const _ of stream.read(survey.tenantId, { surveyId: survey.surveyId })) break;
    const open = await database.client
      .db('admin')
      .aggregate(
        [{ $currentOp: { idleCursors: true } }, { $match: { ns: collection.namespace, type: 'idleCursor' } }],
        {
          readConcern: 'local',
        },
      )
      .toArray();
    expect(open).toEqual([]);
  });

  it('ends although responses keep arriving', async () => {
    const survey = definition();
    const clock = () => at(0);
    const read = createResponseStream({ read: stream.read, openAll: sealer.openAll, clock });
    const seen: string[] = [];
    const [known, late] = [newResponse(survey, { createdAt: at(59) }), newResponse(survey, { createdAt: at(60) })];
    await store([known, late]);
    for await (const responses of read(survey.tenantId, { surveyId: survey.surveyId }))
      seen.push(...responses.map(({ id }) => id));
    expect(seen).toEqual([known.id]);
  });

  it('returns nothing of another tenant', async () => {
    const survey = definition();
    await store([newResponse(survey)]);
    const other = { ...survey, tenantId: definition().tenantId };
    expect(await batchesOf(other)).toEqual([]);
    expect(await stream.findVersions(other.tenantId, { surveyId: survey.surveyId })).toEqual([]);
  });
});

describe('reading the few of very many responses that match a filter', () => {
  /** Reads slices of seven responses. */
  const sliced = () => createResponseStreamStore(collection, { singleReadMs: 0, timeMs: 0, slice: 7 });

  async function fill() {
    const survey = definition();
    const isRare = (n: number) => [0, 6, 7, 30, 49].includes(n);
    const all = Array.from({ length: 50 }, (_, n) =>
      newResponse(survey, {
        createdAt: at(Math.floor(n / 3)),
        updatedAt: at(n),
        ...(isRare(n) && { surveyVersion: 2, language: 'de' }),
      }),
    );
    await store(all);
    const rare = all.filter(({ language }) => language === 'de');
    return { ...survey, filter: { surveyId: survey.surveyId, languages: ['de'] }, rare, all };
  }

  it('returns each once, in order, from slices of the index', async () => {
    const { tenantId, filter, rare, surveyId } = await fill();
    const found = (await Array.fromAsync(sliced().read(tenantId, filter))).flat().map(({ id }) => id);
    const expected = (await Array.fromAsync(stream.read(tenantId, filter))).flat().map(({ id }) => id);
    expect(found).toEqual(expected);
    expect(found.toSorted()).toEqual(rare.map(({ id }) => id).toSorted());
    const everything = (await Array.fromAsync(sliced().read(tenantId, { surveyId }))).flat();
    expect(new Set(everything.map(({ id }) => id)).size).toBe(50);
    const chunks = await Array.fromAsync(sliced().read(tenantId, filter));
    expect(chunks.some((chunk) => chunk.length === 0)).toBe(true);
  });

  it('continues with slices if the database reports that reading takes too long', async () => {
    const { tenantId, filter } = await fill();
    // The first read without slices fails, like one that exceeds its time.
    const slow = new Proxy(collection, {
      get(target, name) {
        if (name !== 'find') return Reflect.get(target, name);
        return (condition: object, options: { readonly maxTimeMS?: number }) => {
          if (options.maxTimeMS !== 5) return target.find(condition, options);
          return { toArray: () => Promise.reject(new MongoServerError({ message: 'too long', code: 50 })) };
        };
      },
    });
    const reading = createResponseStreamStore(slow, { singleReadMs: 5, timeMs: 0, slice: 7 });
    expect((await Array.fromAsync(reading.read(tenantId, filter))).flat()).toHaveLength(5);
  });

  it('finds the same versions and states', async () => {
    const { tenantId, filter, surveyId } = await fill();
    expect(await sliced().findVersions(tenantId, { surveyId })).toEqual([2, 1]);
    expect(await sliced().findVersions(tenantId, filter)).toEqual([2]);
    for (const given of [{ surveyId }, filter])
      expect(await sliced().findFingerprint(tenantId, given, 1_000)).toEqual(
        await stream.findFingerprint(tenantId, given, 1_000),
      );
    expect((await sliced().findFingerprint(tenantId, filter, 3)).count).toBe(3);
  });
});

describe('reading responses for summaries', () => {
  it('returns the same answers as reading responses, and nothing of another tenant', async () => {
    const survey = definition();
    const { tenantId, surveyId } = survey;
    const responses = [
      newResponse(survey, { createdAt: at(0), updatedAt: at(5), data: { q: 'ü' }, metadata: { n: 1 } }),
      newResponse(survey, { createdAt: at(1), status: 'in_progress', completedAt: undefined, surveyVersion: 2 }),
    ];
    await store(responses);
    const read = createResponseStream({ read: stream.readAnswers, openAll: sealer.openAnswers, clock: () => at(2) });
    expect((await Array.fromAsync(read(tenantId, { surveyId }))).flat()).toEqual(
      responses.map(({ surveyVersion, status, createdAt, updatedAt, completedAt, data }) => ({
        surveyVersion,
        status,
        createdAt,
        updatedAt,
        completedAt,
        data,
      })),
    );
    expect(await Array.fromAsync(read(definition().tenantId, { surveyId }))).toEqual([]);
  });
});

describe('the answered versions', () => {
  it('are returned latest first, for a filter', async () => {
    const survey = definition();
    const versions = [1, 3, 3, 2].map((surveyVersion, n) =>
      newResponse(survey, { surveyVersion, createdAt: at(n), status: n === 3 ? 'disqualified' : 'completed' }),
    );
    await store(versions);
    const { tenantId, surveyId } = survey;
    expect(await stream.findVersions(tenantId, { surveyId })).toEqual([3, 2, 1]);
    expect(await stream.findVersions(tenantId, { surveyId, status: 'completed' })).toEqual([3, 1]);
  });

  it('are read with the index alone', async () => {
    const survey = await storeTwenty();
    const { surveyId, tenantId } = survey;
    expect(await examinedBy(tenantId, () => stream.findVersions(tenantId, { surveyId, languages: ['de'] }))).toEqual(
      INDEX_ALONE,
    );
  });
});

describe('the state of responses', () => {
  it('contains their number, and changes with each write', async () => {
    const survey = definition();
    const { tenantId, surveyId } = survey;
    // The sum of these times exceeds the precision of JavaScript numbers.
    const late = new Date(8.64e15);
    const responses = Array.from({ length: 3 }, (_, n) => newResponse(survey, { createdAt: at(n), updatedAt: late }));
    await store(responses);
    const state = () => stream.findFingerprint(tenantId, { surveyId, since: at(1) }, 3);
    expect(await state()).toEqual({ count: 2, changedMs: 2n * 8_640_000_000_000_000n });
    await collection.updateOne({ _id: responses[1]?.id ?? '' }, { $set: { updated_at: new Date(8.64e15 - 1) } });
    expect(await state()).toEqual({ count: 2, changedMs: 2n * 8_640_000_000_000_000n - 1n });
    expect(await stream.findFingerprint(tenantId, { surveyId }, 2)).toMatchObject({ count: 2 });
    expect(await stream.findFingerprint(definition().tenantId, { surveyId }, 3)).toEqual({ count: 0, changedMs: 0n });
  });

  it('is read with the index alone', async () => {
    const { surveyId, tenantId } = await storeTwenty();
    expect(await examinedBy(tenantId, () => stream.findFingerprint(tenantId, { surveyId }, 100))).toEqual(INDEX_ALONE);
  });
});

async function storeTwenty() {
  const survey = definition();
  await store(Array.from({ length: 20 }, (_, n) => newResponse(survey, { createdAt: at(n) })));
  return survey;
}

const INDEX_ALONE = [[0, 'IXSCAN']];

/** Returns the plans and the numbers of examined documents of a tenant's aggregations. */
async function examinedBy(tenantId: string, aggregate: () => Promise<unknown>) {
  await database.db.command({ profile: 2 });
  await aggregate();
  await database.db.command({ profile: 0 });
  const profiled = await database.db
    .collection('system.profile')
    .find({ 'command.aggregate': 'responses', 'command.pipeline.0.$match.tenant_id': tenantId })
    .toArray();
  return profiled.map(({ docsExamined, planSummary }) => [docsExamined, planSummary.slice(0, 6)]);
}
