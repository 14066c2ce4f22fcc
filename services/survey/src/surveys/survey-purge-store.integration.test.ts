import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LinkDocument, linkIndexes } from '../links/link-store.ts';
import type { SlugStore } from '../links/slug-store.ts';
import { type SurveyDocument, toDocument } from './survey-document.ts';
import { purgedEvent } from './survey-events.ts';
import {
  createSurveyPurgeStore,
  type DeletedSurvey,
  deletedSurveyIndex,
  type PurgedSurveyDocument,
  purgedSurveyIndexes,
  type SurveyPurgeStore,
} from './survey-purge-store.ts';
import { createSurveyPurger } from './survey-purger.ts';
import { type SurveyVersionDocument, surveyVersionIndexes } from './survey-version-store.ts';
import { testSurvey } from './testing/test-survey.ts';

const tenantId = toTenantId('ours');
const time = new Date('2026-05-01T00:00:00Z');
const deletedAt = new Date('2026-03-01T00:00:00Z');
const always = { acquire: async () => true, release: async () => {} };

let database: TestDatabase;
let store: SurveyPurgeStore;
const surveys = () => database.db.collection<SurveyDocument>('surveys');
const versions = () => database.db.collection<SurveyVersionDocument>('survey_versions');
const links = () => database.db.collection<LinkDocument>('links');
const purged = () => database.db.collection<PurgedSurveyDocument>('purged_surveys');

const reserved: unknown[] = [];
const reserve: SlugStore['reserve'] = async (_tenantId, slugs) => void reserved.push(...slugs);

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, {
    surveys: [deletedSurveyIndex, outboxIndex],
    survey_versions: surveyVersionIndexes,
    links: linkIndexes,
    purged_surveys: purgedSurveyIndexes,
  });
  const { client } = database;
  const collections = { surveys: surveys(), versions: versions(), links: links(), purged: purged() };
  store = createSurveyPurgeStore({ ...collections, slugs: { reserve }, client, onEvent: () => {} });
});
beforeEach(async () => {
  for (const collection of [surveys(), versions(), links(), purged()]) await collection.deleteMany({});
});
afterAll(() => database.drop());

/** Inserts deleted surveys with a number of versions each. */
async function insert(count: number, versionCount = 1): Promise<readonly DeletedSurvey[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const documents = ids.map((id) => ({
    ...toDocument({ ...testSurvey, id, deletedAt, deletedBy: 'user-1' }),
    tenant_id: tenantId,
    outbox: [],
  }));
  await surveys().insertMany(documents);
  const ofSurvey = (id: string) =>
    Array.from({ length: versionCount }, (_, version) => ({
      _id: `${id}:${version}`,
      tenant_id: tenantId,
      survey_id: id,
    }));
  // The fields that purging reads.
  await versions().insertMany(ids.flatMap(ofSurvey) as unknown as SurveyVersionDocument[]);
  return store.findDeleted(time, count);
}

const eventOf = (survey: DeletedSurvey) =>
  purgedEvent({ tenantId: survey.tenantId, actor: 'survey', requestId: '', traceparent: '' }, survey, time);
const purge = (survey: DeletedSurvey) => store.purge(survey, time, eventOf(survey));

/** A replica that always has the lease. */
function startPurger(purging: SurveyPurgeStore = store) {
  const purger = createSurveyPurger({ store: purging, afterDays: 30, lease: always, clock: () => time, log: testLog });
  purger.start();
  return purger;
}

const untilDone = (count: number) =>
  poll(async () => (await purged().countDocuments({ unfinished: { $exists: false } })) === count);

describe('survey purge store', () => {
  it('does not purge a survey that was restored in the meantime, or of another tenant', async () => {
    const [survey] = await insert(1);
    if (survey === undefined) throw new Error('survey not found');
    expect(await purge({ ...survey, tenantId: toTenantId('theirs') })).toBe(false);
    await surveys().updateOne({ _id: survey.id }, { $set: { deleted_at: null }, $inc: { revision: 1 } });
    expect(await purge(survey)).toBe(false);
    expect([await purged().countDocuments(), await versions().countDocuments()]).toEqual([0, 1]);
    expect(await surveys().findOne({ _id: survey.id })).toMatchObject({ tenant_id: tenantId });
  });

  it('finds only surveys deleted before the time, with pagination', async () => {
    const all = await insert(5);
    expect(await store.findDeleted(deletedAt, 10)).toEqual([]);
    const first = await store.findDeleted(time, 3);
    const rest = await store.findDeleted(time, 3, first[2]);
    expect([first.length, rest.length]).toEqual([3, 2]);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('clears purged surveys even while deleted ones cannot be read', async () => {
    const [survey] = await insert(1);
    if (survey === undefined) throw new Error('survey not found');
    await purge(survey);
    const purger = startPurger({ ...store, findDeleted: () => Promise.reject(new Error('timeout')) });
    await untilDone(1);
    await purger.stop();
    expect(await versions().countDocuments()).toBe(0);
  });

  it('keeps a link until its events are published', async () => {
    const [survey] = await insert(1);
    if (survey === undefined) throw new Error('survey not found');
    const link = { _id: randomUUID(), tenant_id: tenantId, survey_id: survey.id, slug: 's', outbox: [eventOf(survey)] };
    await links().insertOne(link as unknown as LinkDocument); // the fields that purging reads
    await purge(survey);
    expect([await store.clearSome(survey), await store.clearSome(survey)]).toEqual([true, false]);
    expect([await links().countDocuments(), (await store.findPurgedWithData(1)).length, reserved]).toEqual([1, 1, []]);
    await links().updateOne({ _id: link._id }, { $set: { outbox: [] } });
    expect([await store.clearSome(survey), await store.clearSome(survey)]).toEqual([true, false]);
    expect([await links().countDocuments(), (await store.findPurgedWithData(1)).length]).toEqual([0, 0]);
    // The slug of the link stays reserved for the tenant.
    expect(reserved).toEqual([{ slug: 's', linkId: link._id }]);
  });

  it('reports a survey as kept although one with its id was purged', async () => {
    const [survey] = await insert(1);
    if (survey === undefined) throw new Error('survey not found');
    const document = await surveys().findOne({ _id: survey.id });
    await purge(survey);
    expect(await store.findRetentions([survey.id])).toMatchObject([{ state: 'purged' }]);
    await surveys().replaceOne({ _id: survey.id }, document as SurveyDocument);
    expect(await store.findRetentions([survey.id])).toMatchObject([{ surveyId: survey.id, tenantId, state: 'kept' }]);
  });
});

describe('survey purger', () => {
  it('purges all due surveys with two replicas, with one event each', async () => {
    await insert(60);
    const replicas = [startPurger(), startPurger()];
    await untilDone(60);
    await Promise.all(replicas.map((replica) => replica.stop()));
    expect(await versions().countDocuments()).toBe(0);
    const left = await surveys().find().toArray();
    expect(left.map(({ outbox }) => outbox.length)).toEqual(Array.from({ length: 60 }, () => 1));
  });

  it('continues after a crash before all versions were deleted', async () => {
    const [survey] = await insert(1, 250);
    if (survey === undefined) throw new Error('survey not found');
    await purge(survey);
    await store.clearSome(survey);
    expect(await versions().countDocuments()).toBe(150);
    const replica = startPurger();
    await untilDone(1);
    await replica.stop();
    expect(await versions().countDocuments()).toBe(0);
  });

  it('continues after a survey that cannot be purged', async () => {
    const [stuck] = await insert(60);
    const failing: SurveyPurgeStore = {
      ...store,
      purge: (survey, ...rest) =>
        survey.id === stuck?.id ? Promise.reject(new Error('stuck')) : store.purge(survey, ...rest),
    };
    const replica = startPurger(failing);
    await untilDone(59);
    await replica.stop();
    expect(await surveys().countDocuments({ tenant_id: tenantId })).toBe(1);
  });
});
