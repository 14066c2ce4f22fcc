import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { DecryptionError } from '@survey/runtime/crypto/aes-gcm';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { profiled } from '@survey/runtime/testing/profiled';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog as log } from '@survey/runtime/testing/test-log';
import { Binary, BSON, type Collection, type Document, MongoNetworkError } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestEnvelope, createTestSlices } from '../testing/test-stores.ts';
import {
  type CountsFormat,
  createSliceStore,
  type EncodedSlice,
  type SliceDocument,
  sliceIndexes,
} from './slice-store.ts';

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

function newSlice(since: number | undefined, until: number, text = 'counts'): EncodedSlice {
  return {
    since: since === undefined ? undefined : hour(since),
    until: hour(until),
    basis: '1:1',
    contentId: `${since}:${until}:${text}`,
    confirmation: { window: undefined, at: new Date() },
    counts: Buffer.from(text),
  };
}

/** In this format, counts are any text except "corrupt". */
const format: CountsFormat<string> = {
  number: 1,
  decode(bytes) {
    const text = Buffer.from(bytes).toString();
    if (text === 'corrupt') throw new Error('corrupt');
    return text;
  },
};

/** Stores slices. Returns a function that lists start, end and text of the found slices. */
async function start(...given: readonly EncodedSlice[]) {
  const survey = newSurvey();
  const warnings: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) });
  const slices = createTestSlices(database.db, { log });
  const ids = given.map(({ contentId }) => contentId);
  for (const slice of given) await slices.save(survey, slice);
  const list = async () =>
    (await Array.fromAsync(slices.find(survey, format))).map(({ since, until, counts }) => [
      since?.getUTCHours(),
      until.getUTCHours(),
      counts,
    ]);
  return { survey, slices, ids, list, warnings };
}

describe('a stored time slice', () => {
  it('is found without reading those of another basis', async () => {
    const newest = { ...newSlice(0, 1), basis: '1:1,2' };
    const old = { confirmation: { window: undefined, at: hour(0) } };
    const { list } = await start({ ...newSlice(1, 2), ...old }, { ...newSlice(2, 3), ...old }, newest);
    const commands = await profiled(database.db, 'count_slices', async () => expect(await list()).toHaveLength(1));
    expect(commands[0]).toMatchObject({ docsExamined: 0, nreturned: 1 });
  });

  it('is encrypted, and found by the next process', async () => {
    const { survey, list } = await start(newSlice(undefined, 1, 'two answered no'), newSlice(1, 2));
    expect(await list()).toEqual([
      [undefined, 1, 'two answered no'],
      [1, 2, 'counts'],
    ]);
    const [document] = await collection.find({ survey_id: survey.surveyId }).toArray();
    expect(Buffer.from(document?.counts.ct.value() ?? '').includes('answered')).toBe(false);
    const next = createTestSlices(database.db);
    expect(await Array.fromAsync(next.find(survey, format))).toHaveLength(2);
    expect(await Array.fromAsync(next.find({ ...survey, tenantId: toTenantId('other') }, format))).toEqual([]);
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

  it.each<[string, Document]>([
    ['cannot be decrypted', { 'counts.tag': new Binary(Buffer.alloc(16)) }],
    ['has another end', { until: hour(9) }],
    ['has an end that is no time', { until: 'tomorrow' }],
    ['has a start that is no time', { since: 1 }],
    ['has no id', { content_id: null }],
    ['has another window', { window: 'open' }],
    ['has an impossible time', { confirmed_at: BSON.Timestamp.fromBits(1, 1) }],
    ['has no counts', { counts: null }],
    ['has counts that are not encrypted', { counts: { v: 1, kv: 1, iv: 'iv', ct: 'ct', tag: 'tag' } }],
  ])('is removed, with one warning, if it %s', async (_, change) => {
    const { survey, list, warnings } = await start(newSlice(1, 2), newSlice(2, 3), newSlice(3, 4));
    const other = await start(newSlice(1, 2));
    await collection.updateMany({ survey_id: survey.surveyId, since: { $in: [hour(1), hour(2)] } }, { $set: change });
    expect(await list()).toEqual([[3, 4, 'counts']]);
    expect(await list()).toEqual([[3, 4, 'counts']]);
    expect(warnings).toEqual([
      expect.objectContaining({
        msg: 'stored counts cannot be read, removing them',
        slices: 2,
        survey_id: survey.surveyId,
      }),
    ]);
    expect(await collection.countDocuments({ survey_id: survey.surveyId })).toBe(1);
    expect(await other.list()).toHaveLength(1);
  });

  it('is removed if its counts are corrupt, even if the reader stops', async () => {
    const { survey, slices, warnings } = await start(newSlice(1, 2, 'corrupt'), newSlice(2, 3), newSlice(3, 4));
    for await (const { until } of slices.find(survey, format)) {
      expect(until).toEqual(hour(3));
      break;
    }
    expect(warnings).toHaveLength(1);
    expect(await collection.countDocuments({ survey_id: survey.surveyId })).toBe(2);
  });

  it('is kept if the keys cannot be read', async () => {
    const { survey, list } = await start(newSlice(1, 2));
    const failing = { cipherOf: () => Promise.reject(new DecryptionError()) };
    const slices = createSliceStore({ collection, envelope: { ...createTestEnvelope(database.db), ...failing }, log });
    await expect(Array.fromAsync(slices.find(survey, format))).rejects.toThrow(DecryptionError);
    expect(await list()).toHaveLength(1);
  });

  it('is found if it has the basis that was confirmed last, and the format', async () => {
    const confirmedAt = (time: string) => ({ confirmation: { window: undefined, at: new Date(time) } });
    const { list } = await start(
      { ...newSlice(1, 2), ...confirmedAt('2024-03-01') },
      { ...newSlice(2, 3), ...confirmedAt('2024-01-01'), basis: '1:2,1' },
      { ...newSlice(3, 4), ...confirmedAt('2024-03-02'), basis: '1:2,1' },
      { ...newSlice(4, 5), ...confirmedAt('2024-03-03'), basis: '11:2,1' },
    );
    expect(await list()).toEqual([
      [2, 3, 'counts'],
      [3, 4, 'counts'],
    ]);
  });

  it('is bound to its survey and basis', async () => {
    const { survey, list } = await start(newSlice(1, 2), newSlice(3, 4));
    const other = newSurvey();
    const to = { survey_id: other.surveyId, tenant_id: other.tenantId };
    await collection.updateOne({ survey_id: survey.surveyId, since: hour(1) }, { $set: to });
    await collection.updateOne({ survey_id: survey.surveyId, since: hour(3) }, { $set: { basis: '1:2' } });
    expect(await list()).toEqual([]);
    expect(await Array.fromAsync(createTestSlices(database.db).find(other, format))).toEqual([]);
  });

  it('is kept as long as it is confirmed', async () => {
    const { survey, slices, ids } = await start(newSlice(1, 2), newSlice(2, 3));
    const at = new Date('2030-01-01');
    const confirmed = await slices.confirm(survey, [...ids.slice(1), 'replaced'], { window: 7, at });
    expect([...confirmed]).toEqual(ids.slice(1));
    expect([...(await slices.confirm(survey, ids.slice(1), { window: 7, at }))]).toEqual(ids.slice(1));
    const confirmations = (await Array.fromAsync(slices.find(survey, format))).map(({ confirmation }) => confirmation);
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
    const found = (await Array.fromAsync(slices.find(survey, format))).map(({ since, until }) =>
      since === undefined ? 0 : until.getUTCHours(),
    );
    expect(found).toEqual(left.map((end) => ({ 0: 0, 1: 2, 4: 6 })[end]));
  });

  it('is left, with a warning, if the removal fails', async () => {
    const { survey, list } = await start(newSlice(1, 2));
    const warnings: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) });
    const deleteMany = () => Promise.reject(new MongoNetworkError('connection closed'));
    const failing = Object.assign(database.db.collection<SliceDocument>('count_slices'), { deleteMany });
    await createTestSlices(database.db, { collection: failing, log }).removeBetween(survey, hour(1), hour(1));
    expect(warnings).toMatchObject([{ err: { message: 'connection closed' }, survey_id: survey.surveyId }]);
    expect(await list()).toHaveLength(1);
  });
});
