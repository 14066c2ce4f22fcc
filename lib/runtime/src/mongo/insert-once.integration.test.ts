import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { insertOnce } from './insert-once.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import { tenantCollection } from './tenant-collection.ts';

interface Named {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.collection('named').createIndex({ name: 1 }, { unique: true });
});

afterAll(() => database.drop());

const namedOf = (tenantId = toTenantId(randomUUID())) =>
  tenantCollection(database.db.collection<Named>('named'), tenantId);

describe('insertOnce', () => {
  it('returns the stored document, even for a second document with the same id', async () => {
    const tenant_id = toTenantId(randomUUID());
    const named = namedOf(tenant_id);
    const [_id, name] = [randomUUID(), randomUUID()];
    expect(await insertOnce(named, { _id, name })).toEqual({ _id, tenant_id, name });
    expect(await insertOnce(named, { _id, name: randomUUID() })).toEqual({ _id, tenant_id, name });
    expect(await insertOnce(named, { _id, name })).toEqual({ _id, tenant_id, name });
  });

  it('inserts once in concurrent calls', async () => {
    const named = namedOf();
    const _id = randomUUID();
    const names = Array.from({ length: 8 }, () => randomUUID());
    const found = await Promise.all(names.map((name) => insertOnce(named, { _id, name })));
    const stored = await named.findOne({ _id });
    expect(found).toEqual(names.map(() => stored));
  });

  it('throws if another document has the unique value, or another tenant the id', async () => {
    const [_id, name] = [randomUUID(), randomUUID()];
    const named = namedOf();
    await insertOnce(named, { _id, name });
    await expect(insertOnce(named, { _id: randomUUID(), name })).rejects.toSatisfy(isDuplicateKey);
    await expect(insertOnce(namedOf(), { _id, name: randomUUID() })).rejects.toSatisfy(isDuplicateKey);
  });
});
