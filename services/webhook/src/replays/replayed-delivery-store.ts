import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DeliveryDocument } from '../deliveries/delivery-store.ts';
import { anew, IS_OVER } from '../deliveries/redelivery-store.ts';
import { TEST_EVENT } from '../events/webhook-event-types.ts';
import type { ReplayFilter } from './replay.ts';
import type { ReplayedDeliveries } from './replay-runner.ts';
import type { CountedDeliveries } from './replay-service.ts';

/** Along another index a delivery would move while it is sent, and could be missed. */
const BY_ID = { hint: { _id: 1 } } as const;

/** Deliveries as replays find them and make them due. */
export function createReplayedDeliveryStore(
  collection: Collection<DeliveryDocument>,
): ReplayedDeliveries & CountedDeliveries {
  return {
    countOver: (tenantId, filter) => tenantCollection(collection, tenantId).countDocuments(toCondition(filter)),

    async findOver(tenantId, filter, { after, limit }) {
      const condition = toCondition(filter);
      const query = after === undefined ? condition : { $and: [condition, behind(after)] };
      const found = tenantCollection(collection, tenantId).find<Pick<DeliveryDocument, '_id' | 'created_at'>>(query, {
        sort: { created_at: 1, _id: 1 },
        limit,
        projection: { _id: 1, created_at: 1 },
      });
      return (await found.toArray()).map(({ _id, created_at }) => ({ id: _id, createdAt: created_at }));
    },

    async replay({ tenantId, id, filter, batch }, now) {
      // What it has begun already it does not begin again, whatever became of it.
      const isNew = { _id: { $in: [...batch] }, replay_id: { $ne: id } };
      const query = { ...toCondition(filter), ...isNew };
      await tenantCollection(collection, tenantId).updateMany(query, anew('replay', now, { replay_id: id }), BY_ID);
    },

    async countReplayed({ tenantId, id, batch }) {
      const query = { _id: { $in: [...batch] }, replay_id: id };
      return tenantCollection(collection, tenantId).countDocuments(query, BY_ID);
    },

    async countDue({ tenantId, filter }, now, limit) {
      const stages: TenantFilter<DeliveryDocument> = { lane: { $in: ['retry', 'answers'] } };
      const isDue = { ...stages, webhook_id: filter.webhookId, due_at: { $lte: now } };
      return tenantCollection(collection, tenantId).countDocuments(isDue, { limit });
    },
  };
}

/** Deliveries that are over; tests are nothing that a webhook has missed. */
function toCondition({ webhookId, since, until, statuses, eventTypes }: ReplayFilter) {
  return {
    webhook_id: webhookId,
    status: { $in: [...statuses] },
    created_at: { ...(since && { $gte: since }), $lt: until },
    event_type: eventTypes.length === 0 ? { $ne: TEST_EVENT } : { $in: [...eventTypes] },
    ...IS_OVER,
  };
}

/** The bound on the time alone lets the index start at the right place. */
function behind({ createdAt, id }: { readonly createdAt: Date; readonly id: string }): TenantFilter<DeliveryDocument> {
  return { created_at: { $gte: createdAt }, $or: [{ created_at: { $gt: createdAt } }, { _id: { $gt: id } }] };
}
