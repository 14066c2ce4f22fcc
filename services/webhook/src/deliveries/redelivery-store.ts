import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { revisionOf, type Trigger } from './delivery.ts';
import { type DeliveryDocument, fromDocument } from './delivery-store.ts';
import type { RedeliveryStore } from './redelivery.ts';

export const IS_OVER = { due_at: { $exists: false } };
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

/** Deliveries that are sent once more. */
export function createRedeliveryStore(collection: Collection<DeliveryDocument>): RedeliveryStore {
  return {
    async sendAgain(delivery, now) {
      const isFree = { $or: [IS_OVER, { claim: { $exists: false } }, { due_at: { $lte: now } }] };
      const asSeen = { _id: delivery.id, $expr: { $eq: [REVISION, revisionOf(delivery)] } };
      const deliveries = tenantCollection(collection, delivery.tenantId);
      const document = await deliveries.findOneAndUpdate({ ...asSeen, ...isFree }, anew('redeliver', now, {}));
      return document === null ? undefined : fromDocument(document);
    },
  };
}

/** An attempt that was asked for is not one of the schedule, which goes on from where it was. */
export function anew(trigger: Trigger, now: Date, more: { readonly replay_id?: string }) {
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
