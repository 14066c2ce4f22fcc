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
  users = createUserStore(database.db.collection<UserRecord>('users'));
});

afterAll(() => database.drop());

const newUser = (change: Partial<User> = {}): User => ({
  id: randomUUID(),
  tenantId: toTenantId(randomUUID()),
  email: 'Someone@example.org',
  role: 'viewer',
  permissions: ['surveys:write'],
  createdAt: new Date(),
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
});
