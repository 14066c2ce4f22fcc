import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenRevokedEvent } from './revoked-token-service.ts';
import {
  createRevokedTokenStore,
  type RevokedTokenDocument,
  type RevokedTokenStore,
  revokedTokenIndexes,
} from './revoked-token-store.ts';

const tenantId = toTenantId('ours');
// In the future, because MongoDB deletes tokens that have expired by its own clock.
const now = new Date('2096-01-02T03:04:05Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const MAX = 5;

let database: TestDatabase;
let tokens: Collection<RevokedTokenDocument>;
let replicas: readonly [RevokedTokenStore, RevokedTokenStore];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  tokens = await database.createCollection(revokedTokenIndexes);
  const createStore = () => createRevokedTokenStore({ collection: tokens, onEvent: () => {} });
  replicas = [createStore(), createStore()];
});
afterAll(() => database.drop());

function keep(tokenId: string, { store = replicas[0], userId = 'u', expiresAt = later(60), time = now } = {}) {
  const token = { tenantId, userId, tokenId, expiresAt };
  const by = { tenantId, actor: 'operator', requestId: '', traceparent: '' };
  return store.save(token, tokenRevokedEvent(by, token, time), { max: MAX, now: time });
}

describe('revoked tokens of a user', () => {
  it('never exceed the limit with concurrent requests to two replicas', async () => {
    const kept = await Promise.all(
      Array.from({ length: 30 }, (_, index) => keep(randomUUID(), { store: replicas[index % 2 === 0 ? 0 : 1] })),
    );
    expect(kept.filter((isKept) => isKept)).toHaveLength(MAX);
    expect(await tokens.countDocuments()).toBe(MAX);
    expect(await replicas[0].listIds(tenantId, 'u', now)).toHaveLength(MAX);
    expect(await keep('x', { userId: 'other' })).toBe(true);
  });

  it('can be revoked again at the limit, also concurrently', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const kept = await Promise.all(
      [...ids, ...ids].map((id, index) => keep(id, { store: replicas[index < 5 ? 0 : 1] })),
    );
    expect(kept).toEqual(kept.map(() => true));
    const found = await tokens.find().toArray();
    expect(found.map(({ outbox }) => outbox.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('count until they expire, and again when the expiry is extended', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) expect(await keep(id)).toBe(true);
    expect(await keep('f')).toBe(false);
    const time = later(61);
    expect(await keep('a', { time, expiresAt: later(120) })).toBe(true);
    for (const id of ['f', 'g', 'h', 'i']) expect(await keep(id, { time, expiresAt: later(120) })).toBe(true);
    expect(await keep('j', { time, expiresAt: later(120) })).toBe(false);
    expect((await replicas[1].listIds(tenantId, 'u', time)).toSorted()).toEqual(['a', 'f', 'g', 'h', 'i']);
  });
});
