import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { poll } from '../testing/poll.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testLog } from '../testing/test-log.ts';
import type { DataKeyDocument } from './data-key.ts';
import { createEnvelope } from './envelope.ts';
import { followKeyring, parseKeyring } from './keyring.ts';

const [k1, k2, other] = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
const aad = ['survey', 'response', 'answers'];
const answers = Buffer.from('{"q1":"yes"}');

let database: TestDatabase;
let collection: Collection<DataKeyDocument>;
let folder: string;
let file: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  collection = database.db.collection(`keys-${randomUUID()}`);
  folder = await mkdtemp(join(tmpdir(), 'survey-keyring-'));
  file = join(folder, 'keyring.json');
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => database.drop());

/** Replaces the keyring file atomically. */
async function mount(active: string, keys: Record<string, string | undefined>): Promise<string> {
  const text = JSON.stringify({ active, keys });
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return text;
}

async function startProcess(text: string) {
  const secret = { value: parseKeyring(text), file, parse: parseKeyring };
  const keyring = await followKeyring({ secret, collection, log: testLog, recheckMs: 0 });
  return { keyring, envelope: createEnvelope({ collection, keyring, clock: () => new Date() }) };
}

const newTenant = () => toTenantId(randomUUID());
const keyIds = () => collection.distinct('wrapped.key_id');

describe('a keyring that changes at runtime', () => {
  it('wraps new data keys with the new active key, and the old ones too, until the old key can go', async () => {
    const { envelope } = await startProcess(await mount('k1', { k1 }));
    const [early, late] = [newTenant(), newTenant()];
    const record = await envelope.encrypt(early, aad, answers);
    expect(await keyIds()).toEqual(['k1']);

    await mount('k1', { k1, k2 });
    await mount('k2', { k1, k2 });
    await envelope.encrypt(late, aad, answers);
    await poll(async () => (await keyIds()).join() === 'k2');

    const afterwards = await startProcess(await mount('k2', { k2 }));
    expect(await afterwards.envelope.decrypt(early, aad, record)).toEqual(answers);
    expect(await envelope.decrypt(early, aad, record)).toEqual(answers);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['lacks a key in use', () => mount('k2', { k2 })],
    ['has other bytes under its name', () => mount('k1', { k1: other })],
    ['is no keyring', () => writeFile(file, '{"active":')],
    ['is gone', () => rm(file)],
  ])('does not change if the new one %s', async (_, change) => {
    const { envelope, keyring } = await startProcess(await mount('k1', { k1 }));
    const tenant = newTenant();
    await envelope.encrypt(tenant, aad, answers);
    const before = await keyring();
    await change();
    expect(await keyring()).toBe(before);
    await envelope.encrypt(newTenant(), aad, answers);
    expect(await keyIds()).toEqual(['k1']);
    await mount('k2', { k1, k2 });
    expect((await keyring()).active).toBe('k2');
  });

  it('keeps a process that lacks a key in use from starting', async () => {
    const { envelope } = await startProcess(await mount('k1', { k1 }));
    await envelope.encrypt(newTenant(), aad, answers);
    await expect(startProcess(await mount('k2', { k2 }))).rejects.toThrow(/: k1$/);
    await expect(startProcess(await mount('k2', { k1: other, k2 }))).rejects.toThrow(/: k1$/);
  });
});

describe('a data key that is rotated at runtime', () => {
  it('keeps all concurrently written records readable', async () => {
    const text = await mount('k1', { k1 });
    const writers = await Promise.all([1, 2, 3].map(() => startProcess(text)));
    const tenant = newTenant();
    const write = async (at: number) => writers[at % 3]?.envelope.encrypt(tenant, aad, Buffer.from(`answer ${at}`));
    const records = [];
    for (let round = 0; round < 5; round += 1) {
      const batch = Array.from({ length: 20 }, (_, at) => write(round * 20 + at));
      await writers[round % 3]?.envelope.rotate(tenant);
      records.push(...(await Promise.all(batch)));
    }
    const reader = (await startProcess(text)).envelope;
    for (const [at, record] of records.entries()) {
      if (record === undefined) throw new Error('nothing was written');
      expect(Buffer.from(await reader.decrypt(tenant, aad, record)).toString()).toBe(`answer ${at}`);
    }
    expect(new Set(records.map((record) => record?.kv)).size).toBeGreaterThan(1);
  });
});
