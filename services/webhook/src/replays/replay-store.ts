import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { measureDue } from '@survey/runtime/mongo/measure-due';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Position } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import type { Replay, ReplayFilter, ReplayStatus } from './replay.ts';
import type { ReplayBacklog } from './replay-metrics.ts';
import type { ReplayQueue } from './replay-runner.ts';
import type { ReplayStore } from './replay-service.ts';

interface PositionDocument {
  readonly created_at: Date;
  readonly id: string;
}

export interface ReplayDocument {
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
  readonly position: PositionDocument | null;
  /** Absent once all deliveries are counted. */
  readonly counting?: PositionDocument;
  readonly batch: readonly string[];
  readonly revision: number;
  readonly created_at: Date;
  readonly finished_at?: Date;
  /** From then on a process may continue the replay. Absent if it is over. */
  readonly due_at?: Date;
  /** Fencing token of the process that runs the replay. */
  readonly claim?: string;
}

export const replayIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1 } },
  { name: 'one_running', key: { webhook_id: 1 }, unique: true, partialFilterExpression: { status: 'running' } },
  { name: 'due', key: { due_at: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
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

    async claimNext({ claim, now, until }) {
      const document = await all.findOneAndUpdate(
        { due_at: { $lte: now } },
        { $set: { claim, due_at: until } },
        { sort: { due_at: 1 }, returnDocument: 'after' },
      );
      return document === null ? undefined : fromDocument(document);
    },

    measureDue: (now) => measureDue(all, now),

    async advanceCount({ id, tenantId }, claim, { total, counting, dueAt }) {
      const { matchedCount } = await tenantCollection(collection, tenantId).updateOne(
        { _id: id, claim },
        {
          $set: { total, due_at: dueAt, ...(counting && { counting: toPosition(counting) }) },
          $unset: { claim: true, ...(counting === undefined && { counting: true }) },
          $inc: { revision: 1 },
        },
      );
      return matchedCount === 1;
    },

    async advance({ id, tenantId }, claim, { replayed, now, next }) {
      const isRunning = { $eq: ['$status', 'running'] };
      // If the replay was cancelled meanwhile, keep its status and times, and only count the deliveries sent again.
      const whileRunning = <T>(value: T, otherwise: unknown) => ({ $cond: [isRunning, value, otherwise] });
      const continues = 'batch' in next;
      const { batch, position, dueAt } = continues ? next : { batch: [], position: undefined, dueAt: undefined };
      const fields = {
        replayed: { $add: ['$replayed', replayed] },
        // Tenants do not see the batch and the position, so a change of these alone does not raise the revision.
        revision: { $add: ['$revision', continues && replayed === 0 ? 0 : 1] },
        batch: whileRunning(batch, []),
        ...(position && { position: whileRunning(toPosition(position), '$position') }),
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

function toDocument({ filter, position, counting, finishedAt, ...replay }: Replay): ReplayDocument {
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
    position: position === undefined ? null : toPosition(position),
    ...(counting && { counting: toPosition(counting) }),
    batch: replay.batch,
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
    position: position === null ? undefined : fromPosition(position),
    counting: counting && fromPosition(counting),
    batch: document.batch,
    revision: document.revision,
    createdAt: document.created_at,
    finishedAt: document.finished_at,
  };
}
