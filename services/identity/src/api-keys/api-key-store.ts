import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Permission } from '../users/roles.ts';
import type { ApiKey } from './api-key.ts';

export interface ApiKeyDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly prefix: string;
  readonly secret_hash: string;
  readonly permissions: readonly Permission[];
  readonly created_by: string;
  /** The membership of the creator. Keys stay invalid if their creator is removed and added again. */
  readonly membership_id: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

export const apiKeyIndexes: IndexSpecs[string] = [
  // Sparse, because the tombstone of a deleted key has no secret.
  { name: 'secret', key: { secret_hash: 1 }, unique: true, sparse: true },
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
];

interface Dependencies {
  readonly collection: Collection<ApiKeyDocument>;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

/** Stores API keys. Keys are created and deleted with an event in the same write. `recordUse` has no event. */
export function createApiKeyStore({ collection, onEvent }: Dependencies) {
  return {
    /** Returns the key, or the existing one with this id. */
    async insert(key: ApiKey, event: OutboxEvent): Promise<ApiKey> {
      const document = { ...toDocument(key), outbox: [event] };
      const stored = await insertOnce(tenantCollection(collection, key.tenantId), document);
      onEvent();
      return fromDocument(stored);
    },

    async find(tenantId: TenantId, id: string): Promise<ApiKey | undefined> {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId: TenantId, query: PageQuery): Promise<Page<ApiKey>> {
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    /** Returns false if the key is already deleted. */
    async remove({ tenantId, id }: ApiKey, event: OutboxEvent): Promise<boolean> {
      const isRemoved = await replaceWithTombstone(collection, tenantId, { _id: id }, [event]);
      onEvent();
      return isRemoved;
    },

    /** Finds a key of any tenant. */
    async findBySecret(secretHash: string): Promise<ApiKey | undefined> {
      // A request waits for this read, so its timeout is short.
      const document = await systemScope(collection).findOne({ secret_hash: secretHash }, { maxTimeMS: 2_000 });
      return document === null ? undefined : fromDocument(document);
    },

    /** Sets the time of the last use, unless another request has set it since the key was read. */
    async recordUse({ tenantId, id, lastUsedAt }: ApiKey, time: Date): Promise<void> {
      const ifUnchanged = { _id: id, last_used_at: lastUsedAt ?? null };
      await tenantCollection(collection, tenantId).updateOne(ifUnchanged, { $set: { last_used_at: time } });
    },
  };
}

function toDocument(key: ApiKey): Omit<ApiKeyDocument, 'tenant_id' | 'outbox'> {
  return {
    _id: key.id,
    name: key.name,
    prefix: key.prefix,
    secret_hash: key.secretHash,
    permissions: key.permissions,
    created_by: key.createdBy,
    membership_id: key.membershipId,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
  };
}

function fromDocument(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    name: document.name,
    prefix: document.prefix,
    secretHash: document.secret_hash,
    permissions: document.permissions,
    createdBy: document.created_by,
    membershipId: document.membership_id,
    createdAt: document.created_at,
    expiresAt: document.expires_at ?? undefined,
    lastUsedAt: document.last_used_at ?? undefined,
  };
}
