import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { countInTime, readSlices, type TimeLimit, WALK_LIMITS, type WalkLimits } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import { transitions } from '../deliveries/delivery.ts';
import {
  type DeliveryDocument,
  dueFilter,
  endedFilter,
  fromRecordDocument,
  toUpdate,
  unchangedFilter,
} from '../deliveries/delivery-document.ts';
import { TEST_EVENT } from '../events/webhook-event-types.ts';
import type { ReplayFilter } from './replay.ts';
import type { ReplayedDeliveries } from './replay-runner.ts';

/**
 * Uses the index of `_id`. Sending a delivery moves it in other indexes, so a query that scans one of them could miss
 * it.
 */
const BY_ID = { hint: { _id: 1 } } as const;

type WithoutBody = Omit<DeliveryDocument, 'body'>;

/** A step is much shorter than the lease of a replay, and than a request waits for its start. */
const LIMITS: WalkLimits = { ...WALK_LIMITS, timeMs: 5_000 };

export function createReplayedDeliveryStore(
  collection: Collection<DeliveryDocument>,
  limits = LIMITS,
): ReplayedDeliveries {
  function toWalk(tenantId: TenantId, filter: ReplayFilter) {
    const { webhookId, since, until } = filter;
    const within = { webhook_id: webhookId, created_at: { ...(since && { $gte: since }), $lt: until } };
    return {
      collection: tenantCollection(collection, tenantId),
      by: 'created_at',
      within,
      filter: toCondition(filter),
    };
  }

  return {
    countFinished: (tenantId, filter, after) => countInTime(toWalk(tenantId, filter), after, limits),

    async findFinished(tenantId, filter, { after, limit }) {
      const walk = toWalk(tenantId, filter);
      const deadline = performance.now() + limits.timeMs;
      const read = (condition: TenantFilter<DeliveryDocument>, timeLimit: TimeLimit) =>
        walk.collection
          .find<Pick<DeliveryDocument, '_id' | 'created_at'>>(condition, {
            sort: { created_at: 1, _id: 1 },
            limit,
            projection: { _id: 1, created_at: 1 },
            ...timeLimit,
          })
          .toArray();
      for await (const { result, end } of readSlices(walk, after, read, limits)) {
        const last = result.at(-1);
        const position = last === undefined ? end : { time: last.created_at, id: last._id };
        const isOver = last !== undefined || end === undefined || performance.now() >= deadline;
        if (isOver) return { ids: result.map(({ _id }) => _id), end: position };
      }
      return { ids: [], end: undefined };
    },

    async replay({ tenantId, id, filter, batch }, now) {
      const deliveries = tenantCollection(collection, tenantId);
      // A repeated call skips deliveries that this replay has already made due.
      const isNew = { replay_id: { $ne: id } };
      const query = { ...toCondition(filter), ...isNew, _id: { $in: [...batch] } };
      const found = await deliveries.find<WithoutBody>(query, { projection: { body: 0 }, ...BY_ID }).toArray();
      const changes = found.map(fromRecordDocument).map((delivery) => ({
        id: delivery.id,
        unchanged: unchangedFilter(delivery),
        update: toUpdate(transitions.sendAgain(delivery, 'replay', now)),
      }));
      // Most deliveries have the same history, and so the same update.
      const groups = Map.groupBy(changes, ({ unchanged, update }) => JSON.stringify([unchanged, update]));
      for (const [first, ...others] of groups.values()) {
        if (first === undefined) continue;
        const { $set, $unset } = first.update;
        const ids = [first, ...others].map((change) => change.id);
        const condition = { ...endedFilter, ...isNew, ...first.unchanged, _id: { $in: ids } };
        await deliveries.updateMany(condition, { $set: { ...$set, replay_id: id }, $unset }, BY_ID);
      }
    },

    async countReplayed({ tenantId, id, batch }) {
      const query = { _id: { $in: [...batch] }, replay_id: id };
      return tenantCollection(collection, tenantId).countDocuments(query, BY_ID);
    },

    async countDue({ tenantId, filter }, now, limit) {
      const ofRetries: TenantFilter<DeliveryDocument> = { lane: { $in: ['retry', 'answers'] } };
      const condition = { ...ofRetries, webhook_id: filter.webhookId, ...dueFilter(now) };
      return tenantCollection(collection, tenantId).countDocuments(condition, { limit });
    },
  };
}

/** Deliveries that are over; tests only if `eventTypes` has their type. */
function toCondition({ webhookId, since, until, statuses, eventTypes }: ReplayFilter) {
  return {
    webhook_id: webhookId,
    status: { $in: [...statuses] },
    created_at: { ...(since && { $gte: since }), $lt: until },
    event_type: eventTypes.length === 0 ? { $ne: TEST_EVENT } : { $in: [...eventTypes] },
    ...endedFilter,
  };
}
