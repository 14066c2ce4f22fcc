import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type User, withChange } from './user.ts';
import { userEvent } from './user-service.ts';
import { createUserStore, type UserDocument, type UserStore, userIndexes } from './user-store.ts';

let database: TestDatabase;
let users: UserStore;
let collection: Collection<UserDocument>;
/** Number of notifications of the relay. */
let events = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { users: [...userIndexes, outboxIndex] });
  collection = database.db.collection<UserDocument>('users');
  users = createUserStore({ collection, client: database.client, onEvent: () => void events++ });
});

afterAll(() => database.drop());

const newUser = (change: Partial<User> = {}): User => ({
  id: randomUUID(),
  membershipId: randomUUID(),
  tenantId: toTenantId(randomUUID()),
  email: 'Someone@example.org',
  role: 'viewer',
  permissions: ['surveys:write'],
  revision: 1,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...change,
});
const by = ({ tenantId }: User) => ({ tenantId, actor: 'user-1', requestId: 'request-1', traceparent: '' });
const insert = (user: User) => users.insert(user, userEvent(by(user), 'user.created', undefined, user));
const replace = (before: User, after: User) =>
  users.replace(before, after, userEvent(by(after), 'user.updated', before, after));
const remove = (user: User) =>
  users.remove(user, userEvent(by(user), 'user.deleted', user, withChange(user, {}, new Date())));
const isRejected = (user: User) => insert(user).then(() => false, isDuplicateKey);
const outboxOf = async (user: User) => (await collection.findOne({ _id: user.membershipId }))?.outbox;

describe('user store', () => {
  it('returns a user as it was stored', async () => {
    const user = newUser();
    await insert(user);
    expect(await users.find(user.tenantId, user.id)).toEqual(user);
  });

  it('has one user per id and per e-mail address in a tenant', async () => {
    const user = newUser();
    await insert(user);
    const { tenantId, id } = user;
    expect(await isRejected(newUser({ tenantId, id, email: 'other@example.org' }))).toBe(true);
    expect(await isRejected(newUser({ tenantId, email: 'SOMEONE@EXAMPLE.ORG' }))).toBe(true);
    expect(await isRejected(newUser({ tenantId, email: 'other@example.org' }))).toBe(false);
  });

  it('allows a user in several tenants, each with its own data', async () => {
    const user = newUser();
    const elsewhere = newUser({ id: user.id, role: 'owner' });
    await insert(user);
    expect(await users.find(elsewhere.tenantId, user.id)).toBeUndefined();
    await insert(elsewhere);
    expect((await users.find(elsewhere.tenantId, user.id))?.role).toBe('owner');
    expect((await users.find(user.tenantId, user.id))?.role).toBe('viewer');
  });

  it('writes only to the revision that was read', async () => {
    const user = newUser();
    await insert(user);
    const after: User = { ...user, role: 'editor', revision: 2 };
    expect(await replace(user, after)).toBe(true);
    expect(await replace(user, { ...user, role: 'admin', revision: 2 })).toBe(false);
    expect(await remove(user)).toBe(false);
    expect(await users.find(user.tenantId, user.id)).toEqual(after);
    expect(await remove(after)).toBe(true);
    expect(await users.find(user.tenantId, user.id)).toBeUndefined();
  });

  it.each([
    ['demoted', (user: User) => replace(user, { ...user, role: 'admin', revision: 2 })],
    ['removed', (user: User) => remove(user)],
  ])('keeps one of several owners that are %s at the same time', async (_case, removeOwner) => {
    const tenantId = toTenantId(randomUUID());
    const owners = ['a', 'b', 'c', 'd'].map((id) =>
      newUser({ tenantId, id, email: `${id}@example.org`, role: 'owner' }),
    );
    for (const owner of owners) await insert(owner);
    const outcomes = await Promise.all(owners.map((owner) => removeOwner(owner).catch(({ code }) => code)));
    expect(outcomes.sort()).toEqual(['LAST_OWNER', true, true, true]);
    const { items } = await users.list(tenantId, { limit: 10 });
    expect(items.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('keeps only the events of a removed user, who can be added again immediately', async () => {
    const user = newUser({ revision: 3 });
    await insert(user);
    events = 0;
    expect(await remove(user)).toBe(true);
    expect(events).toBe(1);
    const stored = await collection.findOne({ _id: user.membershipId });
    expect(stored).toEqual({ _id: user.membershipId, tombstone: true, outbox: [expect.anything(), expect.anything()] });
    expect(JSON.stringify(stored?.outbox.map(({ value: _, ...event }) => event))).not.toContain(user.email);
    const again = { ...user, membershipId: randomUUID() };
    await insert(again);
    expect(await users.find(user.tenantId, user.id)).toEqual(again);
    expect(await remove(again)).toBe(true);
    const ids = [user, again].map(async (removed) => (await outboxOf(removed))?.map(({ id }) => id));
    expect(new Set((await Promise.all(ids)).flat()).size).toBe(4);
  });

  it('does not remove the last owner, and stores no event', async () => {
    const owner = newUser({ role: 'owner' });
    await insert(owner);
    events = 0;
    await expect(remove(owner)).rejects.toMatchObject({ code: 'LAST_OWNER' });
    expect([events, (await outboxOf(owner))?.length]).toEqual([0, 1]);
  });

  it('returns the first user for a repeated membership', async () => {
    const user = newUser();
    await insert(user);
    const second = newUser({ membershipId: user.membershipId, tenantId: user.tenantId, email: 'second@example.org' });
    expect(await insert(second)).toEqual(user);
    expect(await outboxOf(user)).toHaveLength(1);
  });

  it('does not count owners of other tenants', async () => {
    const [owner, foreign] = [newUser({ role: 'owner' }), newUser({ role: 'owner' })];
    await insert(owner);
    await insert(foreign);
    await expect(remove(owner)).rejects.toMatchObject({ code: 'LAST_OWNER' });
  });

  it('allows changes of the last owner except for the role', async () => {
    const owner = newUser({ role: 'owner' });
    await insert(owner);
    expect(await replace(owner, { ...owner, email: 'new@example.org', revision: 2 })).toBe(true);
  });
});
