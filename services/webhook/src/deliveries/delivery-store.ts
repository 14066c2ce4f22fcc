import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { Binary, type Collection } from 'mongodb';
import type { Attempt, Delivery, DeliveryStatus, FailureReason, Settlement } from './delivery.ts';
import type { DeliveryBacklog } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-service.ts';
import type { NewDeliveries } from './fan-out.ts';

/** A delivery as it is stored. Its id is made of event and webhook, so there is one of each pair. */
export interface DeliveryDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_time: Date;
  readonly body: Binary;
  readonly status: DeliveryStatus;
  readonly failure_reason?: FailureReason;
  readonly attempts: readonly AttemptDocument[];
  readonly created_at: Date;
  /** What the tenant sees; a claim does not change it. */
  readonly next_attempt_at?: Date;
  /** From when on a worker may take it: its next attempt, or the end of the lease of the worker that has it. */
  readonly due_at?: Date;
  /** The fencing token of the worker that has it. */
  readonly claim?: string;
  readonly traceparent?: string;
}

interface AttemptDocument {
  readonly number: number;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly status_code?: number;
  readonly content_type?: string;
  readonly response_excerpt?: string;
  readonly error?: string;
}

export const deliveryIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1 } },
  // Holds only what is not over yet, so it stays small. With the webhook, so that busy ones are passed over in it.
  { name: 'due', key: { due_at: 1, webhook_id: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
];

/** Above this the backlog is only known to be at least as large. */
const MAX_COUNTED = 100_000;

export function createDeliveryStore(
  collection: Collection<DeliveryDocument>,
): DeliveryStore & NewDeliveries & DeliveryQueue & DeliveryBacklog {
  const all = systemScope(collection);
  return {
    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, webhookId, query) {
      const filter = { webhook_id: webhookId };
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), filter, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async insertNew(deliveries) {
      if (deliveries.length === 0) return;
      const outcomes = await insertBatch(collection, deliveries.map(toDocument));
      const failure = outcomes.find((outcome) => outcome.kind === 'failed');
      if (failure !== undefined) throw new Error('Deliveries were not stored', { cause: failure.error });
    },

    async findDue({ now, except, limit }) {
      const filter = { due_at: { $lte: now }, webhook_id: { $nin: [...except] } };
      const options = { sort: { due_at: 1 }, limit, projection: { webhook_id: 1 } } as const;
      const documents = await all.find(filter, options).toArray();
      return documents.map(({ _id, webhook_id }) => ({ id: _id, webhookId: webhook_id }));
    },

    async claim(ids, { claim, now, until }) {
      const mine = { _id: { $in: [...ids] } };
      await all.updateMany({ ...mine, due_at: { $lte: now } }, { $set: { claim, due_at: until } });
      return (await all.find({ ...mine, claim }).toArray()).map(fromDocument);
    },

    async settle({ id, tenantId }, claim, settlement) {
      const update = toUpdate(settlement);
      const { matchedCount } = await tenantCollection(collection, tenantId).updateOne({ _id: id, claim }, update);
      return matchedCount === 1;
    },

    async handBack({ id, tenantId }, claim, now) {
      const update = { $set: { due_at: now }, $unset: { claim: '' as const } };
      await tenantCollection(collection, tenantId).updateOne({ _id: id, claim }, update);
    },

    async measure(now) {
      const due = { due_at: { $lte: now } };
      const [count, oldest] = await Promise.all([
        all.countDocuments(due, { limit: MAX_COUNTED, maxTimeMS: 2_000 }),
        all.findOne(due, { sort: { due_at: 1 }, projection: { due_at: 1 }, maxTimeMS: 2_000 }),
      ]);
      const oldestSeconds = oldest?.due_at === undefined ? 0 : (now.getTime() - oldest.due_at.getTime()) / 1000;
      return { count, oldestSeconds };
    },
  };
}

function toUpdate(settlement: Settlement) {
  const { status, attempt } = settlement;
  const next = 'nextAttemptAt' in settlement ? settlement.nextAttemptAt : undefined;
  const reason = 'failureReason' in settlement ? { failure_reason: settlement.failureReason } : {};
  const times = next === undefined ? {} : { next_attempt_at: next, due_at: next };
  const over = next === undefined ? { next_attempt_at: '' as const, due_at: '' as const } : {};
  return {
    $set: { status, ...reason, ...times },
    $unset: { claim: '' as const, ...over },
    ...(attempt === undefined ? {} : { $push: { attempts: toAttemptDocument(attempt) } }),
  };
}

function toDocument(delivery: Delivery): DeliveryDocument {
  const { failureReason, nextAttemptAt, traceparent } = delivery;
  return {
    _id: delivery.id,
    tenant_id: delivery.tenantId,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    event_time: delivery.eventTime,
    body: new Binary(delivery.body),
    status: delivery.status,
    attempts: delivery.attempts.map(toAttemptDocument),
    created_at: delivery.createdAt,
    ...(failureReason === undefined ? {} : { failure_reason: failureReason }),
    ...(nextAttemptAt === undefined ? {} : { next_attempt_at: nextAttemptAt, due_at: nextAttemptAt }),
    ...(traceparent === '' ? {} : { traceparent }),
  };
}

function fromDocument(document: DeliveryDocument): Delivery {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    webhookId: document.webhook_id,
    eventId: document.event_id,
    eventType: document.event_type,
    eventTime: document.event_time,
    body: document.body.value(),
    status: document.status,
    failureReason: document.failure_reason,
    attempts: document.attempts.map(fromAttemptDocument),
    createdAt: document.created_at,
    nextAttemptAt: document.next_attempt_at,
    traceparent: document.traceparent ?? '',
  };
}

function toAttemptDocument(attempt: Attempt): AttemptDocument {
  const { statusCode, contentType, responseExcerpt, error } = attempt;
  return {
    number: attempt.number,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    ...(statusCode === undefined ? {} : { status_code: statusCode }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(responseExcerpt === undefined ? {} : { response_excerpt: responseExcerpt }),
    ...(error === undefined ? {} : { error }),
  };
}

function fromAttemptDocument(document: AttemptDocument): Attempt {
  return {
    number: document.number,
    startedAt: document.started_at,
    durationMs: document.duration_ms,
    statusCode: document.status_code,
    contentType: document.content_type,
    responseExcerpt: document.response_excerpt,
    error: document.error,
  };
}
