import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { changeMembers } from '@survey/runtime/kafka/make-event';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import { TEST_EVENT, TEST_MESSAGE } from '../events/webhook-event-types.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import { settleAfterLast } from './attempt.ts';
import { applySettlement, type Delivery, makeDelivery } from './delivery.ts';
import type { DeliveryQueue, NewDeliveries } from './delivery-queue.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { PostDelivery } from './post-delivery.ts';
import { createSettleWhileLeased } from './settle-while-leased.ts';

/** Sends a test event to a webhook and waits for the result. */
export interface TestCall {
  /**
   * Throws `TOO_MANY_REQUESTS` after ten tests of the webhook in a minute, and `OVERLOADED` if too many tests run.
   * Throws `UNAVAILABLE` if a worker must send the test later.
   */
  test(call: Pick<TenantCall, 'tenantId' | 'traceparent'>, webhookId: string): Promise<Delivery>;
}

/** Limits how often a webhook is tested, across all processes. */
export interface TestLimit {
  /** Counts a test. If `max` tests were counted within `perMs`, it returns the time of the first one instead. */
  admitTest(
    webhook: Pick<Webhook, 'tenantId' | 'id'>,
    testId: string,
    limit: { readonly max: number; readonly perMs: number },
  ): Promise<Date | undefined>;
}

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly limit: TestLimit;
  readonly deliveries: NewDeliveries & Pick<DeliveryQueue, 'settle'>;
  readonly failures: Pick<FailureWatch, 'reset'>;
  readonly post: PostDelivery;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Timeout of an attempt, for tests too. The gateway and clients wait longer. */
  readonly timeoutMs: number;
  /** Duration of the lease. If this process dies, a worker sends the test after the lease. */
  readonly leaseMs: number;
}

const LIMIT = { max: 10, perMs: 60_000 };
/** Concurrent tests in one process: per tenant, and in total. */
const CONCURRENCY = { perKey: 16, total: 64 };

export function createTestCall(dependencies: Dependencies): TestCall {
  const { webhooks, limit, deliveries, failures, post, clock, newId, timeoutMs, leaseMs } = dependencies;
  const running = createKeyedSemaphore<TenantId>(CONCURRENCY);
  const settle = createSettleWhileLeased({ queue: deliveries, clock, isStopped: () => false });

  async function requireQuota({ id, tenantId, webhookId, createdAt }: Delivery): Promise<void> {
    const first = await limit.admitTest({ tenantId, id: webhookId }, id, LIMIT);
    if (first === undefined) return;
    // The first test may be later than this one: requests run at the same time, and the clocks of processes differ.
    const waitMs = Math.min(LIMIT.perMs, first.getTime() + LIMIT.perMs - createdAt.getTime());
    throw quotaExceeded(rateQuota('webhook-tests', LIMIT.max), Math.max(1_000, waitMs));
  }

  async function run({ tenantId, traceparent }: Pick<TenantCall, 'tenantId' | 'traceparent'>, webhookId: string) {
    const { revision } = await webhooks.get(tenantId, webhookId);
    const time = clock();
    const data = { webhook_id: webhookId, message: TEST_MESSAGE, ...changeMembers(time, revision) };
    const event = { id: newId(), type: TEST_EVENT, tenantId, time, data, traceparent };
    const delivery: Delivery = { ...makeDelivery(event, webhookId, time), trigger: 'test' };
    const lease = { claim: newId(), until: new Date(time.getTime() + leaseMs) };
    await requireQuota(delivery);
    // Like every delivery, a test is stored before it is sent.
    await deliveries.insertNew([delivery], { ids: new Set([delivery.id]), lease });
    // Read the webhook after the write, so that a deleted one gets nothing.
    const webhook = await webhooks.get(tenantId, webhookId);
    const stop = new AbortController().signal;
    const posted = await post(webhook, delivery, { timeoutMs, leaseUntil: lease.until, stop });
    // The lease is too short for an attempt. A worker sends the delivery when the lease ends.
    if (posted === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    const settlement = settleAfterLast(posted.attempt);
    await settle(delivery, lease, settlement);
    if (settlement.status === 'delivered') await failures.reset(webhook);
    return applySettlement(delivery, settlement);
  }

  return {
    async test(call, webhookId) {
      const { tenantId } = call;
      if (running.tryAcquire(tenantId) !== undefined) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      try {
        return await run(call, webhookId);
      } finally {
        running.release(tenantId);
      }
    },
  };
}
