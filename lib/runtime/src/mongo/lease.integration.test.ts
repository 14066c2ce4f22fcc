import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createLease, type LeaseDocument } from './lease.ts';

describe('a lease', () => {
  let database: TestDatabase;
  let collection: Collection<LeaseDocument>;

  beforeAll(async () => {
    database = await createTestDatabase();
    collection = database.db.collection('leases');
  });
  afterAll(() => database.drop());

  const leaseOf = (name: string, owner: string, ttlMs = 60_000) => createLease({ collection, name, owner, ttlMs });

  const tokenOf = async (name: string) => (await collection.findOne({ _id: name }))?.token;

  it('is granted to exactly one of concurrent requests', async () => {
    const name = randomUUID();
    const leases = Array.from({ length: 20 }, (_, index) => leaseOf(name, `owner-${index}`));
    const got = await Promise.all(leases.map((lease) => lease.acquire()));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  it('belongs to its owner, with the same token, until it is released', async () => {
    const name = randomUUID();
    const [first, second] = [leaseOf(name, 'first'), leaseOf(name, 'second')];
    expect(await first.acquire()).toBe(true);
    expect(await second.acquire()).toBe(false);
    expect(await first.acquire()).toBe(true);
    expect(await tokenOf(name)).toBe(1);
    await first.release();
    expect(await second.acquire()).toBe(true);
    expect(await tokenOf(name)).toBe(2);
    expect(await first.acquire()).toBe(false);
  });

  it('is granted to another owner after it has expired, with a greater token', async () => {
    const name = randomUUID();
    const [first, next] = [leaseOf(name, 'first', 200), leaseOf(name, 'next')];
    expect(await first.acquire()).toBe(true);
    await expect.poll(() => next.acquire()).toBe(true);
    expect(await tokenOf(name)).toBe(2);
    await expect.poll(() => first.acquire()).toBe(false);
  });

  it('can be renewed by its owner in time, with the same token', async () => {
    const name = randomUUID();
    const lease = leaseOf(name, 'owner', 3_000);
    await lease.acquire();
    const before = await collection.findOne({ _id: name });
    const extended = async () => {
      expect(await lease.acquire()).toBe(true);
      return (await collection.findOne({ _id: name }))?.expires_at.getTime();
    };
    await expect.poll(extended).toBeGreaterThan(before?.expires_at.getTime() ?? 0);
    expect(await tokenOf(name)).toBe(1);
  });

  it('has a new token if its owner returns after the expiry', async () => {
    const name = randomUUID();
    await leaseOf(name, 'owner', 1).acquire();
    const again = leaseOf(name, 'owner');
    await expect.poll(async () => (await again.acquire()) && tokenOf(name)).toBe(2);
  });

  it('reports to its owner whether another one has asked for it recently', async () => {
    const name = randomUUID();
    const [first, second] = [leaseOf(name, 'first', 2_000), leaseOf(name, 'second', 2_000)];
    await first.acquire();
    expect(first.isWanted()).toBe(false);
    const isWanted = async () => (await first.acquire()) && first.isWanted();
    await expect.poll(async () => !(await second.acquire()) && (await isWanted()), { interval: 50 }).toBe(true);
    await expect.poll(isWanted, { interval: 50 }).toBe(false);
  });

  it('is not affected by a release of its previous owner', async () => {
    const name = randomUUID();
    const [late, next] = [leaseOf(name, 'late', 1), leaseOf(name, 'next')];
    await late.acquire();
    await expect.poll(() => next.acquire()).toBe(true);
    await late.release();
    expect(await leaseOf(name, 'third').acquire()).toBe(false);
  });
});
