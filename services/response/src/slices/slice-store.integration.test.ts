import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { Binary, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestSlices } from '../testing/test-slices.ts';
import { type SliceDocument, type StoredSlice, sliceIndexes } from './slice-store.ts';

let database: TestDatabase;
let collection: Collection<SliceDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { count_slices: sliceIndexes });
  collection = database.db.collection('count_slices');
});
afterAll(() => database.drop());

const hour = (number: number) => new Date(Date.UTC(2024, 0, 1, number));
const newSurvey = () => ({ tenantId: toTenantId(randomUUID()), surveyId: randomUUID() });

function newSlice(since: number | undefined, until: number, text = 'counts'): StoredSlice {
  return {
    since: since === undefined ? undefined : hour(since),
    until: hour(until),
    basis: '1:1',
    confirmation: { window: undefined, at: new Date() },
    counts: Buffer.from(text),
  };
}

/** Stores slices, and returns a function that lists what is found: start, end and text. */
async function start(...given: readonly StoredSlice[]) {
  const survey = newSurvey();
  const slices = createTestSlices(database.db);
  const ids: string[] = [];
  for (const slice of given) ids.push(await slices.save(survey, slice));
  const list = async () =>
    (await slices.find(survey)).map(({ since, until, counts }) => [
      since?.getUTCHours(),
      until.getUTCHours(),
      Buffer.from(counts).toString(),
    ]);
  return { survey, slices, ids, list };
}

describe('a stored time slice', () => {
  it('is encrypted, and found by the next process', async () => {
    const { survey, list } = await start(newSlice(undefined, 1, 'two answered no'), newSlice(1, 2));
    expect(await list()).toEqual([
      [undefined, 1, 'two answered no'],
      [1, 2, 'counts'],
    ]);
    const [document] = await collection.find({ survey_id: survey.surveyId }).toArray();
    expect(Buffer.from(document?.counts.ct.value() ?? '').includes('answered')).toBe(false);
    expect(await createTestSlices(database.db).find(survey)).toHaveLength(2);
    expect(await createTestSlices(database.db).find({ ...survey, tenantId: toTenantId('other') })).toEqual([]);
  });

  it('is replaced by one with the same start', async () => {
    const { survey, slices, ids, list } = await start(newSlice(1, 2, 'one'), newSlice(1, 3, 'two'));
    expect(await list()).toEqual([[1, 3, 'two']]);
    const [first = '', second = ''] = ids;
    await slices.remove(survey, first);
    expect(await list()).toHaveLength(1);
    await slices.remove(survey, second);
    expect(await list()).toEqual([]);
  });

  it('is omitted if it cannot be decrypted', async () => {
    const { survey, list } = await start(newSlice(1, 2), newSlice(2, 3));
    await collection.updateOne(
      { survey_id: survey.surveyId, since: hour(1) },
      { $set: { 'counts.tag': new Binary(Buffer.alloc(16)) } },
    );
    expect(await list()).toEqual([[2, 3, 'counts']]);
  });

  it('is bound to its range and basis', async () => {
    const { survey, list } = await start(newSlice(1, 2), newSlice(3, 4), newSlice(5, 6));
    const bySurvey = (since: Date) => ({ survey_id: survey.surveyId, since });
    await collection.updateOne(bySurvey(hour(1)), { $set: { until: hour(3) } });
    await collection.updateOne(bySurvey(hour(3)), { $set: { basis: '1:2' } });
    expect(await list()).toEqual([[5, 6, 'counts']]);
  });

  it('is kept as long as it is confirmed', async () => {
    const { survey, slices, ids } = await start(newSlice(1, 2), newSlice(2, 3));
    const at = new Date('2030-01-01');
    await slices.confirm(survey, ids.slice(1), { window: 7, at });
    const confirmations = (await slices.find(survey)).map(({ confirmation }) => confirmation);
    expect(confirmations[0]?.window).toBeUndefined();
    expect(confirmations[1]).toEqual({ window: 7, at });
    const indexes = await collection.indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { confirmed_at: 1 }, expireAfterSeconds: 7 * 24 * 60 * 60 }),
    );
  });

  it.each<[number, number, readonly number[]]>([
    [0, 0, [1, 4]],
    [1, 1, [0, 4]],
    [1, 3, [0]],
    [9, 9, [0, 1, 4]],
  ])('is removed if it contains a time from %i to %i', async (from, to, left) => {
    const { survey, slices } = await start(newSlice(undefined, 1), newSlice(1, 2), newSlice(3, 6));
    await slices.removeBetween(survey, hour(from), hour(to));
    const found = (await slices.find(survey)).map(({ since, until }) =>
      since === undefined ? 0 : until.getUTCHours(),
    );
    expect(found).toEqual(left.map((end) => ({ 0: 0, 1: 2, 4: 6 })[end]));
  });
});
