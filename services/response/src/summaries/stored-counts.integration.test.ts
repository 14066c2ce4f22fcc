import { deserialize, serialize } from 'node:v8';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog as log } from '@survey/runtime/testing/test-log';
import fc from 'fast-check';
import { Binary, type Collection, MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Response, toCorrectionRecord } from '../responses/response.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import { type CountsFormat, type SliceDocument, type SliceStore, sliceIndexes } from '../responses/slice-store.ts';
import { createDueResponseStore } from '../retention/retention-store.ts';
import { newResponse } from '../testing/new-response.ts';
import { startWriters } from '../testing/response-writers.ts';
import { createTestDeletion } from '../testing/retention-replica.ts';
import { createStoredResponses, noConditions } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createTestSlices, createTestWindows, endWindows } from '../testing/test-stores.ts';
import { COUNTS_FORMAT } from './counts-codec.ts';
import { createStoredCounts } from './stored-counts.ts';
import { createSummaryService } from './summary-service.ts';
import { createSurveyTally } from './survey-tally.ts';

const HISTORIES = inject('testScope') === 'all' ? 100 : 15;
/** Reads counts without decoding them. */
const BYTES: CountsFormat<Uint8Array> = { number: COUNTS_FORMAT, decode: (bytes) => bytes };
/** A slice is split after this many responses. */
const SLICE = 100;

let database: TestDatabase;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;
let slices: Collection<SliceDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
  await ensureIndexes(database.db, { count_slices: sliceIndexes, responses: [outboxIndex] });
  slices = database.db.collection('count_slices');
});
afterAll(() => database.drop());

const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000);

/** Creates a survey with functions that change its responses. Corrections and deletions remove slices of `removers`. */
function createSurvey(removers?: SliceStore) {
  const survey = newDefinition([{ id: 'q', type: 'rating' }]);
  const current = new Map<string, Response>();
  let changes = 0;

  function nextTime(): Date {
    changes += 1;
    return at(1_000_000 + changes);
  }

  async function submit(seconds: readonly number[], given: Partial<Response> = {}): Promise<void> {
    const responses = seconds.map((second) => {
      const created = { createdAt: at(second), updatedAt: at(second), completedAt: at(second) };
      return newResponse(survey, { ...created, data: { q: 1 + (second % 5) }, ...given });
    });
    const { seal } = await stored.sealer.forTenant(survey.tenantId);
    const pending = responses.map((response) => ({ response: seal(response), events: [] }));
    await startWriters(database.db).store.insertAll(pending);
    for (const response of responses) current.set(response.id, response);
  }

  async function correct(before: Response, q: number): Promise<void> {
    const after = { ...before, data: { q }, updatedAt: nextTime(), revision: before.revision + 1 };
    const { seal } = await stored.sealer.forTenant(survey.tenantId);
    const correction = toCorrectionRecord('u', before, after);
    const { store } = startWriters(database.db, removers);
    expect(await store.replace(seal(before), seal(after), [], { correction })).toBe(true);
    current.set(after.id, after);
  }

  async function remove(...responses: readonly Response[]): Promise<void> {
    const removals = responses.map((one) => {
      const response = { ...one, requestHash: undefined };
      return { response, events: serviceDeletionEvents(response, nextTime()) };
    });
    const { deleted } = startWriters(database.db, removers);
    expect(await deleted.removeUnchanged(survey, removals)).toBe(removals.length);
    for (const { id } of responses) current.delete(id);
  }

  function expected() {
    const tally = createSurveyTally(new Map([[survey.version, survey.compiled()]]));
    for (const response of current.values()) tally.add(response);
    const { responses, questions } = tally.summary();
    return { responses, histogram: questions[0]?.numbers?.histogram };
  }

  const pick = (index: number) => [...current.values()][index % Math.max(1, current.size)];
  const list = () => slices.find({ survey_id: survey.surveyId }).sort({ until: 1 }).toArray();
  return { survey, submit, correct, remove, expected, pick, list };
}

type Survey = ReturnType<typeof createSurvey>;

/** Starts a process without counts in memory. */
function startReplica(
  { survey }: Survey,
  given: Partial<SliceStore> = {},
  { minResponses = SLICE, maxCachedEntries }: { minResponses?: number; maxCachedEntries?: number } = {},
) {
  const windows = createTestWindows(database.db);
  const { read, takeCount } = stored.createReader();
  const store = stored.stream;
  const counts = createStoredCounts(
    { slices: { ...createTestSlices(database.db), ...given }, store, log },
    minResponses / 2,
  );
  const find = async () => survey;
  const findPublishedVersions = async () => [];
  const definitions = { findOwned: find, findAnsweredVersion: find, findVersion: find, findPublishedVersions };
  const clock = () => new Date();
  const summaries = createSummaryService(
    {
      definitions,
      conditions: noConditions,
      store,
      stored: counts,
      read,
      readAll: async function* () {},
      windows,
      clock,
      now: () => performance.now(),
    },
    { splitAbove: minResponses, maxCachedEntries },
  );
  return async (range: { readonly since?: Date; readonly until?: Date } = {}) => {
    const selection = { surveyId: survey.surveyId, ...range };
    const { responses, questions } = await summaries.get(survey.tenantId, { selection, timeZone: 'UTC' });
    return { responses, histogram: questions[0]?.numbers?.histogram, reads: takeCount() };
  };
}

const seconds = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** Creates and summarizes a survey with five full slices and 50 more responses. */
async function createSummarized(removers?: SliceStore) {
  const survey = createSurvey(removers);
  await survey.submit(seconds(0, 550));
  const sumUp = startReplica(survey);
  expect(await sumUp()).toEqual({ ...survey.expected(), reads: 550 });
  return { ...survey, sumUp };
}

describe('a summary after a restart', () => {
  it('reads the stored counts, and only the responses of the last slice', async () => {
    const survey = await createSummarized();
    expect((await survey.list()).map(({ since, until }) => [since, until])).toEqual([
      [null, at(100)],
      [at(100), at(200)],
      [at(200), at(300)],
      [at(300), at(400)],
      [at(400), at(500)],
    ]);
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 50 });
    expect(await startReplica(survey)({ since: at(150) })).toMatchObject({ responses: 400, reads: 50 + 50 });
  });

  it('does not even compare counts with responses while the write window is the same', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    await endWindows(database.db);
    await startReplica(survey)();
    // No process changes responses outside of a window.
    const changed = { survey_id: survey.survey.surveyId, created_at: at(10) };
    await stored.collection.updateOne(changed, { $set: { updated_at: at(9_000) } });
    expect(await startReplica(survey)()).toMatchObject({ reads: 50 });
    await slices.updateMany({}, { $set: { confirmed_at: new Date(Date.now() - 25 * 60 * 60_000) } });
    expect(await startReplica(survey)()).toMatchObject({ reads: 150 });
    const windows = (await survey.list()).map(({ window }) => window);
    expect(windows).toEqual(Array.from({ length: 5 }, () => expect.any(Number)));
    expect(Math.min(...(await survey.list()).map(({ confirmed_at: time }) => time.getTime()))).toBeGreaterThan(
      Date.now() - 60 * 60_000,
    );
  });

  it('counts a slice again that changed, or that cannot be read', async () => {
    const survey = await createSummarized();
    await survey.submit([110]);
    const at300 = { survey_id: survey.survey.surveyId, since: at(300) };
    await slices.updateOne(at300, { $set: { 'counts.tag': new Binary(Buffer.alloc(16)) } });
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 101 + 100 + 50 });
    // The slice of 101 responses was split. The new slice with a single response is not stored.
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 51 });
  });

  it('counts slices of another format or version again', async () => {
    const survey = await createSummarized();
    const newer = { ...survey, survey: { ...survey.survey, version: 2 } };
    expect(await startReplica(newer)()).toMatchObject({ reads: 550 });
    expect(await startReplica(newer)()).toMatchObject({ reads: 50 });
    await slices.deleteMany({ survey_id: survey.survey.surveyId, until: { $lt: at(450) } });
    expect(await startReplica(newer)()).toMatchObject({ ...survey.expected(), reads: 450 });
  });

  it('counts again if the counts of a process that was killed are missing', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    let left = 2;
    const save: SliceStore['save'] = async (...given) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return createTestSlices(database.db).save(...given);
    };
    expect(await startReplica(survey, { save })()).toMatchObject(survey.expected());
    expect(await survey.list()).toHaveLength(2);
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 350 });
    expect(await survey.list()).toHaveLength(5);
  });

  it('stores only slices that fit the cache, and each once', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    const { save, confirm } = createTestSlices(database.db);
    const saved: (Date | undefined)[] = [];
    const spied: Partial<SliceStore> = {
      save: (owner, slice) => {
        saved.push(slice.since);
        return save(owner, slice);
      },
      confirm: (...confirmed) => {
        saved.push(at(-1));
        return confirm(...confirmed);
      },
    };
    const sumUp = startReplica(survey, spied, { maxCachedEntries: 120 });
    expect(await sumUp()).toEqual({ ...survey.expected(), reads: 550 });
    expect(saved).toEqual([undefined, at(100)]);
    expect(await sumUp()).toEqual({ ...survey.expected(), reads: 350 });
    expect(await startReplica(survey, spied, { maxCachedEntries: 120 })()).toMatchObject({ reads: 350 });
    expect(saved).toHaveLength(2);
  });

  it('ignores and replaces a document that contains no counts', async () => {
    const survey = await createSummarized();
    const store = createTestSlices(database.db);
    const [first] = await Array.fromAsync(store.find(survey.survey, BYTES));
    if (first === undefined) throw new Error('there is one');
    const corrupt = serialize({ ...deserialize(first.counts), questions: [['q', -1, 0, { kind: 'numbers' }]] });
    await store.save(survey.survey, { ...first, counts: corrupt });
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 150 });
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 50 });
  });

  it('stores counts again that are missing when they are confirmed', async () => {
    const survey = await createSummarized();
    await slices.deleteMany({ survey_id: survey.survey.surveyId, until: { $gt: at(200) } });
    await endWindows(database.db);
    await survey.sumUp();
    expect(await survey.list()).toHaveLength(2);
    await survey.submit([600]);
    expect(await survey.sumUp()).toEqual({ ...survey.expected(), reads: 51 });
    expect(await survey.list()).toHaveLength(5);
  });

  it('skips overlapping slices of a replica that divided the time differently', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    await startReplica(survey)();
    await startReplica(survey, { find: async function* () {} }, { minResponses: 150 })();
    expect((await survey.list()).map(({ since, until }) => [since, until])).toEqual([
      [null, at(200)],
      [at(100), at(200)],
      [at(200), at(400)],
      [at(300), at(400)],
      [at(400), at(500)],
    ]);
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 50 });
  });
});

describe('the counts of a deleted or corrected response', () => {
  it.each<[string, (survey: Survey, response: Response) => Promise<void>]>([
    ['deleted', ({ remove }, response) => remove(response)],
    ['corrected', ({ correct }, response) => correct(response, 5)],
  ])('are removed at once from the database when it is %s', async (_, change) => {
    const survey = await createSummarized();
    const [response] = [survey.pick(250)];
    if (response === undefined) throw new Error('there is one');
    await change(survey, response);
    expect((await survey.list()).map(({ since }) => since)).toEqual([null, at(100), at(300), at(400)]);
    expect(await survey.sumUp()).toMatchObject(survey.expected());
    expect(await startReplica(survey)()).toMatchObject(survey.expected());
  });

  it('are removed by the process that stored them after the deletion', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    const response = survey.pick(250);
    if (response === undefined) throw new Error('there is one');
    const save: SliceStore['save'] = async (owner, slice) => {
      if (slice.since?.getTime() === at(200).getTime()) await survey.remove(response);
      return createTestSlices(database.db).save(owner, slice);
    };
    await startReplica(survey, { save })();
    expect((await survey.list()).map(({ since }) => since)).toEqual([null, at(100), at(300), at(400)]);
    expect(await startReplica(survey)()).toMatchObject(survey.expected());
  });
});

describe('the counts of responses that the service deletes', () => {
  type Retention = { readonly state: 'kept'; readonly retentionDays: number } | { readonly state: 'purged' };
  const causes: readonly [string, Retention][] = [
    ['at the end of their retention', { state: 'kept', retentionDays: 0 }],
    ['with their survey', { state: 'purged' }],
  ];

  async function deleteAll({ survey }: Survey, retention: Retention): Promise<void> {
    // No relay publishes the events.
    const dueResponses = { ...createDueResponseStore(stored.collection), hasCapacity: async () => true };
    const { deleteDueData } = createTestDeletion(database.db, { dueResponses });
    const { tenantId, surveyId } = survey;
    // The second visit of a purged survey finds nothing, and deletes its write window.
    for (let visits = 0; visits < 2; visits += 1)
      expect(await deleteDueData({ ...retention, tenantId, surveyId }, async () => true)).toBe('next-walk');
  }

  it.each(causes)('are removed %s', async (_, retention) => {
    const survey = await createSummarized();
    await deleteAll(survey, retention);
    expect(await survey.list()).toEqual([]);
    expect(await survey.sumUp()).toMatchObject({ responses: 0, reads: 0 });
    expect(await startReplica(survey)()).toMatchObject({ responses: 0, reads: 0 });
  });

  it.each(causes)('are removed by a summary that stores them too late %s', async (_, retention) => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    // Responses of earlier releases can lack a write window.
    await database.db.collection('write_windows').deleteMany({});
    let deleted = 0;
    let saved = 0;
    const save: SliceStore['save'] = async (owner, slice) => {
      if (slice.since === undefined) {
        await deleteAll(survey, retention);
        deleted += 1;
      }
      await createTestSlices(database.db).save(owner, slice);
      saved += 1;
    };
    await startReplica(survey, { save })();
    expect([deleted, saved > 0]).toEqual([1, true]);
    expect(await survey.list()).toEqual([]);
  });
});

/** Ways in which the removal of slices can fail. */
const removals: Readonly<Record<string, () => SliceStore>> = {
  'cannot be removed': () => {
    const collection = database.db.collection<SliceDocument>('count_slices');
    const deleteMany = () => Promise.reject(new MongoNetworkError('connection closed'));
    return createTestSlices(database.db, { collection: Object.assign(collection, { deleteMany }) });
  },
  'are not removed by a replica of the previous release': () => ({
    ...createTestSlices(database.db),
    removeBetween: async () => {},
  }),
};

describe.each(Object.entries(removals))('the counts of a changed response that %s', (_, createRemovers) => {
  it.each<[string, (survey: Survey, response: Response) => Promise<void>]>([
    ['deletion', ({ remove }, response) => remove(response)],
    ['correction', ({ correct }, response) => correct(response, 5)],
  ])('do not fail a %s, are not used, and are overwritten', async (_, change) => {
    const survey = await createSummarized(createRemovers());
    // End the write window, so that it proves the counts before the change.
    await endWindows(database.db);
    await startReplica(survey)();
    const before = await survey.list();
    const response = survey.pick(250);
    if (response === undefined) throw new Error('there is one');
    await change(survey, response);
    expect(await survey.list()).toEqual(before);
    const stale = before[2];
    expect(await survey.sumUp()).toMatchObject(survey.expected());
    // Store the outdated counts again: the next process must detect them too.
    if (stale === undefined) throw new Error('there is one');
    await slices.replaceOne({ _id: stale._id }, stale);
    await endWindows(database.db);
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: expect.any(Number) });
    const after = await survey.list();
    expect(after.map(({ content_id }) => content_id)).not.toContain(stale.content_id);
    expect(await startReplica(survey)()).toMatchObject(survey.expected());
  });
});

describe('two replicas', () => {
  it('sum up at the same time, and both are right', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    const both = await Promise.all([startReplica(survey)(), startReplica(survey)()]);
    expect(both).toEqual([expect.objectContaining(survey.expected()), expect.objectContaining(survey.expected())]);
    expect(await survey.list()).toHaveLength(5);
    expect(await startReplica(survey)()).toEqual({ ...survey.expected(), reads: 50 });
  });

  it('confirm the counts that the other one stored, and do not store them again', async () => {
    const survey = createSurvey();
    await survey.submit(seconds(0, 550));
    const real = createTestSlices(database.db);
    let saves = 0;
    const save: SliceStore['save'] = (...given) => {
      saves += 1;
      return real.save(...given);
    };
    const find: SliceStore['find'] = async function* () {};
    const replicas = [startReplica(survey, { save, find }), startReplica(survey, { save, find })];
    for (const sumUp of replicas) expect(await sumUp()).toMatchObject({ reads: 550 });
    for (const second of [600, 601, 602]) {
      await endWindows(database.db);
      for (const sumUp of replicas) await sumUp();
      await survey.submit([second]);
      for (const sumUp of replicas) expect(await sumUp()).toMatchObject(survey.expected());
    }
    expect(saves).toBe(2 * 5);
  });

  it('have the counts of the responses after any history', async () => {
    const index = fc.nat(400);
    const step = fc.oneof(
      fc.record({ type: fc.constant('submit'), from: index, count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ type: fc.constant('begin'), from: index, count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('correct'), from: index, count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('delete'), from: index, count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constantFrom('rest', 'restart', 'range'), from: index, count: fc.constant(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(1)), { minLength: 3, maxLength: 12 }), async (history) => {
        const survey = createSurvey();
        await survey.submit(seconds(0, 60));
        const start = () => startReplica(survey, {}, { minResponses: 20 });
        const replicas = [start(), start()];
        for (const [{ type, from, count }, replica] of history) {
          const picked = new Set(seconds(from, from + count).flatMap((one) => survey.pick(one) ?? []));
          if (type === 'submit') await survey.submit(seconds(from, from + count));
          if (type === 'begin')
            await survey.submit(seconds(from, from + count), { status: 'in_progress', completedAt: undefined });
          if (type === 'correct') for (const one of picked) await survey.correct(one, 1 + (from % 5));
          if (type === 'delete') await survey.remove(...picked);
          if (type === 'rest') await endWindows(database.db);
          if (type === 'restart') replicas[replica] = start();
          if (type === 'range') await replicas[replica]?.({ since: at(from), until: at(from + 100) });
          expect(await replicas[replica]?.()).toMatchObject(survey.expected());
        }
        expect(await start()()).toMatchObject(survey.expected());
      }),
      { numRuns: HISTORIES },
    );
  }, 1_200_000);
});
