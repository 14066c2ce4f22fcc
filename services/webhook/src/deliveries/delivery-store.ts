import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createBatcher } from '@survey/runtime/flow/batcher';
import { type ClaimLease, dueFilter } from '@survey/runtime/mongo/claim';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { type AnyBulkWriteOperation, Binary, type Collection } from 'mongodb';
import { type Attempt, type Delivery, MAX_KEPT_ATTEMPTS, type Settlement, steps, transitions } from './delivery.ts';
import {
  type DeliveryDocument,
  freeFilter,
  fromDocument,
  toAttemptDocument,
  toFilter,
  toStateDocument,
  toUpdate,
  unchangedFilter,
} from './delivery-document.ts';
import type { BacklogStore } from './delivery-metrics.ts';
import type { DeliveryFilter, DeliveryInserter, DeliveryStore, RedeliveryStore } from './delivery-service.ts';
import type { DeliveryQueue, OldestDue } from './due-claimer.ts';

/** Matches failed deliveries with a next attempt. */
export const RETRYING = { status: 'failed', next_attempt_at: { $exists: true } } as const;

const PLAINTEXT_REPLIES = 'plaintext_replies';
const HAS_PLAINTEXT_REPLIES = { 'attempts.response_excerpt': { $exists: true } } as const;

export const deliveryIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1, event_type: 1 } },
  { name: 'by_status', key: { tenant_id: 1, webhook_id: 1, status: 1, created_at: -1, _id: -1, event_type: 1 } },
  {
    name: 'failed_for_good',
    key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1, event_type: 1 },
    partialFilterExpression: { failure_reason: { $exists: true } },
  },
  {
    name: 'retrying',
    key: { tenant_id: 1, webhook_id: 1, created_at: -1, _id: -1, event_type: 1 },
    partialFilterExpression: RETRYING,
  },
  { name: 'by_age', key: { created_at: 1 } },
  // Contains only unfinished deliveries, by step (`lane`) and webhook. Covers the query of `findOldestDue`.
  {
    name: 'due_by_webhook',
    key: { lane: 1, webhook_id: 1, due_at: 1, tenant_id: 1, _id: 1 },
    partialFilterExpression: { due_at: { $exists: true } },
  },
  {
    name: 'by_response',
    key: { tenant_id: 1, response_id: 1 },
    partialFilterExpression: { response_id: { $exists: true } },
  },
  // Empty once `removePlaintextReplies` has finished and no process of the previous release runs any more.
  { name: PLAINTEXT_REPLIES, key: { created_at: 1 }, partialFilterExpression: HAS_PLAINTEXT_REPLIES },
];

const MAX_SETTLED = 500;
/** Maximum number of deliveries whose plaintext one write removes. */
const MAX_CLEANED = 500;

/** A result that waits for the next bulk write. */
interface PendingSettlement {
  readonly delivery: Delivery;
  readonly claim: string;
  readonly settlement: Settlement;
}

export interface ReplyEraser {
  /** Erases the replies to all deliveries about these responses. Later replies are not stored. */
  eraseReplies(tenantId: TenantId, responseIds: readonly string[]): Promise<void>;
  /** Removes a batch of replies that the previous release stored in plaintext. Returns whether more are left. */
  removePlaintextReplies(): Promise<boolean>;
}

/** Fields of all attempts that the previous release wrote. */
const PLAINTEXT_FIELDS = {
  'attempts.$[].response_excerpt': '',
  'attempts.$[].content_type': '',
} as const;
const IS_RESPONSE_KEPT = { response_deleted: { $exists: false } };

/** The first unfinished delivery of a webhook. If it is not due yet, only `webhookId` is set. */
type OldestPending = OldestDue | Pick<OldestDue, 'webhookId'>;

/**
 * The deliveries of all tenants. Each transition between the states of `delivery.ts` is one write. A worker first
 * stores a claim, which is the id of its lease. Its later writes match this claim, so they fail if another worker has
 * claimed the delivery.
 */
export function createDeliveryStore(
  collection: Collection<DeliveryDocument>,
): DeliveryStore & DeliveryInserter & DeliveryQueue & BacklogStore & ReplyEraser {
  const all = systemScope(collection);

  /** Stores the results whose claim is still valid. Stores no reply if the response was deleted during the attempt. */
  async function settleAll(settled: readonly PendingSettlement[]): Promise<readonly boolean[]> {
    const writes = settled.map(
      ({ delivery, claim, settlement }): AnyBulkWriteOperation<DeliveryDocument> => ({
        updateOne: {
          filter: { _id: delivery.id, ...toFilter({ claim }), ...(hasReply(settlement) && IS_RESPONSE_KEPT) },
          update: toSettleUpdate(settlement),
        },
      }),
    );
    const { matchedCount } = await all.bulkWrite(writes, { ordered: false });
    if (matchedCount === settled.length) return settled.map(() => true);
    const ids = settled.map(({ delivery }) => delivery.id);
    const projection = { claim: 1, failure_reason: 1, 'attempts.started_at': 1, 'attempts.number': 1 };
    const documents = await all.find({ _id: { $in: ids } }, { projection, maxTimeMS: 10_000 }).toArray();
    const found = new Map(documents.map((document) => [document._id, document]));
    return Promise.all(
      settled.map(async (one) => {
        const { delivery, claim, settlement } = one;
        const document = found.get(delivery.id);
        // The claim is valid, so the response was deleted: store the result without the reply.
        if (hasReply(settlement) && document?.claim === claim) {
          const attempt = { ...settlement.attempt, reply: undefined };
          return (await settleAll([{ ...one, settlement: { ...settlement, attempt } }])).includes(true);
        }
        return isWritten(document, settlement);
      }),
    );
  }

  const settlements = createBatcher({ flush: settleAll, batch: { maxItems: MAX_SETTLED }, concurrency: 4 });

  return {
    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, filter, query) {
      const { webhookId, status, since, until } = filter;
      // The part of the filter that an index serves.
      const within = toCondition({ webhookId, status, since, until });
      const deliveries = tenantCollection(collection, tenantId);
      const { items, ...rest } = await findPage(deliveries, toCondition(filter), query, { within });
      return { items: items.map(fromDocument), ...rest };
    },

    async eraseReplies(tenantId, responseIds) {
      const ofResponses = { response_id: { $in: [...responseIds] } };
      await tenantCollection(collection, tenantId).updateMany(ofResponses, {
        $set: { response_deleted: true },
        $unset: { 'attempts.$[].reply': '', ...PLAINTEXT_FIELDS },
      });
    },

    async removePlaintextReplies() {
      const options = { hint: PLAINTEXT_REPLIES, limit: MAX_CLEANED, projection: { _id: 1 }, maxTimeMS: 10_000 };
      const found = await all.find(HAS_PLAINTEXT_REPLIES, options).toArray();
      const ids = found.map(({ _id }) => _id);
      if (ids.length > 0) await all.updateMany({ _id: { $in: ids } }, { $unset: PLAINTEXT_FIELDS });
      return found.length === MAX_CLEANED;
    },

    async insertNew(deliveries, reserved) {
      if (deliveries.length === 0) return new Set();
      const documents = deliveries.map((delivery) =>
        toDocument(delivery, reserved.ids.has(delivery.id) ? reserved.lease : undefined),
      );
      const outcomes = await insertBatch(collection, documents);
      const failure = outcomes.find((outcome) => outcome.kind === 'failed');
      if (failure !== undefined) throw new Error('Deliveries were not stored', { cause: failure.error });
      return new Set(deliveries.flatMap(({ id }, index) => (outcomes[index]?.kind === 'inserted' ? [id] : [])));
    },

    async findOldestDue({ step, now, range: { after, upTo } }) {
      const bounds = { ...(after !== undefined && { $gt: after }), ...(upTo !== undefined && { $lte: upTo }) };
      const ifDue = (field: string) => ({ $cond: [{ $lte: ['$dueAt', now] }, field, '$$REMOVE'] });
      const found = await all
        .aggregate<OldestPending>(
          [
            // The condition on `due_at` matches any date. It lets MongoDB use the partial index.
            { $match: { ...toFilter({ step }), webhook_id: { $gt: '', ...bounds }, due_at: { $gte: new Date(0) } } },
            { $sort: { lane: 1, webhook_id: 1, due_at: 1, tenant_id: 1, _id: 1 } },
            // MongoDB reads one index entry for each webhook (DISTINCT_SCAN).
            {
              $group: {
                _id: '$webhook_id',
                id: { $first: '$_id' },
                dueAt: { $first: '$due_at' },
                tenantId: { $first: '$tenant_id' },
              },
            },
            {
              $project: {
                _id: 0,
                webhookId: '$_id',
                id: ifDue('$id'),
                dueAt: ifDue('$dueAt'),
                tenantId: ifDue('$tenantId'),
              },
            },
          ],
          { maxTimeMS: 10_000 },
        )
        .toArray();
      const isDue = (one: OldestPending): one is OldestDue => 'id' in one;
      return { oldest: found.filter(isDue), pendingWebhookIds: found.map(({ webhookId }) => webhookId) };
    },

    async findDue({ step, webhookId, now, limit }) {
      const options = { sort: { due_at: 1 }, limit, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
      const documents = await all
        .find({ ...toFilter({ step }), webhook_id: webhookId, ...dueFilter(now) }, options)
        .toArray();
      return documents.map(({ _id }) => _id);
    },

    async claim(ids, { claim, now, until }) {
      const byIds = { _id: { $in: [...ids] } };
      await all.updateMany({ ...byIds, ...dueFilter(now) }, toUpdate(transitions.claim({ claim, until })));
      return (await all.find({ ...byIds, ...toFilter({ claim }) }, { maxTimeMS: 10_000 }).toArray()).map(fromDocument);
    },

    async storeAnswerResults(results, { claim, until }) {
      const toStore = results.filter((one) => one.kind !== 'failed');
      if (toStore.length === 0) return new Set();
      const writes = toStore.map((one): AnyBulkWriteOperation<DeliveryDocument> => {
        // If this lease has ended, another process may have added the answers.
        const filter = { _id: one.delivery.id, ...toFilter({ claim, awaitsAnswers: true }) };
        if (one.kind === 'waits') {
          return { updateOne: { filter, update: toUpdate(transitions.postpone(one.timesUnreadable, one.dueAt)) } };
        }
        const { $set, $unset } = toUpdate(transitions.addAnswers(one.step, until));
        return { updateOne: { filter, update: { $set: { ...$set, ...toBodyFields(one.delivery) }, $unset } } };
      });
      const { matchedCount } = await all.bulkWrite(writes, { ordered: false });
      const ids = toStore.filter(({ kind }) => kind === 'ready').map(({ delivery }) => delivery.id);
      if (matchedCount === writes.length) return new Set(ids);
      const filled = { _id: { $in: ids }, ...toFilter({ claim, awaitsAnswers: false }) };
      const found = await all.find(filled, { projection: { _id: 1 }, maxTimeMS: 10_000 }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    settle: (delivery, claim, settlement) => settlements.add({ delivery, claim, settlement }),

    async release(claimed, dueAt) {
      const update = toUpdate(transitions.release(dueAt));
      const writes = [...Map.groupBy(claimed, (one) => one.claim)].map(([claim, group]) => ({
        updateMany: { filter: { _id: { $in: group.map(({ id }) => id) }, claim }, update },
      }));
      if (writes.length > 0) await all.bulkWrite(writes, { ordered: false });
    },

    async countDue({ without, now, limit }) {
      const excluded = Map.groupBy(without, ({ step }) => step);
      const due = steps.map((step) => {
        const webhookIds = (excluded.get(step) ?? []).map(({ webhookId }) => webhookId);
        return { ...toFilter({ step }), webhook_id: { $nin: webhookIds }, ...dueFilter(now) };
      });
      return all.countDocuments({ $or: due }, { limit, maxTimeMS: 2_000 });
    },
  };
}

function toCondition({ webhookId, status, eventType, since, until, failedForGood, retrying }: DeliveryFilter) {
  const createdAt = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  return {
    webhook_id: webhookId,
    ...((since ?? until) && { created_at: createdAt }),
    ...(eventType !== undefined && { event_type: eventType }),
    ...(failedForGood && { failure_reason: { $exists: true } }),
    ...(status !== undefined && { status }),
    ...(retrying && RETRYING),
    // `RETRYING` sets the status. Another requested status matches nothing.
    ...(retrying && status !== undefined && status !== RETRYING.status && { status: { $in: [] } }),
  };
}

/** Whether the result is stored although the write matched nothing: an earlier try may have stored it. */
function isWritten(document: DeliveryDocument | undefined, settlement: Settlement): boolean {
  if (document === undefined) return false;
  const { attempt } = settlement;
  if (attempt === undefined) {
    // The failure is already stored, by an earlier try or by another process.
    return 'failureReason' in settlement && document.claim === undefined && document.failure_reason !== undefined;
  }
  return document.attempts.some(
    ({ number, started_at }) => number === attempt.number && started_at.getTime() === attempt.startedAt.getTime(),
  );
}

function hasReply(settlement: Settlement): settlement is Settlement & { readonly attempt: Attempt } {
  return settlement.attempt?.reply !== undefined;
}

function toSettleUpdate(settlement: Settlement) {
  const { attempt } = settlement;
  const push = attempt && { $push: { attempts: { $each: [toAttemptDocument(attempt)], $slice: -MAX_KEPT_ATTEMPTS } } };
  return { ...toUpdate(transitions.settle(settlement)), ...push };
}

/** A body without answers is stored already, and is not encrypted. */
function toBodyFields({ sealed }: Delivery): Pick<DeliveryDocument, 'seal'> & Partial<Pick<DeliveryDocument, 'body'>> {
  if (sealed === undefined) return {};
  const { ct, ...seal } = sealed;
  return { body: ct, seal };
}

/** @param lease set if this process has reserved capacity for the delivery */
function toDocument(delivery: Delivery, lease: ClaimLease | undefined): DeliveryDocument {
  const { traceparent } = delivery;
  return {
    _id: delivery.id,
    tenant_id: delivery.tenantId,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    event_time: delivery.eventTime,
    ...(delivery.responseId !== undefined && { response_id: delivery.responseId }),
    body: new Binary(delivery.body),
    ...toStateDocument({ ...transitions.create(delivery), ...(lease && transitions.claim(lease)) }),
    attempts: delivery.attempts.map(toAttemptDocument),
    created_at: delivery.createdAt,
    ...(traceparent === '' ? {} : { traceparent }),
  };
}

export function createRedeliveryStore(collection: Collection<DeliveryDocument>): RedeliveryStore {
  return {
    async sendAgain(delivery, now) {
      const filter = { _id: delivery.id, ...unchangedFilter(delivery), ...freeFilter(now) };
      const update = toUpdate(transitions.sendAgain(delivery, 'redeliver', now));
      const document = await tenantCollection(collection, delivery.tenantId).findOneAndUpdate(filter, update);
      return document === null ? undefined : fromDocument(document);
    },
  };
}
