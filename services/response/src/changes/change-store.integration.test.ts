import { profiled } from '@survey/runtime/testing/profiled';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { Binary, type Collection, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletionUpdate, type ResponseDocument } from '../responses/response-document-store.ts';
import type { SurveyRef } from '../responses/write-window-store.ts';
import { newResponseDocument, newSealed } from '../testing/new-response.ts';
import { inProgress, prepareWrites, startWriters, writers } from '../testing/response-writers.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { type ChangeHorizonDocument, type ChangeHorizons, createChangeHorizons } from './change-horizon-store.ts';
import type { FeedPosition, SealedChange } from './change-service.ts';
import { type ChangeStore, createChangeStore } from './change-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let horizons: ChangeHorizons;
let store: ChangeStore;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await prepareWrites(database.db);
  horizons = createChangeHorizons({
    client: database.client,
    horizons: database.db.collection<ChangeHorizonDocument>('change_horizons'),
    namespace: collection.namespace,
  });
  store = createChangeStore(collection);
});
afterAll(() => database.drop());

const newSurvey = (): SurveyRef => {
  const { tenantId, surveyId } = newDefinition([]);
  return { tenantId, surveyId };
};

/** Reads pages until there are no more changes. */
async function follow(survey: SurveyRef, from?: FeedPosition, limit = 1_000) {
  const changes: SealedChange[] = [];
  let position = from;
  for (;;) {
    const page = await store.read(survey, position, await horizons.find(), limit);
    position = page.next;
    if (page.changes.length === 0) return { changes, position };
    expect(page.changes.length).toBeLessThanOrEqual(limit);
    changes.push(...page.changes);
  }
}

/** Applies changes in order. Returns the revisions by id. */
function apply(changes: readonly SealedChange[], copy = new Map<string, number>()): ReadonlyMap<string, number> {
  for (const { id, revision, response } of changes) {
    if (response === undefined) copy.delete(id);
    else copy.set(id, revision);
  }
  return copy;
}

async function stored({ surveyId }: SurveyRef): Promise<ReadonlyMap<string, number>> {
  const found = await collection.find({ survey_id: surveyId }).toArray();
  return new Map(found.map(({ _id, revision }) => [_id, revision]));
}

const insert = (survey: SurveyRef, given: Partial<ResponseDocument> = {}) => {
  const document = newResponseDocument({ tenant_id: survey.tenantId, survey_id: survey.surveyId, ...given });
  return collection.insertOne(document).then(() => document);
};

/** Inserts responses with stamps in the order of the list. */
const insertMany = (survey: SurveyRef, documents: readonly Partial<ResponseDocument>[]) =>
  collection.insertMany(
    documents.map((document) =>
      newResponseDocument({ tenant_id: survey.tenantId, survey_id: survey.surveyId, ...document }),
    ),
  );

/** Counts the index keys that reads of responses examine. */
async function countKeys(read: () => Promise<unknown>): Promise<number> {
  const commands = await profiled(database.db, collection.collectionName, read);
  expect(commands.length).toBeGreaterThan(0);
  return commands.reduce((sum, { keysExamined = 0 }) => sum + keysExamined, 0);
}

const stamped = { changed: new Timestamp(0n) };

describe('the change feed of a survey', () => {
  it.each(Object.entries(writers))('contains %s', async (name, write) => {
    const survey = newSurvey();
    const [is, begun] = [newSealed(survey), newSealed(survey, inProgress)];
    await startWriters(database.db).store.insertAll([is, begun].map((response) => ({ response, events: [] })));
    const { changes, position } = await follow(survey);
    const copy = new Map(apply(changes));
    expect(copy).toEqual(await stored(survey));

    await write(startWriters(database.db), is, begun);
    const after = await follow(survey, position);
    // A purged survey has no feed.
    if (name === 'a purge') return expect(after.changes).toEqual([]);
    expect(apply(after.changes, copy)).toEqual(await stored(survey));
    expect(after.changes).not.toEqual([]);
    const [last] = after.changes;
    const age = Date.now() - Number(last?.changedAt);
    expect(Math.abs(age)).toBeLessThan(10 * 60_000);
    return expect((await follow(survey, after.position)).changes).toEqual([]);
  });

  it('begins with all responses, including those of earlier releases, in pages', async () => {
    const survey = newSurvey();
    await insertMany(survey, Array(7).fill({}));
    await insertMany(survey, Array(8).fill(stamped));
    await insert(newSurvey(), stamped);
    const { changes } = await follow(survey, undefined, 3);
    expect(changes.map(({ id }) => id).sort()).toEqual([...(await stored(survey)).keys()].sort());
  });

  it('continues in order within changes of the same time', async () => {
    const survey = newSurvey();
    const { store: responses } = startWriters(database.db);
    const all = Array.from({ length: 30 }, () => newSealed(survey));
    await responses.insertAll(all.map((response) => ({ response, events: [] })));
    const { position } = await follow(survey);
    // One command gives all tombstones the same stamp.
    await collection.updateMany({ survey_id: survey.surveyId }, deletionUpdate([], undefined));
    const { changes } = await follow(survey, position, 7);
    expect(changes.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
  });

  it('shows a response once per page, with its last state', async () => {
    const survey = newSurvey();
    const { store: responses } = startWriters(database.db);
    const is = newSealed(survey);
    await responses.insertAll([{ response: is, events: [] }]);
    for (const revision of [2, 3, 4])
      await responses.replace({ ...is, revision: revision - 1 }, { ...is, revision }, []);
    const { changes } = await follow(survey);
    expect(changes.map(({ id, revision }) => [id, revision])).toEqual([[is.id, 4]]);
  });

  it('leaves out deletions from before its beginning', async () => {
    const survey = newSurvey();
    const { store: responses } = startWriters(database.db);
    const [first, second] = [newSealed(survey), newSealed(survey)];
    await responses.insertAll([first, second].map((response) => ({ response, events: [] })));
    await writers['a deletion']?.(startWriters(database.db), first, second);
    const begun = await store.read(survey, undefined, await horizons.find(), 1);
    expect(begun.changes.map(({ id }) => id)).toEqual([second.id]);
    await writers['a deletion']?.(startWriters(database.db), second, first);
    const { changes } = await follow(survey, begun.next);
    expect(changes).toMatchObject([{ id: second.id, revision: 2, response: undefined }]);
  });

  it('does not go back if another process has an earlier horizon', async () => {
    const survey = newSurvey();
    const early = await horizons.find();
    await insert(survey, stamped);
    const { position } = await follow(survey);
    expect(await store.read(survey, position, early, 10)).toEqual({ changes: [], next: position });
  });

  it('ends a page at 16 MiB, and skips no deletion', async () => {
    const survey = newSurvey();
    const ct = { ...newResponseDocument().data, ct: new Binary(Buffer.alloc(5 * 1024 * 1024)) };
    const { position: start } = await follow(survey);
    const large: ResponseDocument[] = [];
    for (let n = 0; n < 5; n += 1) {
      large.push(await insert(survey, { ...stamped, data: ct }));
      const small = newSealed(survey);
      await startWriters(database.db).store.insertAll([{ response: small, events: [] }]);
      await writers['a deletion']?.(startWriters(database.db), small, small);
    }
    const first = await store.read(survey, start, await horizons.find(), 100);
    expect(first.changes.length).toBeLessThan(10);
    const { changes } = await follow(survey, first.next, 100);
    const all = [...first.changes, ...changes];
    expect(all.map(({ response }) => (response === undefined ? 'deleted' : response.id))).toEqual(
      large.flatMap(({ _id }) => [_id, 'deleted']),
    );
  });

  it('examines as many index keys for a page of a large survey as for one of a small survey', async () => {
    const examined: number[][] = [];
    for (const size of [1_000, 20_000]) {
      const survey = newSurvey();
      await insertMany(survey, Array(size).fill(stamped));
      const { position } = await follow(survey);
      const [changed] = await collection.find({ survey_id: survey.surveyId }).limit(1).toArray();
      const is = newSealed(survey, { id: changed?._id ?? '' });
      await startWriters(database.db).store.replace(is, { ...is, revision: 2 }, []);
      await insertMany(survey, Array(20).fill(stamped));
      const read = async (from: FeedPosition | undefined) => store.read(survey, from, await horizons.find(), 10);
      const { position: end } = await follow(survey, position);
      expect([(await read(position)).changes.length, (await read(end)).changes.length]).toEqual([10, 0]);
      examined.push([await countKeys(() => read(position)), await countKeys(() => read(end))]);
    }
    expect(examined[1]).toEqual(examined[0]);
    expect(Math.max(...examined.flat())).toBeLessThan(15);
  });
});
