import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import type { WalkLimits } from '@survey/runtime/mongo/walk';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { SealedResponse } from '../responses/response.ts';
import {
  findStates,
  fromDocument,
  type ResponseDocument,
  responseIndexes,
  toDocument,
  toReplaced,
} from '../responses/response-document-store.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import { newPendingResponse, newSealed } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createTestSlices, createTestWindows, testStopwatch } from '../testing/test-stores.ts';
import { createCommit } from './commit.ts';
import { type LedgerDocument, ledgerIndexes } from './ledger.ts';
import { createLedgerStore } from './ledger-store.ts';
import { type Outcome, type PendingResponse, trackSeat } from './limit.ts';

let database: TestDatabase;
let responses: Collection<ResponseDocument>;
let ledgers: Collection<LedgerDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  responses = database.db.collection('responses');
  ledgers = database.db.collection('ledgers');
  await ensureIndexes(database.db, { responses: [...responseIndexes, outboxIndex], ledgers: ledgerIndexes });
});
afterAll(() => database.drop());

const newSurvey = () => ({ tenantId: toTenantId(randomUUID()), surveyId: randomUUID() });
type Survey = ReturnType<typeof newSurvey>;

const ofSurvey = (max: number) => [{ linkId: undefined, max }];
const pendingResponsesTo = (survey: Survey, count: number, max: number) =>
  Array.from({ length: count }, () => newPendingResponse(newSealed(survey), ofSurvey(max)));
const pendingResponseTo = (survey: Survey, max: number, given: Partial<SealedResponse> = {}) =>
  newPendingResponse(newSealed(survey, given), ofSurvey(max));

/** Makes repeated requests with the same responses. They read the current documents with the same ids. */
async function repeat(pending: readonly PendingResponse[]): Promise<readonly PendingResponse[]> {
  const ids = pending.map(({ response }) => response.id);
  const states = await findStates(responses, ids);
  return pending.map((one) => ({ ...one, replaced: toReplaced(states.get(one.response.id)) }));
}

function startStore(
  into: Collection<ResponseDocument> = responses,
  startStopwatch = testStopwatch,
  clock = () => new Date(),
  limits?: WalkLimits,
) {
  return createLedgerStore({
    ledgers,
    responses: into,
    windows: createTestWindows(database.db),
    random: Math.random,
    onEvent: () => {},
    clock,
    startStopwatch,
    ...(limits && { limits }),
  });
}

const settleAll = () => startStore().settleBatch(new Date(Date.now() + 1));

/** A collection of responses that runs `act` before each call of a method. */
function before(name: 'insertMany' | 'updateOne' | 'bulkWrite', act: () => Promise<unknown>) {
  return new Proxy(responses, {
    get(target, member) {
      const value = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      if (member !== name) return value.bind(target);
      return async (...given: unknown[]) => {
        await act();
        return value.apply(target, given);
      };
    },
  });
}

const killedOn = (name: Parameters<typeof before>[0]) => before(name, () => Promise.reject(new Error('killed')));

/** A collection whose writes stall until the test calls `resume`. */
function stalledOn(name: Parameters<typeof before>[0]) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const into = before(name, () => {
    reached.resolve();
    return gate.promise;
  });
  return { into, reached: reached.promise, resume: gate.resolve };
}

const completedOf = ({ surveyId }: Survey) => responses.countDocuments({ survey_id: surveyId, status: 'completed' });
const ledgerOf = ({ surveyId }: Survey) => ledgers.findOne({ _id: surveyId });
const seatsOf = async (survey: Survey) => {
  const ledger = await ledgerOf(survey);
  return [ledger?.used, ledger?.entries.length];
};

async function remove(id: string, into: Collection<ResponseDocument> = responses) {
  const document = await responses.findOne({ _id: id });
  if (document === null) throw new Error('there is no response to delete');
  const response = fromDocument(document);
  const deleted = createDeletedResponseStore({
    collection: into,
    windows: createTestWindows(database.db),
    slices: createTestSlices(database.db),
    onEvent: () => {},
  });
  const events = serviceDeletionEvents(response, new Date());
  return trackSeat(startStore(into), { before: response, after: undefined }, ({ entry }) =>
    deleted.remove(response, events, entry),
  );
}

/** Admits responses in a new process. Repeats contested responses. */
async function admitSurely(survey: Survey, pending: readonly PendingResponse[]): Promise<readonly Outcome[]> {
  const store = startStore();
  const outcomes = new Map<PendingResponse, Outcome>();
  await poll(async () => {
    const open = pending.filter((one) => (outcomes.get(one) ?? 'contested') === 'contested');
    const found = await store.admit(survey, open);
    for (const [index, one] of open.entries()) outcomes.set(one, found[index] ?? 'contested');
    return !found.includes('contested');
  });
  return [...outcomes.values()];
}

describe('admissions', () => {
  it('fill all seats exactly, with concurrent admissions', async () => {
    const survey = newSurvey();
    const batches = Array.from({ length: 10 }, () => admitSurely(survey, pendingResponsesTo(survey, 10, 37)));
    const outcomes = (await Promise.all(batches)).flat();
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(37);
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(63);
    expect(await completedOf(survey)).toBe(37);
    expect(await seatsOf(survey)).toEqual([37, 0]);
  });

  it('create one ledger, however many are concurrent', async () => {
    const surveys = Array.from({ length: 20 }, newSurvey);
    const admitted = surveys.map(async (survey) => {
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => admitSurely(survey, pendingResponsesTo(survey, 1, 2))));
      return outcomes.flat().filter((outcome) => outcome === 'stored').length;
    });
    expect(await Promise.all(admitted)).toEqual(surveys.map(() => 2));
  });

  it('respect the limits of links and survey, and rejected responses free their seats of a link', async () => {
    const survey = newSurvey();
    const through = (linkId: string, max: number) =>
      newPendingResponse(newSealed(survey, { linkId }), [{ linkId, max }, ...ofSurvey(3)]);
    const [one, other] = [randomUUID(), randomUUID()];
    const batch = [through(one, 1), through(one, 1), through(other, 9), through(other, 9), through(other, 9)];
    expect(await admitSurely(survey, batch)).toEqual([
      'stored',
      { linkId: one, max: 1 },
      'stored',
      'stored',
      { linkId: undefined, max: 3 },
    ]);
    const used = await ledgers.find({ survey_id: survey.surveyId }).sort({ used: 1 }).toArray();
    expect(used.map((ledger) => [ledger.used, ledger.entries])).toEqual([
      [1, []],
      [2, []],
      [3, []],
    ]);
  });

  it('do not count responses if the ledger is exact', async () => {
    const survey = newSurvey();
    let counts = 0;
    const counting = new Proxy(responses, {
      get(target, member) {
        if (member === 'countDocuments' || member === 'aggregate') counts += 1;
        const value = Reflect.get(target, member);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const store = startStore(counting);
    await store.admit(survey, pendingResponsesTo(survey, 3, 100));
    const first = counts;
    for (let batch = 0; batch < 5; batch += 1) await store.admit(survey, pendingResponsesTo(survey, 3, 100));
    expect([first, counts]).toEqual([1, 1]);
    expect(await seatsOf(survey)).toEqual([18, 0]);
  });

  it('treat an id of another tenant as taken', async () => {
    const [survey, other] = [newSurvey(), newSurvey()];
    const foreign = newSealed(other);
    await responses.insertOne(toDocument(foreign, [], '0'));
    expect(await startStore().admit(survey, [pendingResponseTo(survey, 1, { id: foreign.id })])).toEqual(['duplicate']);
    expect(await seatsOf(survey)).toEqual([undefined, undefined]);
  });

  it('publish one event when the last seat is taken', async () => {
    const survey = newSurvey();
    await startStore().admit(survey, pendingResponsesTo(survey, 2, 3));
    await startStore().admit(survey, pendingResponsesTo(survey, 2, 3));
    const reached = await responses
      .find({ survey_id: survey.surveyId, 'outbox.type': 'survey.limit_reached' })
      .toArray();
    expect(reached).toHaveLength(1);
  });

  it('complete a response once if many do concurrently', async () => {
    const survey = newSurvey();
    const begun = newSealed(survey, { status: 'in_progress', completedAt: undefined });
    await responses.insertOne(toDocument(begun, [], '0'));
    const attempts = Array.from({ length: 8 }, (_, n) => {
      const completedAt = new Date(Date.UTC(2024, 5, 1) + n);
      return pendingResponseTo(survey, 5, { id: begun.id, revision: 2, completedAt });
    });
    const outcomes = await Promise.all(attempts.map((one) => admitSurely(survey, [one])));
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(outcomes.flat().filter((outcome) => outcome === 'outdated')).toHaveLength(7);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
  });
});

describe('a process that is killed or stalls', () => {
  it('before storing responses holds their seats only until they are settled', async () => {
    const survey = newSurvey();
    const pendingResponses = pendingResponsesTo(survey, 3, 5);
    await expect(startStore(killedOn('insertMany')).admit(survey, pendingResponses)).rejects.toThrow('killed');
    expect(await seatsOf(survey)).toEqual([0, 1]);
    expect(await startStore().settleBatch(new Date(Date.now() - 60_000))).toBe(false);
    expect(await seatsOf(survey)).toEqual([0, 1]);
    await settleAll();
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([0, [0, 0]]);
    const repeated = await repeat(pendingResponses);
    expect(await startStore().admit(survey, repeated)).toEqual(['stored', 'stored', 'stored']);
    expect(await startStore().admit(survey, repeated)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([3, [3, 0]]);
    for (const { response, events } of pendingResponses) {
      const stored = await responses.findOne({ _id: response.id });
      expect(stored).toMatchObject({ tenant_id: survey.tenantId, outbox: [{ id: events[0]?.id }] });
    }
  });

  it('after storing responses has taken their seats', async () => {
    const survey = newSurvey();
    const pendingResponses = pendingResponsesTo(survey, 2, 2);
    let isWritten = false;
    const dying = new Proxy(ledgers, {
      get(target, member) {
        const value = Reflect.get(target, member);
        if (typeof value !== 'function') return value;
        if (member === 'updateOne' && isWritten) return () => Promise.reject(new Error('killed'));
        return value.bind(target);
      },
    });
    const store = createLedgerStore({
      ledgers: dying,
      responses,
      windows: createTestWindows(database.db),
      random: Math.random,
      onEvent: () => {
        isWritten = true;
      },
      clock: () => new Date(),
      startStopwatch: testStopwatch,
    });
    expect(await store.admit(survey, pendingResponses)).toEqual(['stored', 'stored']);
    expect(await seatsOf(survey)).toEqual([0, 1]);
    await settleAll();
    expect(await seatsOf(survey)).toEqual([2, 0]);
    expect(await startStore().admit(survey, pendingResponsesTo(survey, 1, 2))).toEqual(ofSurvey(2));
  });

  it('cannot restore a response that was deleted meanwhile, nor exceed the limit', async () => {
    const survey = newSurvey();
    const pending = pendingResponseTo(survey, 1);
    const { id } = pending.response;
    const stalled = stalledOn('insertMany');
    const late = startStore(stalled.into).admit(survey, [pending]);
    await stalled.reached;
    await settleAll();
    // The client repeats the request to another process. The response is deleted after that.
    expect(await startStore().admit(survey, await repeat([pending]))).toEqual(['stored']);
    expect(await remove(id)).toBe(true);
    expect(await startStore().admit(survey, [pendingResponseTo(survey, 1)])).toEqual(['stored']);
    stalled.resume();
    expect(await late).toEqual(['duplicate']);
    expect(await responses.findOne({ _id: id })).toMatchObject({ status: 'deleted' });
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
  });

  it('cannot store a response whose seat was taken meanwhile', async () => {
    const survey = newSurvey();
    const stalled = stalledOn('insertMany');
    const late = startStore(stalled.into).admit(survey, [pendingResponseTo(survey, 1)]);
    await stalled.reached;
    await settleAll();
    expect(await startStore().admit(survey, [pendingResponseTo(survey, 1)])).toEqual(['stored']);
    stalled.resume();
    expect(await late).toEqual(['duplicate']);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
  });

  it('cannot complete a response in progress late', async () => {
    const survey = newSurvey();
    const begun = newSealed(survey, { status: 'in_progress', completedAt: undefined });
    await responses.insertOne(toDocument(begun, [], '0'));
    const completed = pendingResponseTo(survey, 1, { id: begun.id, revision: 2 });
    const stalled = stalledOn('updateOne');
    const late = startStore(stalled.into).admit(survey, [completed]);
    await stalled.reached;
    await settleAll();
    stalled.resume();
    expect(await late).toEqual(['outdated']);
    expect(await responses.findOne({ _id: begun.id })).toMatchObject({ status: 'in_progress', revision: 2 });
    expect(await seatsOf(survey)).toEqual([0, 0]);
    const again = pendingResponseTo(survey, 1, { id: begun.id, revision: 3 });
    expect(await startStore().admit(survey, [again])).toEqual(['stored']);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
  });

  it('cannot delete a response late, and a deletion frees one seat', async () => {
    const survey = newSurvey();
    const [one, other] = pendingResponsesTo(survey, 2, 2).map(({ response }) =>
      newPendingResponse(response, ofSurvey(2)),
    );
    if (one === undefined || other === undefined) throw new Error('there are two');
    await startStore().admit(survey, [one, other]);
    const stalled = stalledOn('bulkWrite');
    const late = remove(one.response.id, stalled.into);
    await stalled.reached;
    await settleAll();
    stalled.resume();
    expect(await late).toBe(false);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([2, [2, 0]]);
    expect(await remove(one.response.id)).toBe(true);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
    await expect(remove(other.response.id, killedOn('bulkWrite'))).rejects.toThrow('killed');
    await settleAll();
    expect(await seatsOf(survey)).toEqual([1, 0]);
    expect(await admitSurely(survey, pendingResponsesTo(survey, 2, 2))).toEqual(['stored', ...ofSurvey(2)]);
  });

  it('does not keep the sweeper from the ledgers of other surveys', async () => {
    const [one, other] = [newSurvey(), newSurvey()];
    for (const survey of [one, other])
      await expect(
        startStore(killedOn('insertMany')).admit(survey, pendingResponsesTo(survey, 1, 1)),
      ).rejects.toThrow();
    const [first] = await ledgers.find({ 'entries.at': { $exists: true } }).toArray();
    const second = first?._id === one.surveyId ? other : one;
    // No response can have the id of this change.
    await ledgers.updateOne({ _id: first?._id ?? '' }, { $set: { 'entries.0.changes.0.id': { $bad: 1 } as never } });
    await expect(settleAll()).rejects.toThrow();
    expect(await seatsOf(second)).toEqual([0, 0]);
    await ledgers.deleteOne({ _id: first?._id ?? '' });
  });

  it('delays others that wait for the last seats only until it is settled', async () => {
    const survey = newSurvey();
    await expect(startStore(killedOn('insertMany')).admit(survey, pendingResponsesTo(survey, 1, 1))).rejects.toThrow();
    const waiting = admitSurely(survey, pendingResponsesTo(survey, 2, 1));
    await settleAll();
    const outcomes = await waiting;
    expect(outcomes).toEqual(['stored', ...ofSurvey(1)]);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([1, [1, 0]]);
  });

  it('does not let a repeat in the same batch see its id as taken', async () => {
    const survey = newSurvey();
    await expect(startStore(killedOn('insertMany')).admit(survey, pendingResponsesTo(survey, 1, 1))).rejects.toThrow();
    const [one] = pendingResponsesTo(survey, 1, 1);
    const twice = one === undefined ? [] : [one, one];
    expect(await startStore().admit(survey, twice)).toEqual(['contested', 'contested']);
    await settleAll();
    expect(await startStore().admit(survey, twice)).toEqual(['stored', 'duplicate']);
  });
});

describe('a ledger', () => {
  const storeWithoutEntry = (survey: Survey, count: number) =>
    responses.insertMany(Array.from({ length: count }, () => toDocument(newSealed(survey), [], '0')));

  it('starts with the responses that were stored before there was a limit', async () => {
    const survey = newSurvey();
    await storeWithoutEntry(survey, 4);
    expect(await startStore().isFull(survey, { linkId: undefined, max: 5 })).toBe(false);
    expect(await startStore().isFull(survey, { linkId: undefined, max: 4 })).toBe(true);
    expect(await admitSurely(survey, pendingResponsesTo(survey, 2, 5))).toEqual(['stored', ...ofSurvey(5)]);
  });

  it('is recounted after responses were stored without a limit', async () => {
    const survey = newSurvey();
    await startStore().admit(survey, pendingResponsesTo(survey, 2, 9));
    const scope = { ...survey, linkId: undefined };
    await startStore().markForRecount([scope]);
    await storeWithoutEntry(survey, 5);
    expect(await admitSurely(survey, pendingResponsesTo(survey, 4, 9))).toEqual([
      'stored',
      'stored',
      ...ofSurvey(9),
      ...ofSurvey(9),
    ]);
    expect(await seatsOf(survey)).toEqual([9, 0]);
  });

  it('is recounted after responses were stored while its limit was removed for a moment', async () => {
    const survey = newSurvey();
    const scope = { ...survey, linkId: undefined };
    const unlimited = startStore();
    await unlimited.markForRecount([scope]);
    await startStore().admit(survey, pendingResponsesTo(survey, 1, 9));
    await ledgers.updateOne({ _id: survey.surveyId }, { $set: { recount_at: null } });
    await poll(async () => {
      await unlimited.markForRecount([scope]);
      return (await ledgerOf(survey))?.recount_at?.getTime() === 0;
    });
    await storeWithoutEntry(survey, 3);
    expect(await startStore().isFull(survey, { linkId: undefined, max: 4 })).toBe(true);
  });

  it('is recounted once all processes know the limit', async () => {
    const survey = newSurvey();
    await startStore().admit(survey, pendingResponsesTo(survey, 1, 9));
    // A process that does not know the limit yet.
    await storeWithoutEntry(survey, 2);
    expect((await ledgerOf(survey))?.recount_at).toBeInstanceOf(Date);
    await ledgers.updateOne({ _id: survey.surveyId }, { $set: { recount_at: new Date(Date.now() - 1) } });
    await startStore().admit(survey, pendingResponsesTo(survey, 1, 9));
    expect(await ledgerOf(survey)).toMatchObject({ used: 4, entries: [], recount_at: null, counting: null });
  });

  it('is recounted after a process that did not know the limit stalled before its write', async () => {
    const survey = newSurvey();
    const limit = { linkId: undefined, max: 2 };
    let elapsedMs = 0;
    const startStopwatch = () => {
      const startedAt = elapsedMs;
      return () => elapsedMs - startedAt;
    };
    const commit = createCommit({
      ledgers: startStore(responses, startStopwatch),
      startStopwatch,
      seatCommit: { add: () => Promise.reject(new Error('the process knows no limit')) },
      store: {
        async put({ response }) {
          // During this write, the survey gets a limit, and its responses are counted twice.
          expect(await startStore().isFull(survey, limit)).toBe(false);
          await ledgers.updateOne({ _id: survey.surveyId }, { $set: { recount_at: new Date(Date.now() - 1) } });
          expect(await startStore().isFull(survey, limit)).toBe(false);
          expect(await ledgerOf(survey)).toMatchObject({ used: 0, recount_at: null });
          elapsedMs += 5_000;
          await responses.insertOne(toDocument(response, [], '0'));
          return true;
        },
      },
    });
    const unlimited = { ...newDefinition([]), ...survey };
    const channel = { survey: unlimited, findAgain: async () => ({ survey: unlimited }), ageMs: () => 0 };
    expect(await commit(channel, { response: newSealed(survey), replaced: undefined, events: [] })).toBe('stored');
    expect(await admitSurely(survey, pendingResponsesTo(survey, 2, 2))).toEqual(['stored', limit]);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([2, [2, 0]]);
  });

  it('is recounted five seconds later by the clock of the database, even if the clock of a process is ahead', async () => {
    const survey = newSurvey();
    const limit = { linkId: undefined, max: 9 };
    await startStore().isFull(survey, limit);
    const { recount_at: dueAt } = (await ledgerOf(survey)) ?? {};
    expect(dueAt).toBeInstanceOf(Date);
    const ahead = startStore(responses, testStopwatch, () => new Date(Date.now() + 60_000));
    await ahead.isFull(survey, limit);
    expect(await ahead.admit(survey, pendingResponsesTo(survey, 1, 9))).toEqual(['stored']);
    expect((await ledgerOf(survey))?.recount_at).toEqual(dueAt);
  });

  it('loses nothing if the clock of the sweeper is ahead or behind', async () => {
    const survey = newSurvey();
    const pending = pendingResponsesTo(survey, 2, 2);
    const stalled = stalledOn('insertMany');
    const running = startStore(stalled.into).admit(survey, pending);
    await stalled.reached;
    // With a clock behind, the entry is settled later. With a clock ahead, the running write fails and is repeated.
    expect(await startStore().settleBatch(new Date(Date.now() - 10_000))).toBe(false);
    expect(await startStore().settleBatch(new Date(Date.now() + 5_000))).toBe(true);
    stalled.resume();
    expect(await running).toEqual(['duplicate', 'duplicate']);
    expect(await startStore().admit(survey, await repeat(pending))).toEqual(['stored', 'stored']);
    expect([await completedOf(survey), await seatsOf(survey)]).toEqual([2, [2, 0]]);
  });

  it('is recounted by another process if one is killed during the count', async () => {
    const survey = newSurvey();
    await storeWithoutEntry(survey, 3);
    await startStore().isFull(survey, { linkId: undefined, max: 9 });
    const counting = { by: randomUUID(), until: new Date(Date.now() - 1) };
    const unsure = { counting, used: 0, recount_at: new Date(0) };
    await ledgers.updateOne({ _id: survey.surveyId }, { $set: unsure });
    expect(await startStore().isFull(survey, { linkId: undefined, max: 3 })).toBe(true);
  });

  describe('of very many responses', () => {
    /** Each step counts three responses. */
    const limits = { singleReadMs: 0, timeMs: 0, slice: 3 };
    const startStep = async (survey: Survey) => {
      // Create the ledger, and end with the first step.
      const failing = { ...limits, slice: 0 };
      await expect(
        startStore(responses, testStopwatch, undefined, failing).isFull(survey, { linkId: undefined, max: 9 }),
      ).rejects.toThrow();
      const store = startStore(responses, testStopwatch, undefined, limits);
      await ledgers.updateOne({ _id: survey.surveyId }, { $set: { counting: null } });
      return store;
    };

    it('is recounted in steps, by several processes and the sweeper', async () => {
      const survey = newSurvey();
      await storeWithoutEntry(survey, 10);
      const store = await startStep(survey);
      const steps: (number | undefined)[] = [];
      const scope = { ...survey, linkId: undefined };
      await ledgers.updateOne(
        { _id: survey.surveyId },
        { $set: { counted: await stepAfter(survey, 3), recount_at: new Date(0) } },
      );
      for (let hasMore = true; hasMore; ) {
        hasMore = await startStore(responses, testStopwatch, undefined, limits).continueRecounts();
        steps.push((await ledgerOf(survey))?.counted?.used);
      }
      expect(steps).toEqual([6, 9, undefined, undefined]);
      expect(await ledgerOf(survey)).toMatchObject({ used: 10, counting: null });
      expect((await ledgerOf(survey))?.recount_at?.getTime()).toBeGreaterThan(Date.now());
      await store.markForRecount([scope]);
      expect(
        await startStore(responses, testStopwatch, undefined, limits).isFull(survey, { linkId: undefined, max: 10 }),
      ).toBe(true);
    });

    it('is recounted beside ledgers whose recount fails, or was ended by the previous release', async () => {
      const surveys = Array.from({ length: 6 }, newSurvey);
      const [survey = newSurvey(), failing = newSurvey(), ...ended] = surveys;
      await storeWithoutEntry(survey, 4);
      await startStep(survey);
      const counted = await stepAfter(survey, 3);
      for (const { tenantId, surveyId } of [failing, ...ended])
        await ledgers.insertOne({
          ...{ _id: surveyId, tenant_id: tenantId, survey_id: surveyId, link_id: null, used: 4, entries: [] },
          ...{ recount_at: null, counting: null, counted: { ...counted, at: new Date(0) } },
        });
      const due = { counted, recount_at: new Date(0) };
      await ledgers.updateOne({ _id: survey.surveyId }, { $set: due });
      const store = startStore(responses, testStopwatch, undefined, limits);
      // A ledger without a tenant cannot be read.
      await ledgers.updateOne(
        { _id: failing.surveyId },
        { $set: { recount_at: new Date(0), tenant_id: toTenantId('') } },
      );
      await expect(store.continueRecounts()).rejects.toThrow();
      await ledgers.deleteOne({ _id: failing.surveyId });
      expect(await ledgerOf(survey)).toMatchObject({ used: 4, counting: null });
      expect(await store.continueRecounts()).toBe(false);
    });

    it('starts its recount again if responses are stored without a limit meanwhile', async () => {
      const survey = newSurvey();
      await storeWithoutEntry(survey, 4);
      await startStep(survey);
      const counted = await stepAfter(survey, 3);
      await ledgers.updateOne({ _id: survey.surveyId }, { $set: { counted, recount_at: new Date(0) } });
      await startStore().markForRecount([{ ...survey, linkId: undefined }]);
      await responses.insertOne(toDocument(newSealed(survey, { createdAt: new Date(0) }), [], '0'));
      expect(
        await startStore(responses, testStopwatch, undefined, limits).isFull(survey, { linkId: undefined, max: 5 }),
      ).toBe(true);
      expect(await ledgerOf(survey)).toMatchObject({ used: 5 });
    });

    it('does not continue an old recount', async () => {
      const survey = newSurvey();
      await storeWithoutEntry(survey, 4);
      await startStep(survey);
      const counted = { ...(await stepAfter(survey, 3)), used: 1_000, at: new Date(Date.now() - 11 * 60_000) };
      await ledgers.updateOne({ _id: survey.surveyId }, { $set: { counted, recount_at: new Date(0) } });
      expect(
        await startStore(responses, testStopwatch, undefined, limits).isFull(survey, { linkId: undefined, max: 5 }),
      ).toBe(false);
      expect(await ledgerOf(survey)).toMatchObject({ used: 4 });
    });

    async function stepAfter(survey: Survey, used: number) {
      const sorted = await responses.find({ survey_id: survey.surveyId }).sort({ created_at: 1, _id: 1 }).toArray();
      const { _id: response_id = '', created_at = new Date(0) } = sorted[used - 1] ?? {};
      return { due: new Date(0), used, created_at, response_id, at: new Date() };
    }
  });

  it('settles entries of dead processes before it is recounted', async () => {
    const survey = newSurvey();
    await expect(startStore(killedOn('insertMany')).admit(survey, pendingResponsesTo(survey, 2, 9))).rejects.toThrow();
    await storeWithoutEntry(survey, 3);
    await startStore().markForRecount([{ ...survey, linkId: undefined }]);
    await startStore().admit(survey, pendingResponsesTo(survey, 1, 9));
    expect(await seatsOf(survey)).toEqual([4, 0]);
  });

  it('finds the response that takes the last seat, even without a ledger and among concurrent writes', async () => {
    const survey = newSurvey();
    const storeAll = async (count: number, responseLimit: number | undefined) => {
      const given = Array.from({ length: count }, () => newSealed(survey));
      const tracked = given.map(({ id }) => ({ id, revision: null, linkId: undefined }));
      return startStore().track(
        survey,
        { seats: 1, responses: tracked, responseLimit },
        async ({ entry, lastSeat }) => {
          const documents = given.map((response) => toDocument(response, [], '0'));
          await responses.insertMany(documents.map((document) => ({ ...document, ledger_entries: [String(entry)] })));
          return given.findIndex(({ id }) => id === lastSeat?.responseId);
        },
      );
    };
    expect([await storeAll(2, 4), await storeAll(3, 4), await storeAll(1, 4)]).toEqual([-1, 1, -1]);
    const found = await Promise.all(Array.from({ length: 8 }, () => storeAll(1, 10)));
    expect(found.toSorted()).toEqual([...Array(7).fill(-1), 0].toSorted());
    expect(await storeAll(5, undefined)).toBe(-1);
  });

  it('frees a seat if a response is disqualified, and takes it again if that is reverted', async () => {
    const survey = newSurvey();
    const { response } = pendingResponseTo(survey, 1);
    await startStore().admit(survey, [newPendingResponse(response, ofSurvey(1))]);
    const change = async (status: 'completed' | 'disqualified') => {
      const found = await responses.findOne({ _id: response.id });
      if (found === null) throw new Error('it is stored');
      const [is, will] = [fromDocument(found), { ...fromDocument(found), status }];
      await trackSeat(startStore(), { before: is, after: will }, async ({ entry }) =>
        responses.updateOne(
          { _id: response.id },
          { $set: { status }, $inc: { revision: 1 }, ...(entry && { $push: { ledger_entries: entry } }) },
        ),
      );
      return seatsOf(survey);
    };
    expect(await change('disqualified')).toEqual([0, 0]);
    expect(await change('completed')).toEqual([1, 0]);
  });
});

describe('processes that are killed and stalled while they admit responses', () => {
  const isAll = inject('testScope') === 'all';
  /** In each round, two processes are killed and one stalls. */
  const ROUNDS = isAll ? 3 : 1;
  const LIMIT = isAll ? 1_000 : 330;
  const started = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  it('lose no seat and exceed no limit', async () => {
    const survey = newSurvey();
    const acknowledged = new Set<string>();
    const script = fileURLToPath(new URL('../testing/limited-submitter.ts', import.meta.url));
    const name = database.db.databaseName;
    const args = [script, inject('mongodbUri'), name, survey.tenantId, survey.surveyId, `${LIMIT}`];

    function start() {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      started.add(child);
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      let count = 0;
      child.stdout.on('data', (text: Buffer) => {
        const ids = text.toString().trim().split('\n');
        count += ids.length;
        for (const id of ids) acknowledged.add(id);
      });
      return {
        kill: () => child.kill('SIGKILL'),
        stall: () => child.kill('SIGSTOP'),
        resume: () => child.kill('SIGCONT'),
        ended,
        count: () => count,
      };
    }

    const stalled: ReturnType<typeof start>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [other, ...killed] = [start(), start(), start()] as const;
      // On a busy machine, one process can start so late that the other processes fill the survey first.
      const isShareFull = () => acknowledged.size > ((round + 1) * LIMIT) / (ROUNDS + 1);
      await poll(() => isShareFull() || [other, ...killed].every((one) => one.count() > 15), { timeoutMs: 120_000 });
      other.stall();
      stalled.push(other);
      for (const { kill } of killed) kill();
      await Promise.all(killed.map(({ ended }) => ended));
      await settleAll();
    }
    for (const one of stalled) one.resume();
    await Promise.all(stalled.map((one) => one.ended));
    await settleAll();
    const last = start();
    await last.ended;
    expect(await completedOf(survey)).toBe(LIMIT);
    const stored = await responses.find({ survey_id: survey.surveyId }, { projection: { _id: 1 } }).toArray();
    const ids = new Set(stored.map(({ _id }) => _id));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
  }, 300_000);
});
