import { randomBytes, randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope, type Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeyring } from '@survey/runtime/testing/test-keyring';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTHING_JUDGED } from '../reading/batches.ts';
import { createSpooling, EMPTY_SPOOL, type Spooling } from './spool.ts';
import { createStaging, type StagedFile, type Staging } from './staged-file.ts';
import {
  createStagedPieceStore,
  type StagedPieceDocument,
  type StagedPieceStore,
  stagedPieceIndexes,
} from './staged-piece-store.ts';

const MIB = 1024 * 1024;
const tenantId = toTenantId(randomUUID());
let database: TestDatabase;
let envelope: Envelope;
let store: StagedPieceStore;
let staging: Staging;
let spooling: Spooling;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { staged_pieces: stagedPieceIndexes });
  const keyring = createTestKeyring();
  const clock = () => new Date();
  const collection = database.db.collection<DataKeyDocument>('data_keys');
  envelope = createEnvelope({ collection, keyring: async () => keyring, clock });
  store = createStagedPieceStore({ collection: pieces(), clock });
  staging = createStaging({ envelope, store, newId: randomUUID });
  spooling = createSpooling({ envelope, store });
});
afterAll(() => database.drop());

const pieces = () => database.db.collection<StagedPieceDocument>('staged_pieces');
const receive = (bytes: AsyncIterable<Uint8Array>, alwaysStage = false) =>
  staging.receive(tenantId, bytes, { alwaysStage });
const contents = async (file: StagedFile, of = tenantId) =>
  Buffer.concat(await Array.fromAsync(staging.open(of, file).open()));

async function* cut(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function stage(size: number) {
  const bytes = randomBytes(size);
  const { staged } = await receive(cut(bytes));
  if (staged === undefined) throw new Error('the file is not staged');
  return { bytes, staged };
}

describe('an uploaded file', () => {
  it.each([0, 1, MIB])('stays in memory with %i bytes, unless staging is requested', async (size) => {
    const { file, staged } = await receive(cut(randomBytes(size)));
    expect([file.size, staged]).toEqual([size, undefined]);
    const { staged: asked } = await receive(cut(randomBytes(size)), true);
    expect(asked?.size ?? 0).toBe(size);
  });

  it('is staged above 1 MiB, and can be read repeatedly', async () => {
    const { bytes, staged } = await stage(3 * MIB + 7);
    expect(staged).toMatchObject({ size: 3 * MIB + 7, pieces: 13 });
    for (const _ of [1, 2]) expect((await contents(staged)).equals(bytes)).toBe(true);
    await staging.discard(tenantId, staged.id);
    expect(await pieces().countDocuments({ _id: { $regex: `^${staged.id}` } })).toBe(0);
    await expect(contents(staged)).rejects.toMatchObject({ code: 'IMPORT_FILE_GONE' });
  });

  it('leaves nothing if it ends early', async () => {
    const before = await pieces().countDocuments();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield randomBytes(3 * MIB);
      throw new Error('gone');
    }
    await expect(receive(broken())).rejects.toThrow('gone');
    expect(await pieces().countDocuments()).toBe(before);
  });

  it.each([0, 7, 12])('leaves nothing if piece %i of 13 cannot be stored', async (broken) => {
    const before = await pieces().countDocuments();
    const failing = createStaging({
      envelope,
      newId: randomUUID,
      store: {
        ...store,
        async add(tenant, id, index, bytes) {
          if (index === broken) throw new Error('disk full');
          await store.add(tenant, id, index, bytes);
        },
      },
    });
    const received = failing.receive(tenantId, cut(randomBytes(3 * MIB + 7)), { alwaysStage: false });
    await expect(received).rejects.toThrow('disk full');
    expect(await pieces().countDocuments()).toBe(before);
  });

  it('cannot be read if its pieces are reordered, shortened or of another tenant', async () => {
    const { staged } = await stage(2 * MIB + 1);
    await expect(contents({ ...staged, pieces: 8 })).rejects.toThrow();
    await expect(contents(staged, toTenantId(randomUUID()))).rejects.toThrow();
    const [first, second] = await pieces()
      .find({ _id: { $regex: `^${staged.id}` } })
      .sort({ _id: 1 })
      .toArray();
    if (first === undefined || second === undefined) throw new Error('there are nine');
    await pieces().updateOne({ _id: first._id }, { $set: { bytes: second.bytes } });
    await expect(contents(staged)).rejects.toThrow();
  });

  it('expires by itself', async () => {
    const indexes = await pieces().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
    const { staged } = await stage(MIB + 1);
    const piece = await pieces().findOne({ _id: `${staged.id}.000000` });
    expect(Number(piece?.expires_at) - Date.now()).toBeGreaterThan(6 * 24 * 60 * 60_000);
  });
});

describe('the spool of a file', () => {
  const SECRET = 'a rather private answer';
  const batch = (rows: number) => ({
    bytes: new TextEncoder().encode(JSON.stringify([{ index: rows, answers: SECRET }])),
    judged: { ...NOTHING_JUDGED, rows },
  });
  const end = {
    read: { questions: 2, survey: undefined, settingsAt: undefined },
    warnings: [{ path: '', code: 'X', detail: 'x' }],
    moreWarnings: 3,
  };

  async function fill(file: StagedFile) {
    let spool = EMPTY_SPOOL;
    for (const rows of [200, 400, 450]) spool = await spooling.add(tenantId, file, spool, batch(rows));
    return spooling.complete(tenantId, file, spool, end);
  }
  const spoolOf = (file: StagedFile) => ({ _id: { $regex: `^${file.id}[.]spool[.]` } });

  it('has the batches in their order, from any of them on, then the end', async () => {
    const { staged } = await stage(MIB + 1);
    const spool = await fill(staged);
    expect(spool).toMatchObject({ rows: 450, batches: 3, isComplete: true });
    const read = (from: number) => Array.fromAsync(spooling.readBatches(tenantId, staged, spool, from));
    expect((await read(0)).map(Buffer.from)).toEqual([200, 400, 450].map((rows) => Buffer.from(batch(rows).bytes)));
    expect((await read(2)).map(Buffer.from)).toEqual([Buffer.from(batch(450).bytes)]);
    expect(await spooling.readEnd(tenantId, staged, spool)).toMatchObject({ ...end, read: { questions: 2 } });
  });

  it('is encrypted, expires, and is discarded with its file', async () => {
    const { staged } = await stage(MIB + 1);
    await fill(staged);
    const stored = await pieces().find(spoolOf(staged)).toArray();
    expect(stored).toHaveLength(4);
    for (const piece of stored) {
      expect(Buffer.from(BSON.serialize(piece)).includes(SECRET)).toBe(false);
      expect(piece).toMatchObject({ tenant_id: tenantId, expires_at: expect.any(Date) });
    }
    const { staged: other } = await stage(MIB + 1);
    const spool = await fill(other);
    await staging.discard(tenantId, staged.id);
    expect(await pieces().countDocuments({ _id: { $regex: `^${staged.id}` } })).toBe(0);
    expect(await spooling.readEnd(tenantId, other, spool)).toMatchObject({ moreWarnings: 3 });
  });

  it('continues after a stored state, and a second process cannot add the same batch', async () => {
    const { staged } = await stage(MIB + 1);
    const first = await spooling.add(tenantId, staged, EMPTY_SPOOL, batch(200));
    await spooling.add(tenantId, staged, first, batch(400));
    await expect(spooling.add(tenantId, staged, first, batch(300))).rejects.toThrow('E11000');
    await spooling.discardAfter(tenantId, staged, first);
    const second = await spooling.add(tenantId, staged, first, batch(300));
    expect(second).toMatchObject({ rows: 300, batches: 2, isComplete: false });
    expect(await pieces().countDocuments(spoolOf(staged))).toBe(2);
    expect((await contents(staged)).length).toBe(MIB + 1);
  });

  it('cannot be read if its batches are reordered, shortened or of another tenant', async () => {
    const { staged } = await stage(MIB + 1);
    const spool = await fill(staged);
    const shortened = { ...spool, batches: 2 };
    await expect(spooling.readEnd(tenantId, staged, shortened)).rejects.toThrow();
    await expect(spooling.readEnd(toTenantId(randomUUID()), staged, spool)).rejects.toThrow();
    const [first, second] = await pieces().find(spoolOf(staged)).sort({ _id: 1 }).toArray();
    await pieces().updateOne({ _id: first?._id ?? '' }, { $set: { bytes: second?.bytes as EncryptedRecord } });
    await expect(Array.fromAsync(spooling.readBatches(tenantId, staged, spool, 0))).rejects.toThrow();
    await staging.discard(tenantId, staged.id);
    await expect(spooling.readEnd(tenantId, staged, spool)).rejects.toMatchObject({ code: 'IMPORT_FILE_GONE' });
  });
});
