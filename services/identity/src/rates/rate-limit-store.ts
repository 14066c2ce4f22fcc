import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, Document } from 'mongodb';
import type { RateLease, RateLimit, RateLimitUse } from './rate-limit-service.ts';

/** The leased tokens of one limit of a tenant. All times are of the database's clock. */
export interface RateLimitDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** Leased tokens of the last minute by second, oldest first. */
  readonly leased: readonly { readonly at: Date; readonly tokens: number }[];
  /** The limit of the last call. Absent in records of earlier releases, which live for minutes. */
  readonly limit?: number;
  /** Tokens granted by the last call. */
  readonly granted: number;
  readonly updated_at: Date;
}

export const rateLimitIndexes: IndexSpecs[string] = [
  // For deleting the counters of a tenant.
  { name: 'tenant', key: { tenant_id: 1 } },
  // Deletes records five minutes after their last use. No token is leased that long.
  { name: 'forgotten', key: { updated_at: 1 }, expireAfterSeconds: 300 },
];

const MINUTE_MS = 60_000;
/** Tokens are counted by second. The tokens of a second become free a minute after its end. */
const LEASE_MS = MINUTE_MS + 1_000;

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

/** Counts leased tokens. A token is one request that a gateway may admit within the next minute. */
export function createRateLimitStore(collection: Collection<RateLimitDocument>) {
  async function leaseOnce(tenantId: TenantId, limit: RateLimit, requested: number): Promise<RateLease> {
    const { routeClass, requestsPerMinute } = limit;
    const document = await tenantCollection(collection, tenantId).findOneAndUpdate(
      { _id: idOf(tenantId, routeClass) },
      leaseStages(requestsPerMinute, requested),
      { upsert: true },
    );
    // Never null: it is the document after the upsert.
    return toLease(document as RateLimitDocument, requestsPerMinute);
  }

  return {
    /** Leases the requested number of tokens, or fewer if not enough are left. */
    async lease(tenantId: TenantId, limit: RateLimit, requested: number): Promise<RateLease> {
      try {
        return await leaseOnce(tenantId, limit, requested);
      } catch (error) {
        // Another call inserted the document at the same time.
        if (isDuplicateKey(error)) return leaseOnce(tenantId, limit, requested);
        throw error;
      }
    },

    /** Returns the use of each route class, in the given order. */
    async findUsage(tenantId: TenantId, routeClasses: readonly string[]): Promise<readonly RateLimitUse[]> {
      const used = { $sum: { $map: { input: stillLeased('$leased'), in: '$$this.tokens' } } };
      const documents = await tenantCollection(collection, tenantId)
        .aggregate<{ _id: string; limit?: number; used: number }>([
          { $match: { _id: { $in: routeClasses.map((routeClass) => idOf(tenantId, routeClass)) } } },
          { $project: { limit: 1, used } },
        ])
        .toArray();
      const found = new Map(documents.map((document) => [document._id, document]));
      return routeClasses.map((routeClass) => {
        const { limit, used: tokens = 0 } = found.get(idOf(tenantId, routeClass)) ?? {};
        return { routeClass, requestsPerMinute: limit, used: tokens };
      });
    },
  };
}

function idOf(tenantId: TenantId, routeClass: string): string {
  return `${tenantId}/${routeClass}`;
}

/** Keeps the entries of an array whose tokens are still leased: the entries of the last `LEASE_MS`. */
function stillLeased(input: string | Document): Document {
  return { $filter: { input, cond: { $gt: ['$$this.at', { $subtract: ['$$NOW', LEASE_MS] }] } } };
}

/** A single atomic update, so concurrent calls cannot get the same token. */
function leaseStages(requestsPerMinute: number, requested: number): readonly Document[] {
  const second = { $dateTrunc: { date: '$$NOW', unit: 'second' } };
  const left = { $subtract: [requestsPerMinute, { $sum: '$leased.tokens' }] };
  const earlierSeconds = { $filter: { input: '$leased', cond: { $ne: ['$$this.at', second] } } };
  const thisSecond = { $filter: { input: '$leased', cond: { $eq: ['$$this.at', second] } } };
  const tokensOfThisSecond = { $sum: { $map: { input: thisSecond, in: '$$this.tokens' } } };
  return [
    { $set: { updated_at: '$$NOW', limit: requestsPerMinute, leased: stillLeased({ $ifNull: ['$leased', []] }) } },
    // `left` is negative if the limit was lowered.
    { $set: { granted: { $max: [0, { $min: [requested, left] }] } } },
    {
      $set: {
        leased: {
          $concatArrays: [earlierSeconds, [{ at: second, tokens: { $add: [tokensOfThisSecond, '$granted'] } }]],
        },
      },
    },
  ];
}

function toLease({ leased, granted, updated_at: now }: RateLimitDocument, requestsPerMinute: number): RateLease {
  const leasedNow = leased.reduce((sum, { tokens }) => sum + tokens, 0);
  // Ignore seconds without leased tokens.
  const oldest = leased.find(({ tokens }) => tokens > 0)?.at ?? now;
  // At most a minute, even if the lease ends up to a second later: the gateway then asks once more.
  const moreAfterMs = Math.min(MINUTE_MS, oldest.getTime() + LEASE_MS - now.getTime());
  return { granted, remaining: Math.max(0, requestsPerMinute - leasedNow), moreAfterMs };
}
