import { randomBytes, randomUUID } from 'node:crypto';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Response } from './response.ts';
import { createResponseSealer } from './response-sealer.ts';

const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A process with its own cache of data keys. */
function startProcess() {
  const collection = database.db.collection<DataKeyDocument>('data_keys');
  const envelope = createEnvelope({ collection, keyring: async () => keyring, clock: () => new Date() });
  return { envelope, sealer: createResponseSealer(envelope) };
}

function newResponse(tenantId: TenantId): Response {
  const time = new Date(Date.UTC(2024, 0, 1));
  return {
    id: randomUUID(),
    tenantId,
    surveyId: randomUUID(),
    surveyVersion: 1,
    status: 'completed',
    createdAt: time,
    updatedAt: time,
    startedAt: undefined,
    completedAt: time,
    language: undefined,
    linkId: undefined,
    invitationId: undefined,
    externalId: undefined,
    revision: 1,
    data: { q: 'Zoë 😀', n: 0 },
    metadata: { source: null },
  };
}

describe('sealed responses', () => {
  it('are opened unchanged, with and without metadata', async () => {
    const tenantId = toTenantId(randomUUID());
    const { sealer } = startProcess();
    const { seal } = await sealer.forTenant(tenantId);
    const responses = [newResponse(tenantId), { ...newResponse(tenantId), metadata: undefined }];
    const sealed = responses.map((response) => seal(response));
    expect(await sealer.openAll(tenantId, sealed)).toEqual(responses);
    expect(await sealer.openAll(tenantId, [])).toEqual([]);
  });

  it('can be opened and compared in a process that has not loaded their key', async () => {
    const tenantId = toTenantId(randomUUID());
    const [mine, other] = [startProcess(), startProcess()];
    const old = newResponse(tenantId);
    const sealedOld = (await mine.sealer.forTenant(tenantId)).seal(old);
    expect(await other.sealer.open(sealedOld)).toEqual(old);
    await mine.envelope.rotate(tenantId);
    const fresh = newResponse(tenantId);
    const sealedFresh = (await mine.sealer.forTenant(tenantId)).seal(fresh, 'request');
    expect(sealedFresh.data.kv).toBe(2);
    expect(await other.sealer.openAll(tenantId, [sealedOld, sealedFresh])).toEqual([old, fresh]);
    const { requestHash } = sealedFresh;
    if (requestHash === undefined) throw new Error('it was sealed with its request');
    expect(await other.sealer.isSameRequest(tenantId, requestHash, 'request')).toBe(true);
    expect(await other.sealer.isSameRequest(tenantId, requestHash, 'another')).toBe(false);
  });

  it('have the same two ids for an idempotency key after a rotation, and different ones for another tenant', async () => {
    const [tenantId, otherId] = [toTenantId(randomUUID()), toTenantId(randomUUID())];
    const { envelope, sealer } = startProcess();
    const scope = { kind: 'public', id: 's' } as const;
    const ids = (await sealer.forTenant(tenantId)).idsOfIdempotencyKey(scope, 'k');
    await envelope.rotate(tenantId);
    for (const process of [{ sealer }, startProcess()])
      expect((await process.sealer.forTenant(tenantId)).idsOfIdempotencyKey(scope, 'k')).toEqual(ids);
    const others = [
      ...(await sealer.forTenant(otherId)).idsOfIdempotencyKey(scope, 'k'),
      ...(await sealer.forTenant(tenantId)).idsOfIdempotencyKey(scope, 'K'),
    ];
    expect(new Set([...ids, ...others]).size).toBe(6);
  });

  it('cannot be opened under another id, survey or tenant, or with exchanged fields', async () => {
    const tenantId = toTenantId(randomUUID());
    const { sealer } = startProcess();
    const sealed = (await sealer.forTenant(tenantId)).seal(newResponse(tenantId));
    for (const moved of [
      { ...sealed, id: randomUUID() },
      { ...sealed, surveyId: randomUUID() },
      { ...sealed, tenantId: toTenantId(randomUUID()) },
      { ...sealed, data: sealed.metadata ?? sealed.data },
    ])
      await expect(sealer.open(moved)).rejects.toThrow('cannot be decrypted');
  });
});
