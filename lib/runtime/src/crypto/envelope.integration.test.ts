import { randomBytes, randomUUID } from 'node:crypto';
import { Binary, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { DecryptionError } from './aes-gcm.ts';
import { type DataKeyDocument, dataKeyIndexes } from './data-key.ts';
import { createEnvelope } from './envelope.ts';
import { checkKeyring, type Keyring, parseKeyring } from './keyring.ts';

const k1 = randomBytes(32).toString('base64');
const k2 = randomBytes(32).toString('base64');
const ringOf = (active: string, keys: Record<string, string>) => parseKeyring(JSON.stringify({ active, keys }));
const ring = ringOf('k1', { k1 });
const aad = ['survey', 'response', 'answers'];
const answers = Buffer.from('{"q1":"yes"}');

describe('an envelope', () => {
  let database: TestDatabase;
  let collection: Collection<DataKeyDocument>;
  let tenant: TenantId;

  beforeAll(async () => {
    database = await createTestDatabase();
    await ensureIndexes(database.db, { data_keys: dataKeyIndexes });
    collection = database.db.collection('data_keys');
  });
  afterAll(() => database.drop());

  const envelopeOf = (keyring: Keyring = ring, keys = collection) =>
    createEnvelope({ collection: keys, keyring: async () => keyring, clock: () => new Date() });
  const newTenant = () => toTenantId(randomUUID());

  it('decrypts a record of another process', async () => {
    tenant = newTenant();
    const record = await envelopeOf().encrypt(tenant, aad, answers);
    expect(await envelopeOf().decrypt(tenant, aad, record)).toEqual(answers);
  });

  it('stores one wrapped data key per tenant', async () => {
    tenant = newTenant();
    await envelopeOf().encrypt(tenant, aad, answers);
    await envelopeOf().encrypt(tenant, aad, answers);
    const stored = await collection.find({ tenant_id: tenant }).toArray();
    expect(stored).toEqual([
      {
        _id: `${tenant}:1`,
        tenant_id: tenant,
        version: 1,
        wrapped: { key_id: 'k1', iv: expect.any(Binary), ct: expect.any(Binary), tag: expect.any(Binary) },
        created_at: expect.any(Date),
      },
    ]);
  });

  it('makes one key for concurrent calls and processes', async () => {
    tenant = newTenant();
    const envelopes = Array.from({ length: 8 }, () => envelopeOf());
    const records = await Promise.all(
      envelopes.flatMap((envelope) => [1, 2, 3].map(() => envelope.encrypt(tenant, aad, answers))),
    );
    expect(await collection.countDocuments({ tenant_id: tenant })).toBe(1);
    const reader = envelopeOf();
    for (const record of records) expect(await reader.decrypt(tenant, aad, record)).toEqual(answers);
  });

  it('loads the keys once for concurrent calls', async () => {
    tenant = newTenant();
    let finds = 0;
    const count = ({ commandName }: { commandName: string }) => {
      if (commandName === 'find') finds += 1;
    };
    database.client.on('commandStarted', count);
    const envelope = envelopeOf();
    await Promise.all(Array.from({ length: 50 }, () => envelope.cipherOf(tenant)));
    await envelope.encrypt(tenant, aad, answers);
    database.client.off('commandStarted', count);
    expect(finds).toBe(1);
  });

  it('does not read a record of another tenant or with other additional authenticated data', async () => {
    const envelope = envelopeOf();
    tenant = newTenant();
    const record = await envelope.encrypt(tenant, aad, answers);
    await expect(envelope.decrypt(newTenant(), aad, record)).rejects.toThrow(DecryptionError);
    await expect(envelope.decrypt(tenant, ['survey', 'response', 'metadata'], record)).rejects.toThrow(DecryptionError);
  });

  it('does not use a data key that was copied to another tenant', async () => {
    tenant = newTenant();
    await envelopeOf().cipherOf(tenant);
    const stored = await collection.findOne({ tenant_id: tenant });
    const thief = newTenant();
    if (stored !== null) await collection.insertOne({ ...stored, _id: `${thief}:1`, tenant_id: thief });
    await expect(envelopeOf().cipherOf(thief)).rejects.toThrow(DecryptionError);
    await collection.deleteOne({ _id: `${thief}:1` });
  });

  it('encrypts with the next data key after a rotation, and decrypts older records', async () => {
    tenant = newTenant();
    const [here, elsewhere] = [envelopeOf(), envelopeOf()];
    const old = await here.encrypt(tenant, aad, answers);
    await elsewhere.decrypt(tenant, aad, old);
    expect(await here.rotate(tenant)).toBe(2);
    const next = await here.encrypt(tenant, aad, answers);
    expect([old.kv, next.kv]).toEqual([1, 2]);
    expect(await here.decrypt(tenant, aad, old)).toEqual(answers);
    // The other process has cached only the first version.
    expect(await elsewhere.decrypt(tenant, aad, next)).toEqual(answers);
  });

  it('wraps with the new key after a change of the keyring, and decrypts older records', async () => {
    tenant = newTenant();
    const old = await envelopeOf().encrypt(tenant, aad, answers);
    const both = envelopeOf(ringOf('k2', { k1, k2 }));
    expect(await both.decrypt(tenant, aad, old)).toEqual(answers);
    await both.rotate(tenant);
    const wrappedBy = (await collection.find({ tenant_id: tenant }).toArray()).map(({ wrapped }) => wrapped.key_id);
    expect(wrappedBy.sort()).toEqual(['k1', 'k2']);
  });

  it('does not fail while the data keys are rotated', async () => {
    tenant = newTenant();
    await envelopeOf().cipherOf(tenant);
    for (let round = 0; round < 10; round += 1) {
      const envelope = envelopeOf();
      const [record] = await Promise.all([envelope.encrypt(tenant, aad, answers), envelope.rotate(tenant)]);
      expect(await envelope.decrypt(tenant, aad, record)).toEqual(answers);
      expect((await envelope.encrypt(tenant, aad, answers)).kv).toBe(round + 2);
    }
  });

  it('decrypts nothing of a tenant whose keys were erased', async () => {
    tenant = newTenant();
    const envelope = envelopeOf();
    const record = await envelope.encrypt(tenant, aad, answers);
    await envelope.erase(tenant);
    expect(await collection.countDocuments({ tenant_id: tenant })).toBe(0);
    await expect(envelope.decrypt(tenant, aad, record)).rejects.toThrow(DecryptionError);
    await expect(envelopeOf().decrypt(tenant, aad, record)).rejects.toThrow(DecryptionError);
  });

  it('recovers after a failure of the database', async () => {
    tenant = newTenant();
    const failing = { find: () => ({ toArray: () => Promise.reject(new Error('down')) }) };
    let isDown = true;
    // Loading the keys calls `find` first.
    const flaky = new Proxy(collection, {
      get: (target, name, receiver) => Reflect.get(isDown && name === 'find' ? failing : target, name, receiver),
    });
    const envelope = envelopeOf(ring, flaky);
    await expect(envelope.encrypt(tenant, aad, answers)).rejects.toThrow('down');
    isDown = false;
    expect(await envelope.encrypt(tenant, aad, answers)).toMatchObject({ kv: 1 });
  });

  describe('checkKeyring', () => {
    it('passes if the keyring has every key in use', async () => {
      const own = database.db.collection<DataKeyDocument>(`keys-${randomUUID()}`);
      await checkKeyring(ring, own);
      await envelopeOf(ring, own).cipherOf(newTenant());
      await checkKeyring(ringOf('k2', { k1, k2 }), own);
    });

    it('names keys in use that are missing or have other bytes', async () => {
      const own = database.db.collection<DataKeyDocument>(`keys-${randomUUID()}`);
      await envelopeOf(ring, own).cipherOf(newTenant());
      await envelopeOf(ringOf('k2', { k2 }), own).cipherOf(newTenant());
      await expect(checkKeyring(ringOf('k3', { k3: k1 }), own)).rejects.toThrow(/: k1, k2$/);
      await expect(checkKeyring(ringOf('k2', { k1: k2, k2 }), own)).rejects.toThrow(/: k1$/);
    });
  });
});
