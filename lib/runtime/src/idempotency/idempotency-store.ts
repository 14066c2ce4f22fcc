import { Binary, type Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { EncryptedRecord } from '../crypto/tenant-cipher.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { insertOnce } from '../mongo/insert-once.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';

/** An `Idempotency-Key` that was used. */
export interface IdempotencyDocument {
  /** Keyed hash of operation, path and key. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** Keyed hash of the user, what they may do, and the request. */
  readonly request_hash: Binary;
  /** Id of the record that the key makes. */
  readonly record_id: string;
  /** The message that was answered with; null until there is one. */
  readonly answer: EncryptedRecord | null;
  /** `ETag` of the answer, where it has one. */
  readonly etag: string | null;
  readonly expires_at: Date;
}

/** Indexes of the collection of keys. */
export const idempotencyIndexes: IndexSpecs[string] = [
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  { name: 'tenant', key: { tenant_id: 1 } },
];

/** What a call was answered with. */
export interface KeptAnswer {
  readonly message: EncryptedRecord;
  readonly etag: string | undefined;
}

/** The use of a key, as it is kept. */
interface KeyUse {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly requestHash: Uint8Array;
  readonly recordId: string;
  readonly answer: KeptAnswer | undefined;
  readonly expiresAt: Date;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(collection: Collection<IdempotencyDocument>) {
  return {
    /** The first use of the key: this one, or what another call left. It is durable then. */
    async begin(use: KeyUse): Promise<KeyUse> {
      const stored = await insertOnce(tenantCollection(collection, use.tenantId), {
        _id: use.id,
        request_hash: new Binary(use.requestHash),
        record_id: use.recordId,
        answer: null,
        etag: null,
        expires_at: use.expiresAt,
      });
      return fromDocument(stored);
    },

    /** Keeps an answer, unless another call has given one: that one is it then, for both. */
    async keep({ id, tenantId }: KeyUse, answer: KeptAnswer): Promise<KeptAnswer> {
      const uses = tenantCollection(collection, tenantId);
      const fields = { answer: answer.message, etag: answer.etag ?? null };
      const { matchedCount } = await uses.updateOne({ _id: id, answer: null }, { $set: fields });
      if (matchedCount === 1) return answer;
      const found = await uses.findOne({ _id: id });
      return (found === null ? undefined : fromDocument(found).answer) ?? answer;
    },
  };
}

function fromDocument(document: IdempotencyDocument): KeyUse {
  const { _id, tenant_id, request_hash, record_id, answer, etag, expires_at } = document;
  return {
    id: _id,
    tenantId: tenant_id,
    requestHash: request_hash.value(),
    recordId: record_id,
    answer: answer === null ? undefined : { message: answer, etag: etag ?? undefined },
    expiresAt: expires_at,
  };
}
