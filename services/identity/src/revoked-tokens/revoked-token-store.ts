import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { recordIdOf } from './revoked-token.ts';
import type { RevokedTokenStore } from './revoked-token-service.ts';

export interface RevokedTokenDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly user_id: string;
  readonly token_id: string;
  readonly expires_at: Date;
  readonly outbox: readonly OutboxEvent[];
}

/** How long a record stays after its token has ended: until its event is out, be it that Kafka is away. */
const KEPT_SECONDS = 7 * 24 * 3600;

export const revokedTokenIndexes: IndexSpecs[string] = [
  { name: 'user', key: { tenant_id: 1, user_id: 1, expires_at: 1 } },
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

interface Dependencies {
  readonly collection: Collection<RevokedTokenDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createRevokedTokenStore({ collection, onEvent }: Dependencies): RevokedTokenStore {
  return {
    async keep(token, event) {
      const { tenantId, userId, tokenId, expiresAt } = token;
      await tenantCollection(collection, tenantId).updateOne(
        { _id: recordIdOf(token) },
        { $setOnInsert: { user_id: userId, token_id: tokenId, outbox: [event] }, $max: { expires_at: expiresAt } },
        { upsert: true },
      );
      onEvent();
    },

    async listIds(tenantId, userId, after) {
      const filter = { user_id: userId, expires_at: { $gt: after } };
      const documents = await tenantCollection(collection, tenantId).find(filter).toArray();
      return documents.map(({ token_id: tokenId }) => tokenId);
    },
  };
}
