import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { TEST_EVENT } from '../events/webhook-event-types.ts';
import type { ReplayFilter } from '../replays/replay.ts';
import type { ReplayedDeliveries } from '../replays/replay-runner.ts';
import type { CountedDeliveries } from '../replays/replay-service.ts';
import { revisionOf, type Trigger } from './delivery.ts';
import { type DeliveryDocument, fromDocument } from './delivery-store.ts';
import type { RedeliveryStore } from './redelivery.ts';

const IS_OVER = { due_at: { $exists: false } };
const LAST_ATTEMPT = { $ifNull: [{ $last: '$attempts.number' }, 0] };
const REDELIVERIES = { $ifNull: ['$redeliveries', 0] };
/** What `revisionOf` counts. */
const REVISION = {
  $add: [
    1,
    LAST_ATTEMPT,
    { $multiply: [2, REDELIVERIES] },
    { $cond: [{ $eq: [{ $type: '$next_attempt_at' }, 'missing'] }, 1, 0] },
    { $cond: [{ $eq: ['$awaits_answers', true] }, 0, 1] },
  ],
};
/** Along another index a delivery would move while it is sent, and could be missed. */
const BY_ID = { hint: { _id: 1 } } as const;

/** Deliveries that are sent once more. */
export function createRedeliveryStore(
  collection: Collection<DeliveryDocument>,
): RedeliveryStore & ReplayedDeliveries & CountedDeliveries {
  return {
    async sendAgain(delivery, now) {
      const isFree = { $or: [IS_OVER, { claim: { $exists: false } }, { due_at: { $lte: now } }] };
      const asSeen = { _id: delivery.id, $expr: { $eq: [REVISION, revisionOf(delivery)] } };
      const deliveries = tenantCollection(collection, delivery.tenantId);
      const document = await deliveries.findOneAndUpdate({ ...asSeen, ...isFree }, anew('redeliver', now, {}));
      return document === null ? undefined : fromDocument(document);
    },

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

/** An attempt that was asked for is not one of the schedule, which goes on from where it was. */
function anew(trigger: Trigger, now: Date, more: { readonly replay_id?: string }) {
  const isOver = { $eq: [{ $type: '$due_at' }, 'missing'] };
  const oneMore = { $add: [{ $ifNull: ['$tried_before', 0] }, 1] };
  const fields = {
    status: { $cond: [isOver, 'pending', '$status'] },
    // Never before what is new.
    lane: { $cond: [{ $eq: ['$awaits_answers', true] }, 'answers', 'retry'] },
    trigger,
    redeliveries: { $add: [REDELIVERIES, 1] },
    tried_before: { $cond: [isOver, LAST_ATTEMPT, { $min: [LAST_ATTEMPT, oneMore] }] },
    next_attempt_at: now,
    due_at: now,
    ...more,
  };
  return [{ $set: fields }, { $unset: ['failure_reason', 'claim'] }];
}
