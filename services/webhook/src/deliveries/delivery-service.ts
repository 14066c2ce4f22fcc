import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { toChangeMembers } from '@survey/runtime/kafka/outbox-event';
import type { ClaimLease } from '@survey/runtime/mongo/claim';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import { changeLatest, type EditTarget } from '@survey/runtime/rpc/if-match';
import { TEST_EVENT, TEST_MESSAGE } from '../events/event-catalog.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import { settleFinally } from './attempt.ts';
import {
  type Attempt,
  applySettlement,
  type Delivery,
  type DeliveryStatus,
  makeDelivery,
  type ReplyText,
  rejectionOf,
  revisionOf,
} from './delivery.ts';
import { type DeliveryEncryption, dataOf, fromBody } from './delivery-document.ts';
import { createSettleWhileLeased } from './delivery-worker.ts';
import type { DeliveryQueue } from './due-claimer.ts';
import type { PostDelivery } from './post-delivery.ts';
import type { FailureWatch } from './receiver-health.ts';

export interface DeliveryInserter {
  /**
   * Stores new deliveries. Reserved deliveries are claimed by this process, all others are due for any process.
   * Existing deliveries stay unchanged. Returns the ids of inserted deliveries.
   */
  insertNew(
    deliveries: readonly Delivery[],
    reserved: { readonly ids: ReadonlySet<string>; readonly lease: ClaimLease },
  ): Promise<ReadonlySet<string>>;
}

export interface DeliveryStore {
  find(tenantId: TenantId, id: string): Promise<Delivery | undefined>;
  list(tenantId: TenantId, filter: DeliveryFilter, query: PageQuery): Promise<Page<Delivery>>;
}

/** Matches deliveries that meet all given conditions. */
export interface DeliveryFilter {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Only deliveries that failed and will not be retried. */
  readonly failedForGood?: boolean;
  /** Only deliveries that failed and will be retried. */
  readonly retrying?: boolean;
}

/** A delivery with its payload and the replies to its attempts, without answers if the viewer may not read them. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly payload: JsonObject;
  readonly attempts: readonly ShownAttempt[];
}

interface ShownAttempt {
  readonly attempt: Attempt;
  /** Undefined if there is no reply, or if it may repeat answers that the viewer may not read. */
  readonly reply: ReplyText | undefined;
}

/** The user to whom deliveries are shown. */
export interface Viewer {
  readonly tenantId: TenantId;
  readonly mayReadAnswers: boolean;
}

interface Dependencies {
  readonly store: DeliveryStore;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly encryption: DeliveryEncryption;
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;

/** Shows the deliveries of a tenant to its users. */
export function createDeliveryService({ store, webhooks, encryption }: Dependencies) {
  async function show(delivery: Delivery, { mayReadAnswers }: Viewer): Promise<ShownDelivery> {
    const payload = fromBody(await encryption.open(delivery));
    const { answers, ...data } = dataOf(payload);
    const isReduced = !mayReadAnswers && answers !== undefined;
    const attempts = delivery.attempts.map(async (attempt) => {
      return { attempt, reply: isReduced ? undefined : await encryption.openReply(delivery, attempt) };
    });
    return {
      delivery,
      payload: isReduced ? { ...payload, data } : payload,
      attempts: await Promise.all(attempts),
    };
  }

  return {
    show,

    /** Throws `WEBHOOK_NOT_FOUND`, also after the webhook was deleted. */
    async list(viewer: Viewer, filter: DeliveryFilter, query: PageQuery) {
      const { tenantId } = viewer;
      await webhooks.get(tenantId, filter.webhookId);
      const { items, ...rest } = await store.list(tenantId, filter, query);
      return { items: await Promise.all(items.map((delivery) => show(delivery, viewer))), ...rest };
    },

    /** Works also after the webhook was deleted. Throws `DELIVERY_NOT_FOUND`. */
    async get(viewer: Viewer, id: string): Promise<ShownDelivery> {
      const delivery = await store.find(viewer.tenantId, id);
      if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
      return show(delivery, viewer);
    },
  };
}

export interface RedeliveryStore {
  /** Makes a delivery due now. Returns undefined if a worker is sending it, or if its revision has changed. */
  sendAgain(delivery: Delivery, now: Date): Promise<Delivery | undefined>;
}

interface RedeliveryDependencies {
  readonly store: RedeliveryStore;
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly clock: () => Date;
  /** Called when a delivery is due. */
  readonly onDue: () => void;
}

interface Found {
  readonly delivery: Delivery;
  readonly revision: number;
}

export type Redelivery = ReturnType<typeof createRedelivery>;

/** Sends a single delivery again, because a user asks for it. */
export function createRedelivery({ store, deliveries, webhooks, clock, onDue }: RedeliveryDependencies) {
  async function find(tenantId: TenantId, id: string): Promise<Found> {
    const delivery = await deliveries.find(tenantId, id);
    if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
    return { delivery, revision: revisionOf(delivery) };
  }

  return {
    /** Throws `DELIVERY_NOT_FOUND`, or `STATE_CONFLICT` if the delivery is being sent or its webhook is disabled. */
    async redeliver({ context: { tenantId }, id, ifMatch }: EditTarget): Promise<Delivery> {
      const read = () => find(tenantId, id);
      const write = async ({ delivery, revision }: Found) => {
        await requireActive(webhooks, tenantId, delivery.webhookId);
        const due = await store.sendAgain(delivery, clock());
        if (due !== undefined) onDue();
        else if ((await read()).revision === revision)
          throw new AppError('STATE_CONFLICT', { detail: 'The delivery is being sent; try again later' });
        return due;
      };
      return changeLatest({ ifMatch }, { read, write });
    },
  };
}

/** Throws `WEBHOOK_NOT_FOUND`, or `STATE_CONFLICT` if the webhook is disabled. */
export async function requireActive(webhooks: Pick<WebhookService, 'get'>, tenantId: TenantId, id: string) {
  const rejection = rejectionOf(await webhooks.get(tenantId, id), { tenantId });
  if (rejection !== undefined)
    throw new AppError('STATE_CONFLICT', { detail: 'The webhook is disabled; set active to true first' });
}

/** Sends a test event to a webhook and waits for the result. */
export interface TestCall {
  /** Throws `TOO_MANY_REQUESTS`, `OVERLOADED`, or `UNAVAILABLE` if a worker must send the test later. */
  test(call: Pick<TenantCall, 'tenantId' | 'traceparent'>, webhookId: string): Promise<Delivery>;
}

/** Limits how often a webhook is tested, across all processes. */
export interface TestLimit {
  /** Counts a test. At `max` tests within `perMs`, counts nothing, and returns the time of the first of them. */
  admitTest(
    webhook: Pick<Webhook, 'tenantId' | 'id'>,
    testId: string,
    limit: { readonly max: number; readonly perMs: number },
  ): Promise<Date | undefined>;
}

interface TestCallDependencies {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly testLimit: TestLimit;
  readonly deliveries: DeliveryInserter & Pick<DeliveryQueue, 'settle'>;
  readonly failures: Pick<FailureWatch, 'reset'>;
  readonly post: PostDelivery;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Timeout of the attempt. The gateway and clients wait longer. */
  readonly timeoutMs: number;
  /** Duration of the lease. If this process dies, a worker sends the test after the lease. */
  readonly leaseMs: number;
}

const LIMIT = { max: 10, perMs: 60_000 };
/** Concurrent tests in one process: per tenant, and in total. */
const CONCURRENCY = { perKey: 16, total: 64 };

export function createTestCall(dependencies: TestCallDependencies): TestCall {
  const { webhooks, testLimit, deliveries, failures, post, clock, newId, timeoutMs, leaseMs } = dependencies;
  const running = createKeyedSemaphore<TenantId>(CONCURRENCY);
  const settle = createSettleWhileLeased({ queue: deliveries, clock, isStopped: () => false });

  async function requireQuota({ id, tenantId, webhookId, createdAt }: Delivery): Promise<void> {
    const first = await testLimit.admitTest({ tenantId, id: webhookId }, id, LIMIT);
    if (first === undefined) return;
    // `first` may be later than this test, because tests run concurrently and clocks differ.
    const waitMs = Math.min(LIMIT.perMs, first.getTime() + LIMIT.perMs - createdAt.getTime());
    throw quotaExceeded(rateQuota('webhook-tests', LIMIT.max), waitMs);
  }

  async function run({ tenantId, traceparent }: Pick<TenantCall, 'tenantId' | 'traceparent'>, webhookId: string) {
    const { revision } = await webhooks.get(tenantId, webhookId);
    const time = clock();
    const data = { webhook_id: webhookId, message: TEST_MESSAGE, ...toChangeMembers(time, revision) };
    const event = { id: newId(), type: TEST_EVENT, tenantId, time, data, traceparent };
    const delivery: Delivery = { ...makeDelivery(event, webhookId, time), trigger: 'test' };
    const lease = { claim: newId(), until: new Date(time.getTime() + leaseMs) };
    await requireQuota(delivery);
    // Like every delivery, a test is stored before it is sent.
    await deliveries.insertNew([delivery], { ids: new Set([delivery.id]), lease });
    // Read the webhook after the write, so that a deleted webhook gets nothing.
    const webhook = await webhooks.get(tenantId, webhookId);
    const stop = new AbortController().signal;
    const posted = await post(webhook, delivery, { timeoutMs, leaseUntil: lease.until, stop });
    // The lease is too short for an attempt. A worker sends the delivery when the lease ends.
    if (posted === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    const settlement = settleFinally(posted.attempt);
    await settle(delivery, lease, settlement);
    if (settlement.status === 'delivered') await failures.reset(webhook);
    return applySettlement(delivery, settlement);
  }

  return {
    async test(call, webhookId) {
      const { tenantId } = call;
      if (running.acquireOrLimit(tenantId) !== undefined) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      try {
        return await run(call, webhookId);
      } finally {
        running.release(tenantId);
      }
    },
  };
}
