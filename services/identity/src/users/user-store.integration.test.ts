import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from './user.ts';
import type { UserStore } from './user-service.ts';
import { createUserStore, type UserRecord, userIndexes } from './user-store.ts';

let database: TestDatabase;
let users: UserStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { users: userIndexes });
  users = createUserStore({ collection: database.db.collection<UserRecord>('users'), client: database.client });
});

afterAll(() => database.drop());

const newUser = (change: Partial<User> = {}): User => ({
  id: randomUUID(),
  tenantId: toTenantId(randomUUID()),
  email: 'Someone@example.org',
  role: 'viewer',
  permissions: ['surveys:write'],
  revision: 1,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...change,
});
const isRefused = (user: User) => users.insert(user).then(() => false, isDuplicateKey);

describe('the user store', () => {
  it('gives a user back as it was', async () => {
    const user = newUser();
    await users.insert(user);
    expect(await users.find(user.tenantId, user.id)).toEqual(user);
  });

  it('has one user for an id and one for an e-mail address in a tenant', async () => {
    const user = newUser();
    await users.insert(user);
    const { tenantId, id } = user;
    expect(await isRefused(newUser({ tenantId, id, email: 'other@example.org' }))).toBe(true);
    expect(await isRefused(newUser({ tenantId, email: 'SOMEONE@EXAMPLE.ORG' }))).toBe(true);
    expect(await isRefused(newUser({ tenantId, email: 'other@example.org' }))).toBe(false);
  });

  it('lets one user be in several tenants, and shows each tenant its own', async () => {
    const user = newUser();
    const elsewhere = newUser({ id: user.id, role: 'owner' });
    await users.insert(user);
    expect(await users.find(elsewhere.tenantId, user.id)).toBeUndefined();
    await users.insert(elsewhere);
    expect((await users.find(elsewhere.tenantId, user.id))?.role).toBe('owner');
    expect((await users.find(user.tenantId, user.id))?.role).toBe('viewer');
  });

  it('writes only over the revision that was read', async () => {
    const user = newUser();
    await users.insert(user);
    const after: User = { ...user, role: 'editor', revision: 2 };
    expect(await users.replace(user, after)).toBe('done');
    expect(await users.replace(user, { ...user, role: 'admin', revision: 2 })).toBe('outdated');
    expect(await users.remove(user)).toBe('outdated');
    expect(await users.find(user.tenantId, user.id)).toEqual(after);
    expect(await users.remove(after)).toBe('done');
    expect(await users.find(user.tenantId, user.id)).toBeUndefined();
  });

  it.each([
    ['demoted', (user: User) => users.replace(user, { ...user, role: 'admin', revision: 2 })],
    ['removed', (user: User) => users.remove(user)],
  ])('keeps one of several owners who are %s at the same time', async (_how, leave) => {
    const tenantId = toTenantId(randomUUID());
    const owners = ['a', 'b', 'c', 'd'].map((id) =>
      newUser({ tenantId, id, email: `${id}@example.org`, role: 'owner' }),
    );
    for (const owner of owners) await users.insert(owner);
    const outcomes = await Promise.all(owners.map(leave));
    expect(outcomes.sort()).toEqual(['done', 'done', 'done', 'last-owner']);
    const { items } = await users.list(tenantId, { limit: 10 });
    expect(items.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('does not count owners of other tenants', async () => {
    const [owner, foreign] = [newUser({ role: 'owner' }), newUser({ role: 'owner' })];
    await users.insert(owner);
    await users.insert(foreign);
    expect(await users.remove(owner)).toBe('last-owner');
  });

  it('lets the last owner change in all but the role', async () => {
    const owner = newUser({ role: 'owner' });
    await users.insert(owner);
    expect(await users.replace(owner, { ...owner, email: 'new@example.org', revision: 2 })).toBe('done');
  });
});
