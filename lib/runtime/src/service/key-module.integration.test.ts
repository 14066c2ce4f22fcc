import { randomBytes, randomUUID } from 'node:crypto';
import { KeyService } from '@survey/proto/survey/keys/v1/key_service_pb';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import type { DataKeyDocument } from '../crypto/data-key.ts';
import { createEnvelope } from '../crypto/envelope.ts';
import { parseKeyring } from '../crypto/keyring.ts';
import type { TenantStatus } from '../tenants/tenant-state.ts';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { startTestServer } from '../testing/rpc/test-server.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { createKeyHandler } from './key-module.ts';

const [k1, k2] = [1, 2].map(() => randomBytes(32).toString('base64'));
const ringOf = (active: string, keys: Record<string, string | undefined>) =>
  parseKeyring(JSON.stringify({ active, keys }));
const aad = ['survey', 'response', 'answers'];
const answers = Buffer.from('{"q1":"yes"}');

let keys: TestKeys;
let database: TestDatabase;
let collection: Collection<DataKeyDocument>;
const open = closeAfterEach();

beforeAll(async () => {
  keys = await createTestKeys();
  database = await createTestDatabase();
});
beforeEach(() => {
  collection = database.db.collection(`keys-${randomUUID()}`);
});
afterAll(async () => {
  await database.drop();
  await keys.close();
});

/** A service that an operator calls, with a keyring that the test can change. */
async function start() {
  let ring = ringOf('k1', { k1 });
  const statuses = new Map<string, TenantStatus>();
  const createOwn = () => createEnvelope({ collection, keyring: async () => ring, clock: () => new Date() });
  const envelope = createOwn();
  const tenants = { statusOf: async (tenantId: string) => statuses.get(tenantId) ?? 'active' };
  const handler = createKeyHandler({ envelope, tenants });
  const server = await startTestServer({ jwksFile: keys.jwksFile, name: 'response', serves: [handler] });
  const connection = await keys.connectAs('operator', 'response', server.address);
  open.push(server, connection);
  return {
    operator: connection.client(KeyService),
    envelope,
    createOwn,
    statuses,
    use(active: string, given: Record<string, string | undefined>) {
      ring = ringOf(active, given);
    },
  };
}

const newTenant = () => toTenantId(randomUUID());

describe('rotating a data key', () => {
  it('makes the next version, and keeps older records readable', async () => {
    const { operator, envelope, createOwn } = await start();
    const tenantId = newTenant();
    const old = await envelope.encrypt(tenantId, aad, answers);
    expect(await operator.rotateDataKey({ tenantId })).toMatchObject({ version: 2 });
    expect(await operator.rotateDataKey({ tenantId })).toMatchObject({ version: 3 });
    const fresh = await envelope.encrypt(tenantId, aad, answers);
    expect([old.kv, fresh.kv]).toEqual([1, 3]);
    for (const record of [old, fresh]) expect(await createOwn().decrypt(tenantId, aad, record)).toEqual(answers);
  });

  it('makes the first version for a tenant without one', async () => {
    const { operator } = await start();
    const tenantId = newTenant();
    expect(await operator.rotateDataKey({ tenantId })).toMatchObject({ version: 1 });
    expect(await collection.countDocuments({ tenant_id: tenantId })).toBe(1);
  });

  it('makes none for a deleted tenant, and rejects an invalid id', async () => {
    const { operator, statuses } = await start();
    const tenantId = newTenant();
    statuses.set(tenantId, 'deleted');
    await expect(operator.rotateDataKey({ tenantId })).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    await expect(operator.rotateDataKey({ tenantId: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await collection.countDocuments()).toBe(0);
  });

  it('concurrently makes versions that are all readable', async () => {
    const { operator, createOwn } = await start();
    const tenantId = newTenant();
    await Promise.all(Array.from({ length: 8 }, () => operator.rotateDataKey({ tenantId })));
    const versions = (await createOwn().cipherOf(tenantId)).versions;
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });
});

describe('rewrapping data keys', () => {
  it('reports how many were wrapped and that none is left, so that the old key can be removed', async () => {
    const { operator, envelope, createOwn, use } = await start();
    const tenants = [newTenant(), newTenant()];
    const records = await Promise.all(tenants.map((tenantId) => envelope.encrypt(tenantId, aad, answers)));
    expect(await operator.rewrapDataKeys({})).toMatchObject({ activeKey: 'k1', rewrapped: 0, remaining: 0 });
    use('k2', { k1, k2 });
    expect(await operator.rewrapDataKeys({})).toMatchObject({ activeKey: 'k2', rewrapped: 2, remaining: 0 });
    expect(await operator.rewrapDataKeys({})).toMatchObject({ activeKey: 'k2', rewrapped: 0, remaining: 0 });
    use('k2', { k2 });
    for (const [index, record] of records.entries())
      expect(await createOwn().decrypt(tenants[index] ?? newTenant(), aad, record)).toEqual(answers);
  });

  it('fails, and changes nothing, if a data key cannot be unwrapped', async () => {
    const { operator, envelope, createOwn, use } = await start();
    const tenantId = newTenant();
    const record = await envelope.encrypt(tenantId, aad, answers);
    use('k2', { k2 });
    await expect(operator.rewrapDataKeys({})).rejects.toMatchObject({ code: 'INTERNAL' });
    use('k1', { k1, k2 });
    expect(await createOwn().decrypt(tenantId, aad, record)).toEqual(answers);
  });
});
