import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Step } from '../deliveries/delivery.ts';
import { type DeliveryDocument, fromAttemptDocument, toFilter } from '../deliveries/delivery-document.ts';
import { RETRYING } from '../deliveries/delivery-store.ts';
import { countNames, type DeliveryCounts, type SampledDelivery } from './health-service.ts';

export interface HealthStore {
  /** Returns the latest deliveries since a time, newest first. */
  sample(tenantId: TenantId, webhookId: string, since: Date, limit: number): Promise<readonly SampledDelivery[]>;
  countDeliveries(tenantId: TenantId, webhookId: string): Promise<DeliveryCounts>;
}

const MAX_COUNTED = 10_000;

type Sampled = Pick<DeliveryDocument, 'created_at' | 'attempts'>;

export function createHealthStore(collection: Collection<DeliveryDocument>, maxCounted = MAX_COUNTED): HealthStore {
  return {
    async sample(tenantId, webhookId, since, limit) {
      const found = tenantCollection(collection, tenantId).find<Sampled>(
        { webhook_id: webhookId, created_at: { $gte: since } },
        { sort: { created_at: -1, _id: -1 }, limit, projection: { created_at: 1, attempts: 1 } },
      );
      const documents = await found.toArray();
      return documents.map(({ created_at: createdAt, attempts }) => ({
        createdAt,
        attempts: attempts.map(fromAttemptDocument),
      }));
    },

    async countDeliveries(tenantId, webhookId) {
      const deliveries = tenantCollection(collection, tenantId);
      const countOptions = { limit: maxCounted + 1 };
      // The condition on `due_at` matches any date. It lets MongoDB use the partial index.
      const waiting = (step: Step) => ({
        ...toFilter({ step }),
        webhook_id: webhookId,
        due_at: { $gte: new Date(0) },
      });
      const count = (condition: TenantFilter<DeliveryDocument>) =>
        deliveries.countDocuments({ webhook_id: webhookId, ...condition }, countOptions);
      const findNext = async (step: Step) => {
        // The index is sorted by `due_at`. Tenants see `next_attempt_at`, which a claim does not change.
        const options = { sort: { due_at: 1 }, projection: { next_attempt_at: 1 } } as const;
        return (await deliveries.findOne<Pick<DeliveryDocument, 'next_attempt_at'>>(waiting(step), options))
          ?.next_attempt_at;
      };
      const findOldest = async (condition: TenantFilter<DeliveryDocument>) => {
        const options = { sort: { created_at: 1, _id: 1 }, projection: { created_at: 1 } } as const;
        const query = { webhook_id: webhookId, ...condition };
        return (await deliveries.findOne<Pick<DeliveryDocument, 'created_at'>>(query, options))?.created_at;
      };
      // Count by status, not by step: a delivery that waited long for answers has the step `retry`, though it is new.
      const [pending, retrying, failed, oldestPending, oldestRetrying, ...next] = await Promise.all([
        count({ status: 'pending' }),
        count(RETRYING),
        count({ failure_reason: { $exists: true } }),
        findOldest({ status: 'pending' }),
        findOldest(RETRYING),
        findNext('fresh'),
        findNext('answers'),
        findNext('retry'),
      ]);
      const counts = { pending, retrying, failed };
      return {
        pending: Math.min(pending, maxCounted),
        retrying: Math.min(retrying, maxCounted),
        failed: Math.min(failed, maxCounted),
        capped: countNames.filter((name) => counts[name] > maxCounted),
        waitingSince: earliest([oldestPending, oldestRetrying]),
        nextAttemptAt: earliest(next),
      };
    },
  };
}

function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).toSorted((one, other) => one.getTime() - other.getTime())[0];
}
