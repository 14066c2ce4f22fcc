import type { Logger } from 'pino';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import {
  type Attempt,
  type Delivery,
  failedBy,
  type Rejection,
  type RetrySchedule,
  rejectionOf,
  type Settlement,
} from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { isSuccess, type PostDelivery, type Posted } from './post-delivery.ts';
import type { FailureWatch } from './receiver-health.ts';
import type { ReceiverWait } from './scheduler.ts';
import type { WebhookReader } from './webhook-state-store.ts';

const GONE = 410;

/**
 * Attempts a claimed delivery. Returns undefined if the lease is too short for an attempt, or if `stop` ended the
 * attempt before a reply. Rejects if the platform fails. Neither case counts as an attempt.
 */
export type AttemptDelivery = (
  delivery: Delivery,
  limits: { readonly leaseUntil: Date; readonly stop: AbortSignal; readonly wait: ReceiverWait },
) => Promise<AttemptResult | undefined>;

interface AttemptResult {
  readonly settlement: Settlement;
  /** The revision of the webhook at the attempt; undefined if nothing was sent. */
  readonly revision?: number;
}

interface Dependencies {
  readonly webhooks: WebhookReader;
  readonly disable: WebhookService['disable'];
  readonly failures: Pick<FailureWatch, 'succeeded' | 'failed'>;
  readonly post: PostDelivery;
  readonly schedule: RetrySchedule;
  readonly metrics: Pick<DeliveryMetrics, 'ended'>;
  readonly clock: () => Date;
  readonly timeoutMs: number;
  /** Whether a reply of 410 disables the webhook. */
  readonly disableOnGone: boolean;
  readonly log: Logger;
}

export function createAttemptDelivery(dependencies: Dependencies): AttemptDelivery {
  const { webhooks, disable, failures, post, schedule, metrics, clock, timeoutMs, disableOnGone, log } = dependencies;

  /** Disables a webhook after 410. Undefined if a change during the attempt left it active: the new URL may work. */
  async function disableGone(webhook: Webhook, delivery: Delivery): Promise<Rejection | undefined> {
    try {
      const isDisabled = await disable(webhook, 'gone', delivery.traceparent);
      const current = isDisabled ? { ...webhook, active: false } : await webhooks.find(webhook.tenantId, webhook.id);
      return rejectionOf(current, delivery);
    } catch (error) {
      // An error here would repeat the attempt. The next 410 disables the webhook.
      log.warn({ err: error, webhook_id: webhook.id }, 'cannot disable a webhook that replied with 410');
      return undefined;
    }
  }

  async function settlementOf(webhook: Webhook, delivery: Delivery, { attempt, reply }: Posted): Promise<Settlement> {
    if (isSuccess(attempt.statusCode)) {
      await failures.succeeded(webhook);
      return settleFinally(attempt);
    }
    // A failed test is not retried, and does not disable the webhook: users test a receiver until it works.
    if (delivery.trigger === 'test') return settleFinally(attempt);
    const isGone = attempt.statusCode === GONE && disableOnGone;
    const rejection = isGone ? await disableGone(webhook, delivery) : undefined;
    if (rejection !== undefined) return { ...rejection.settlement, attempt };
    // Attempts that a user asked for do not use up the retries.
    const delayMs = schedule.delayAfter(attempt.number - delivery.attemptsOutsideSchedule, reply ?? {});
    if (delayMs === undefined) {
      await failures.failed(webhook, delivery.traceparent);
      return settleFinally(attempt);
    }
    // With `nextAttemptAt`, the status `failed` means that the delivery is retried.
    return { status: 'failed', attempt, nextAttemptAt: new Date(clock().getTime() + delayMs) };
  }

  /** Records the delay of a delivery that is over, unless a user triggered it. */
  function measureDelay({ eventTime, trigger }: Delivery, settlement: Settlement): void {
    if ('nextAttemptAt' in settlement || trigger !== 'schedule') return;
    metrics.ended(settlement.status, (clock().getTime() - eventTime.getTime()) / 1000);
  }

  return async (delivery, limits) => {
    // Read the webhook after the claim, so that a deleted or disabled webhook gets no more attempts.
    const webhook = await webhooks.find(delivery.tenantId, delivery.webhookId);
    const rejection = rejectionOf(webhook, delivery);
    if (webhook === undefined || rejection !== undefined) {
      return rejection && { settlement: rejection.settlement };
    }
    const posted = await post(webhook, delivery, { timeoutMs, ...limits });
    if (posted === undefined) return undefined;
    const settlement = await settlementOf(webhook, delivery, posted);
    measureDelay(delivery, settlement);
    return { settlement, revision: webhook.revision };
  };
}

/** The result of a delivery after its last attempt: a success, a test, or a failure without retries left. */
export function settleFinally(attempt: Attempt): Settlement {
  if (isSuccess(attempt.statusCode)) return { status: 'delivered', attempt };
  return { ...failedBy('retries_exhausted'), attempt };
}
