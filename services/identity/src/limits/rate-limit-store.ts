import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, Document } from 'mongodb';
import type { RateLimit, TokenLease } from './rate-limit.ts';

/** What a tenant has leased of one limit. All times are those of the database. */
export interface RateLimitDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** In the last minute, by the second, the oldest first. */
  readonly leased: readonly { readonly at: Date; readonly tokens: number }[];
  /** By the last call. */
  readonly granted: number;
  readonly updated_at: Date;
}

export const rateLimitIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1 } },
  // Long after the last of it has come back.
  { name: 'forgotten', key: { updated_at: 1 }, expireAfterSeconds: 300 },
];

export interface RateLimitStore {
  /** Leases as many tokens as are wanted, or as there are. */
  lease(tenantId: TenantId, limit: RateLimit, wanted: number): Promise<TokenLease>;
}

const MINUTE_MS = 60_000;
/** All that was leased within a second comes back together, when the last of it has been away for a minute. */
const AWAY_MS = MINUTE_MS + 1_000;

export function createRateLimitStore(collection: Collection<RateLimitDocument>): RateLimitStore {
  async function lease(tenantId: TenantId, limit: RateLimit, wanted: number): Promise<TokenLease> {
    const { routeClass, requestsPerMinute } = limit;
    const document = await tenantCollection(collection, tenantId).findOneAndUpdate(
      { _id: `${tenantId}/${routeClass}` },
      leaseStages(requestsPerMinute, wanted),
      { upsert: true },
    );
    // It has just been made if it was not there.
    return toLease(document as RateLimitDocument, requestsPerMinute);
  }

  return {
    async lease(tenantId, limit, wanted) {
      try {
        return await lease(tenantId, limit, wanted);
      } catch (error) {
        // Another call made the document at the same time.
        if (isDuplicateKey(error)) return lease(tenantId, limit, wanted);
        throw error;
      }
    },
  };
}

/** One write, which decides by what is stored: calls at the same time cannot get the same token. */
function leaseStages(requestsPerMinute: number, wanted: number): readonly Document[] {
  const second = { $dateTrunc: { date: '$$NOW', unit: 'second' } };
  const isAway = { $gt: ['$$this.at', { $subtract: ['$$NOW', AWAY_MS] }] };
  const stillAway = { $filter: { input: { $ifNull: ['$leased', []] }, cond: isAway } };
  const left = { $subtract: [requestsPerMinute, { $sum: '$leased.tokens' }] };
  const before = { $filter: { input: '$leased', cond: { $ne: ['$$this.at', second] } } };
  const now = { $filter: { input: '$leased', cond: { $eq: ['$$this.at', second] } } };
  const tokensNow = { $sum: { $map: { input: now, in: '$$this.tokens' } } };
  return [
    { $set: { updated_at: '$$NOW', leased: stillAway } },
    // Less than none is left when the limit has been lowered.
    { $set: { granted: { $max: [0, { $min: [wanted, left] }] } } },
    { $set: { leased: { $concatArrays: [before, [{ at: second, tokens: { $add: [tokensNow, '$granted'] } }]] } } },
  ];
}

function toLease({ leased, granted, updated_at: now }: RateLimitDocument, requestsPerMinute: number): TokenLease {
  const away = leased.reduce((sum, { tokens }) => sum + tokens, 0);
  // Seconds in which none was leased tell nothing.
  const oldest = leased.find(({ tokens }) => tokens > 0)?.at ?? now;
  const moreAfterMs = Math.min(MINUTE_MS, oldest.getTime() + AWAY_MS - now.getTime());
  return { granted, remaining: Math.max(0, requestsPerMinute - away), moreAfterMs };
}
