import { Binary, type Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { EncryptedRecord } from '../crypto/tenant-cipher.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { insertOnce } from '../mongo/insert-once.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';

/** The first call with an idempotency key. Later calls with the key are compared with it, and get its reply. */
export interface IdempotencyDocument {
  /** Keyed hash of operation, path and key. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** Keyed hash of the user, the permissions and the request. */
  readonly request_hash: Binary;
  /** The id for the record that the call creates. A repeat after a crash uses it again, so there is only one record. */
  readonly record_id: string;
  /** The encrypted reply; null until the first call has one. The field has an old name, which stored documents use. */
  readonly answer: EncryptedRecord | null;
  /** `ETag` of the reply; null if it has none. */
  readonly etag: string | null;
  /** Time of the first call, by the clock of the database. Absent in documents of earlier releases. */
  readonly begun_at?: Date;
  readonly expires_at: Date;
}

export const idempotencyIndexes: IndexSpecs[string] = [
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  { name: 'tenant', key: { tenant_id: 1 } },
];

export interface StoredReply {
  readonly sealed: EncryptedRecord;
  readonly etag: string | undefined;
}

interface KeyedCall {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly requestHash: Uint8Array;
  readonly recordId: string;
  readonly reply: StoredReply | undefined;
  /** Time of the first call, by the clock of the database. Undefined if an earlier release stored the call. */
  readonly begunAt: Date | undefined;
  readonly expiresAt: Date;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(collection: Collection<IdempotencyDocument>) {
  return {
    /**
     * Stores the call if it is the first one with its key. Returns the first call. The result is durable: after a
     * rollback, a repeat would create a second record.
     */
    async begin(call: Omit<KeyedCall, 'begunAt'>): Promise<KeyedCall> {
      const calls = tenantCollection(collection, call.tenantId);
      const fields = {
        request_hash: new Binary(call.requestHash),
        record_id: call.recordId,
        answer: null,
        etag: null,
        expires_at: call.expiresAt,
      };
      // An upsert that matches no document inserts one, like `insertOne`, but only an update can set the current time.
      const matchesNone = { _id: call.id, request_hash: { $exists: false } };
      const update = { $setOnInsert: fields, $currentDate: { begun_at: true } } as const;
      const insert = async () => {
        const inserted = await calls.findOneAndUpdate(matchesNone, update, { upsert: true });
        if (inserted === null) throw new Error('The upsert returned no document');
        return inserted;
      };
      return fromDocument(await insertOnce(calls, { _id: call.id, ...fields }, insert));
    },

    /** Stores and returns the reply, or returns the one that a concurrent call with the key stored first. */
    async storeReply({ id, tenantId }: KeyedCall, reply: StoredReply): Promise<StoredReply> {
      const calls = tenantCollection(collection, tenantId);
      const fields = { answer: reply.sealed, etag: reply.etag ?? null };
      const { matchedCount } = await calls.updateOne({ _id: id, answer: null }, { $set: fields });
      if (matchedCount === 1) return reply;
      const found = await calls.findOne({ _id: id });
      return (found === null ? undefined : fromDocument(found).reply) ?? reply;
    },
  };
}

function fromDocument(document: IdempotencyDocument): KeyedCall {
  const { _id, tenant_id, request_hash, record_id, answer, etag, begun_at, expires_at } = document;
  return {
    id: _id,
    tenantId: tenant_id,
    requestHash: request_hash.value(),
    recordId: record_id,
    reply: answer === null ? undefined : { sealed: answer, etag: etag ?? undefined },
    begunAt: begun_at,
    expiresAt: expires_at,
  };
}
