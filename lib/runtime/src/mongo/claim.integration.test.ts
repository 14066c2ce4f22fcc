import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { claimOldest, type DueDocument, measureDue, releaseUpdate } from './claim.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the backlog of a collection', () => {
  it('is empty for an empty collection', async () => {
    const collection = database.db.collection<{ due_at?: Date }>('none');
    await collection.insertMany([{}, { due_at: new Date(10_001) }]);
    expect(await measureDue(collection, new Date(10_000))).toEqual({ count: 0, oldestSeconds: 0 });
  });

  it('has the number of due documents, and the age of the oldest', async () => {
    const collection = database.db.collection<{ due_at?: Date }>('some');
    await collection.insertMany([{ due_at: new Date(10_000) }, { due_at: new Date(7_500) }, { due_at: new Date(1e6) }]);
    expect(await measureDue(collection, new Date(10_000))).toEqual({ count: 2, oldestSeconds: 2.5 });
  });
});

describe('the document that has been due longest', () => {
  interface Job extends DueDocument {
    readonly _id: number;
    readonly kind?: string;
    readonly claims?: number;
  }
  const until = new Date(20_000);

  it('is claimed once, until the lease ends', async () => {
    const jobs = database.db.collection<Job>('jobs');
    await jobs.insertMany([
      { _id: 1, due_at: new Date(9_000) },
      { _id: 2, due_at: new Date(8_000) },
      { _id: 3, due_at: new Date(10_001) },
      { _id: 4 },
    ]);
    const claim = (name: string, at = 10_000) => claimOldest(jobs, { claim: name, until, now: new Date(at) });
    expect(await claim('a')).toEqual({ _id: 2, claim: 'a', due_at: until });
    expect(await claim('b')).toEqual({ _id: 1, claim: 'b', due_at: until });
    expect(await claim('c')).toBeNull();
    await jobs.updateOne({ _id: 1, claim: 'b' }, releaseUpdate(new Date(9_500)));
    expect(await claim('d')).toEqual({ _id: 1, claim: 'd', due_at: until });
    expect(await claimOldest(jobs, { claim: 'e', until: new Date(30_000), now: until })).toMatchObject({ _id: 3 });
    // The lease has ended.
    expect(await claim('f', 20_000)).toMatchObject({ claim: 'f' });
  });

  it('is claimed only if it matches the filter, with fields that depend on the earlier claim', async () => {
    const jobs = database.db.collection<Job>('kinds');
    await jobs.insertMany([
      { _id: 1, due_at: new Date(1_000), kind: 'a' },
      { _id: 2, due_at: new Date(2_000), kind: 'b', claim: 'dead' },
    ]);
    const claims = { $cond: [{ $gt: ['$claim', null] }, 1, 0] };
    const lease = { claim: '$x', until, now: new Date(10_000) };
    const claimed = await claimOldest(jobs, lease, { filter: { kind: 'b' }, fields: { claims } });
    expect(claimed).toEqual({ _id: 2, due_at: until, kind: 'b', claim: '$x', claims: 1 });
  });
});
