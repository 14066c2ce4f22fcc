import type { TenantId } from '@survey/runtime/auth/tenant-id';
import {
  claimOldest,
  type DueDocument,
  dueFilter,
  dueIndex,
  measureDue,
  releaseUpdate,
} from '@survey/runtime/mongo/claim';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import {
  countInTime,
  type Position,
  readSlices,
  type TimeLimit,
  WALK_LIMITS,
  type WalkLimits,
} from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import { transitions } from '../deliveries/delivery.ts';
import {
  type DeliveryDocument,
  endedFilter,
  fromRecordDocument,
  toUpdate,
  unchangedFilter,
} from '../deliveries/delivery-document.ts';
import { TEST_EVENT } from '../events/event-catalog.ts';
import type { ReplayBacklog } from './module.ts';
import type { ReplayDeliveryStore, ReplayQueue } from './replay-runner.ts';
import type { Replay, ReplayFilter, ReplayStatus, ReplayStore } from './replay-service.ts';

interface PositionDocument {
  readonly created_at: Date;
  readonly id: string;
}

export interface ReplayDocument extends DueDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly webhook_id: string;
  readonly since: Date | null;
  readonly until: Date;
  readonly statuses: ReplayFilter['statuses'];
  readonly event_types: readonly string[];
  readonly status: ReplayStatus;
  readonly total: number;
  readonly replayed: number;
  /** `foundUpTo` of the replay. */
  readonly position: PositionDocument | null;
  /** `countedUpTo` of the replay. Absent once all deliveries are counted. */
  readonly counting?: PositionDocument;
  /** `foundIds` of the replay. */
  readonly batch: readonly string[];
  readonly revision: number;
  readonly created_at: Date;
  readonly finished_at?: Date;
}

export const replayIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1 } },
  { name: 'one_running', key: { webhook_id: 1 }, unique: true, partialFilterExpression: { status: 'running' } },
  dueIndex(),
  { name: 'by_age', key: { created_at: 1 } },
];

export function createReplayStore(collection: Collection<ReplayDocument>): ReplayStore & ReplayQueue & ReplayBacklog {
  const all = systemScope(collection);
  return {
    async insert(replay) {
      const { tenant_id: tenantId, ...document } = toDocument(replay);
      try {
        return fromDocument(await insertOnce(tenantCollection(collection, tenantId), document));
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, webhookId, query) {
      const filter = { webhook_id: webhookId };
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), filter, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async cancel({ tenantId, id, revision }, now) {
      const running = { _id: id, status: 'running' as const, revision };
      const update = { $set: { status: 'cancelled' as const, finished_at: now }, $inc: { revision: 1 } };
      const document = await tenantCollection(collection, tenantId).findOneAndUpdate(running, update);
      return document === null ? undefined : fromDocument(document);
    },

    async claimNext(lease) {
      const document = await claimOldest(all, lease);
      return document === null ? undefined : fromDocument(document);
    },

    measureDue: (now) => measureDue(all, now),

    async advanceCount({ id, tenantId }, claim, { total, countedUpTo, dueAt }) {
      const { $set, $unset } = releaseUpdate(dueAt);
      const { matchedCount } = await tenantCollection(collection, tenantId).updateOne(
        { _id: id, claim },
        {
          $set: { ...$set, total, ...(countedUpTo && { counting: toPosition(countedUpTo) }) },
          $unset: { ...$unset, ...(countedUpTo === undefined && { counting: true }) },
          $inc: { revision: 1 },
        },
      );
      return matchedCount === 1;
    },

    async advance({ id, tenantId }, claim, { replayed, now, next }) {
      const isRunning = { $eq: ['$status', 'running'] };
      // If the replay was cancelled during the step, keep its status and times. Only count the replayed deliveries.
      const whileRunning = <T>(value: T, otherwise: unknown) => ({ $cond: [isRunning, value, otherwise] });
      const continues = 'foundIds' in next;
      const nothing = { foundIds: [], foundUpTo: undefined, dueAt: undefined };
      const { foundIds, foundUpTo, dueAt } = continues ? next : nothing;
      const fields = {
        replayed: { $add: ['$replayed', replayed] },
        // Tenants do not see the found ids, so a change of these alone does not raise the revision.
        revision: { $add: ['$revision', continues && replayed === 0 ? 0 : 1] },
        batch: whileRunning(foundIds, []),
        ...(foundUpTo && { position: whileRunning(toPosition(foundUpTo), '$position') }),
        due_at: whileRunning(dueAt ?? '$$REMOVE', '$$REMOVE'),
        ...(continues ? {} : { status: whileRunning(next.status, '$status') }),
        ...(continues ? {} : { finished_at: whileRunning(now, '$finished_at') }),
      };
      const update = [{ $set: fields }, { $unset: ['claim'] }];
      const { matchedCount } = await tenantCollection(collection, tenantId).updateOne({ _id: id, claim }, update);
      return matchedCount === 1;
    },
  };
}

function toPosition({ time, id }: Position): PositionDocument {
  return { created_at: time, id };
}

function fromPosition({ created_at: time, id }: PositionDocument): Position {
  return { time, id };
}

function toDocument({ filter, foundUpTo, countedUpTo, finishedAt, ...replay }: Replay): ReplayDocument {
  return {
    _id: replay.id,
    tenant_id: replay.tenantId,
    webhook_id: filter.webhookId,
    since: filter.since ?? null,
    until: filter.until,
    statuses: filter.statuses,
    event_types: filter.eventTypes,
    status: replay.status,
    total: replay.total,
    replayed: replay.replayed,
    position: foundUpTo === undefined ? null : toPosition(foundUpTo),
    ...(countedUpTo && { counting: toPosition(countedUpTo) }),
    batch: replay.foundIds,
    revision: replay.revision,
    created_at: replay.createdAt,
    ...(finishedAt === undefined ? { due_at: replay.createdAt } : { finished_at: finishedAt }),
  };
}

function fromDocument({ position, counting, ...document }: ReplayDocument): Replay {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    filter: {
      webhookId: document.webhook_id,
      since: document.since ?? undefined,
      until: document.until,
      statuses: document.statuses,
      eventTypes: document.event_types,
    },
    status: document.status,
    total: document.total,
    replayed: document.replayed,
    foundUpTo: position === null ? undefined : fromPosition(position),
    countedUpTo: counting && fromPosition(counting),
    foundIds: document.batch,
    revision: document.revision,
    createdAt: document.created_at,
    finishedAt: document.finished_at,
  };
}

/** Use the index of `_id`: sending a delivery moves it in other indexes, so a scan of those could miss it. */
const BY_ID = { hint: { _id: 1 } } as const;

type WithoutBody = Omit<DeliveryDocument, 'body'>;

/** A search takes much less time than a lease, and than clients wait for the start of a replay. */
const LIMITS: WalkLimits = { ...WALK_LIMITS, timeMs: 5_000 };

export function createReplayDeliveryStore(
  collection: Collection<DeliveryDocument>,
  limits = LIMITS,
): ReplayDeliveryStore {
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

    async replay({ tenantId, id, filter, foundIds }, now) {
      const deliveries = tenantCollection(collection, tenantId);
      // A repeated call skips deliveries that this replay has already made due.
      const notReplayed = { replay_id: { $ne: id } };
      const query = { ...toCondition(filter), ...notReplayed, _id: { $in: [...foundIds] } };
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
        const condition = { ...endedFilter, ...notReplayed, ...first.unchanged, _id: { $in: ids } };
        await deliveries.updateMany(condition, { $set: { ...$set, replay_id: id }, $unset }, BY_ID);
      }
    },

    async countReplayed({ tenantId, id, foundIds }) {
      const query = { _id: { $in: [...foundIds] }, replay_id: id };
      return tenantCollection(collection, tenantId).countDocuments(query, BY_ID);
    },

    async countDue({ tenantId, filter }, now, limit) {
      const ofRetries: TenantFilter<DeliveryDocument> = { lane: { $in: ['retry', 'answers'] } };
      const condition = { ...ofRetries, webhook_id: filter.webhookId, ...dueFilter(now) };
      return tenantCollection(collection, tenantId).countDocuments(condition, { limit });
    },
  };
}

function toCondition({ webhookId, since, until, statuses, eventTypes }: ReplayFilter) {
  return {
    webhook_id: webhookId,
    status: { $in: [...statuses] },
    created_at: { ...(since && { $gte: since }), $lt: until },
    event_type: eventTypes.length === 0 ? { $ne: TEST_EVENT } : { $in: [...eventTypes] },
    ...endedFilter,
  };
}
