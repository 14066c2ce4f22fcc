import { randomBytes } from 'node:crypto';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDefinition, newResponse } from '../testing/new-definition.ts';
import { createTestWindows } from '../testing/test-windows.ts';
import { createCommitMetrics } from './commit-metrics.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Response } from './response.ts';
import { createResponseSealer, type ResponseSealer } from './response-sealer.ts';
import { createResponseStore, type ResponseDocument, responseIndexes } from './response-store.ts';
import { createResponseStream } from './response-stream.ts';
import { createResponseStreamStore, type ResponseStreamStore } from './response-stream-store.ts';
import { createSampleStore } from './sample-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let sealer: ResponseSealer;
let stream: ResponseStreamStore;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: responseIndexes });
  const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));
  const dataKeys = database.db.collection<DataKeyDocument>('data_keys');
  sealer = createResponseSealer(
    createEnvelope({ collection: dataKeys, keyring: async () => keyring, clock: () => new Date() }),
  );
  stream = createResponseStreamStore(collection);
});
afterAll(() => database.drop());

const definition = () => newDefinition([{ id: 'q', type: 'text' }]);

async function store(responses: readonly Response[]): Promise<void> {
  const [first] = responses;
  if (first === undefined) return;
  const metrics = createCommitMetrics(new Registry());
  const insert = (documents: readonly ResponseDocument[]) => insertBatch(collection, documents);
  const groupCommit = createGroupCommit<ResponseDocument>({ insert, sizeOf: () => 1, metrics });
  const seal = await sealer.sealerOf(first.tenantId);
  const sealed = responses.map((response) => ({ response: seal(response), events: [] }));
  const windows = createTestWindows(database.db);
  const random = Math.random;
  const samples = createSampleStore({ collection, random });
  const store = createResponseStore({ collection, groupCommit, windows, samples, random, onEvent: () => {} });
  await store.insertAll(sealed);
  await groupCommit.stop();
}

const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000);

async function batchesOf({ tenantId, surveyId }: ReturnType<typeof definition>) {
  const batches: string[][] = [];
  for await (const batch of stream.read(tenantId, { surveyId })) batches.push(batch.map(({ id }) => id));
  return batches;
}

describe('reading all responses of a survey', () => {
  it('goes from the oldest to the newest, each once, though many were stored in one moment', async () => {
    const survey = definition();
    // Three to a moment, which ends of batches do not fall together with.
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

  it('holds no more at once than one answer of the database', async () => {
    const survey = definition();
    const responses = Array.from({ length: 9 }, (_, n) =>
      newResponse(survey, { createdAt: at(n), data: { q: 'x'.repeat(4 * 1024 * 1024) } }),
    );
    await store(responses);
    const batches = await batchesOf(survey);
    expect(batches.flat()).toEqual(responses.map(({ id }) => id));
    for (const ids of batches) expect(ids.length).toBeLessThanOrEqual(4);
  });

  it('leaves no cursor open when the reader has enough', async () => {
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

  it('ends though responses arrive all the time', async () => {
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

  it('finds nothing of another tenant', async () => {
    const survey = definition();
    await store([newResponse(survey)]);
    const other = { ...survey, tenantId: definition().tenantId };
    expect(await batchesOf(other)).toEqual([]);
    expect(await stream.findVersions(other.tenantId, { surveyId: survey.surveyId })).toEqual([]);
  });
});

describe('reading what is counted', () => {
  it('opens as the responses are, and nothing of another tenant', async () => {
    const survey = definition();
    const { tenantId, surveyId } = survey;
    const responses = [
      newResponse(survey, { createdAt: at(0), data: { q: 'ü' }, metadata: { n: 1 } }),
      newResponse(survey, { createdAt: at(1), status: 'in_progress', completedAt: undefined, surveyVersion: 2 }),
    ];
    await store(responses);
    const read = createResponseStream({ read: stream.readAnswers, openAll: sealer.openAnswers, clock: () => at(2) });
    expect((await Array.fromAsync(read(tenantId, { surveyId }))).flat()).toEqual(
      responses.map(({ surveyVersion, status, completedAt, data }) => ({ surveyVersion, status, completedAt, data })),
    );
    expect(await Array.fromAsync(read(definition().tenantId, { surveyId }))).toEqual([]);
  });
});

describe('the versions that are answered', () => {
  it('come latest first, of those that fit a filter', async () => {
    const survey = definition();
    const versions = [1, 3, 3, 2].map((surveyVersion, n) =>
      newResponse(survey, { surveyVersion, createdAt: at(n), status: n === 3 ? 'disqualified' : 'completed' }),
    );
    await store(versions);
    const { tenantId, surveyId } = survey;
    expect(await stream.findVersions(tenantId, { surveyId })).toEqual([3, 2, 1]);
    expect(await stream.findVersions(tenantId, { surveyId, status: 'completed' })).toEqual([3, 1]);
  });

  it('are read from the index alone', async () => {
    const survey = definition();
    const { tenantId, surveyId } = survey;
    await store(Array.from({ length: 20 }, (_, n) => newResponse(survey, { createdAt: at(n) })));
    await database.db.command({ profile: 2 });
    await stream.findVersions(tenantId, { surveyId, language: 'de' });
    await database.db.command({ profile: 0 });
    const profiled = await database.db
      .collection('system.profile')
      .find({ 'command.aggregate': 'responses', 'command.pipeline.0.$match.tenant_id': tenantId })
      .toArray();
    expect(profiled.map(({ docsExamined, planSummary }) => [docsExamined, planSummary.slice(0, 6)])).toEqual([
      [0, 'IXSCAN'],
    ]);
  });
});
