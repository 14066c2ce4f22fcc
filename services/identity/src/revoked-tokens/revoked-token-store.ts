import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { slotIndex, withSlot } from '@survey/runtime/mongo/slots';
import { type TenantCollection, type TenantUpdate, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, UpdateResult } from 'mongodb';
import { type RevokedToken, recordIdOf } from './revoked-token-service.ts';

export interface RevokedTokenDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly user_id: string;
  readonly token_id: string;
  readonly expires_at: Date;
  /** Set at least until the token expires. A unique index on it enforces the limit of unexpired tokens per user. */
  readonly slot?: number;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

/** Retention after the expiry, so the event can be published even after a long Kafka outage. */
const KEPT_SECONDS = 7 * 24 * 3600;

export const revokedTokenIndexes: IndexSpecs[string] = [
  { name: 'user', key: { tenant_id: 1, user_id: 1, expires_at: 1 } },
  slotIndex('user_id'),
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

interface Dependencies {
  readonly collection: Collection<RevokedTokenDocument>;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type RevokedTokenStore = ReturnType<typeof createRevokedTokenStore>;

/** Stores revoked tokens at least until they expire. Each write includes its event. */
export function createRevokedTokenStore({ collection, onEvent }: Dependencies) {
  return {
    /**
     * Stores a revoked token. A repeated revocation keeps the later expiry, and adds no event. Returns false if `max`
     * unexpired tokens of the user are already revoked.
     */
    async save(
      token: RevokedToken,
      event: OutboxEvent,
      { max, now }: { readonly max: number; readonly now: Date },
    ): Promise<boolean> {
      const { tenantId, userId, tokenId, expiresAt } = token;
      const tokens = tenantCollection(collection, tenantId);
      const group = { user_id: userId };
      await tokens.updateMany(
        { ...group, expires_at: { $lte: now }, slot: { $exists: true } },
        { $unset: { slot: true } },
      );
      const id = recordIdOf(token);
      // Calls the function with a free slot, and again if a concurrent call has taken that slot.
      const stored = await withSlot({ collection: tokens, group, max, id }, (slot) => {
        const fields = {
          user_id: { $literal: userId },
          token_id: { $literal: tokenId },
          // Existing records keep these fields.
          outbox: { $ifNull: ['$outbox', { $literal: [event] }] },
          slot: { $ifNull: ['$slot', slot] },
          expires_at: { $max: ['$expires_at', expiresAt] },
        };
        return upsert(tokens, id, [{ $set: fields }]);
      });
      // All slots of the user are in use.
      if (stored === undefined) return false;
      onEvent();
      return true;
    },

    /** Returns the ids of a user's revoked tokens that expire after a time. */
    async listIds(tenantId: TenantId, userId: string, after: Date): Promise<readonly string[]> {
      const filter = { user_id: userId, expires_at: { $gt: after } };
      const documents = await tenantCollection(collection, tenantId).find(filter).toArray();
      return documents.map(({ token_id: tokenId }) => tokenId);
    },
  };
}

/** MongoDB can reject one of two concurrent inserts of the same document. The retry finds the document. */
async function upsert(
  tokens: TenantCollection<RevokedTokenDocument>,
  id: string,
  update: TenantUpdate<RevokedTokenDocument>,
): Promise<UpdateResult> {
  try {
    return await tokens.updateOne({ _id: id }, update, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error, '_id')) throw error;
    return tokens.updateOne({ _id: id }, update, { upsert: true });
  }
}
