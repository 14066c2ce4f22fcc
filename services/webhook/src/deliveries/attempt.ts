import type { Logger } from 'pino';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Attempt, Delivery, FailureReason, Settlement } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { isSuccess, type PostDelivery, type Posted } from './post-delivery.ts';
import type { RetrySchedule } from './retry-schedule.ts';
import type { WebhookHealth } from './webhook-health.ts';
import type { WebhookReader } from './webhook-reader.ts';

const GONE = 410;

/**
 * Attempts a delivery and returns its result. Returns undefined if the lease is too short for an attempt, or if `stop`
 * ended it before a reply; neither counts as an attempt. Rejects if our side fails; that is not counted either.
 */
export type AttemptDelivery = (
  delivery: Delivery,
  limits: { readonly leaseUntil: Date; readonly stop: AbortSignal },
) => Promise<AttemptResult | undefined>;

interface AttemptResult {
  readonly settlement: Settlement;
  /** The revision of the webhook at the attempt; absent when nothing was sent. */
  readonly revision?: number;
}

interface Dependencies {
  readonly webhooks: WebhookReader;
  readonly disable: WebhookService['disable'];
  readonly health: Pick<WebhookHealth, 'succeeded' | 'failed'>;
  readonly post: PostDelivery;
  readonly schedule: RetrySchedule;
  readonly metrics: Pick<DeliveryMetrics, 'ended'>;
  readonly clock: () => Date;
  readonly timeoutMs: number;
  /** Whether a 410 switches the webhook off. */
  readonly disableOnGone: boolean;
  readonly log: Logger;
}

export function createAttempt(dependencies: Dependencies): AttemptDelivery {
  const { webhooks, disable, health, post, schedule, metrics, clock, timeoutMs, disableOnGone, log } = dependencies;

  /**
   * Why a webhook whose receiver is gone gets nothing more; undefined when it was changed since the attempt began, and
   * is on: what is gone may be what it led to before.
   */
  async function switchOff(webhook: Webhook, { traceparent }: Delivery): Promise<Refusal | undefined> {
    try {
      if (await disable(webhook, 'gone', traceparent)) return refusalOf({ active: false });
      return refusalOf(await webhooks.find(webhook.tenantId, webhook.id));
    } catch (error) {
      // A failure here must not send again what was sent: the next attempt makes up for it.
      log.warn({ err: error, webhook_id: webhook.id }, 'a webhook that is gone was not switched off');
      return undefined;
    }
  }

  async function settlementOf(webhook: Webhook, delivery: Delivery, { attempt, reply }: Posted): Promise<Settlement> {
    if (isSuccess(attempt.statusCode)) {
      await health.succeeded(webhook);
      return endAfter(attempt);
    }
    if (delivery.trigger === 'test') return endAfter(attempt);
    const isGone = attempt.statusCode === GONE && disableOnGone;
    const refusal = isGone ? await switchOff(webhook, delivery) : undefined;
    if (refusal !== undefined) return { ...refusal, attempt };
    const delayMs = schedule.delayAfter(attempt.number - delivery.triedBefore, reply ?? {});
    if (delayMs === undefined) {
      await health.failed(webhook, delivery.traceparent);
      return endAfter(attempt);
    }
    return { status: 'failed', attempt, nextAttemptAt: new Date(clock().getTime() + delayMs) };
  }

  /** Records how long a delivery took, unless somebody sent it again. */
  function measure({ eventTime, trigger }: Delivery, settlement: Settlement): void {
    if ('nextAttemptAt' in settlement || trigger !== 'schedule') return;
    metrics.ended(settlement.status, (clock().getTime() - eventTime.getTime()) / 1000);
  }

  return async (delivery, limits) => {
    // Read after it was claimed: what was deleted or switched off by then gets nothing more.
    const webhook = await webhooks.find(delivery.tenantId, delivery.webhookId);
    const refusal = refusalOf(webhook);
    // Without a webhook there is a refusal.
    if (webhook === undefined || refusal !== undefined) return refusal && { settlement: refusal };
    const posted = await post(webhook, delivery, { timeoutMs, ...limits });
    if (posted === undefined) return undefined;
    const settlement = await settlementOf(webhook, delivery, posted);
    measure(delivery, settlement);
    return { settlement, revision: webhook.revision };
  };
}

/** What becomes of a delivery after its last attempt. */
export function endAfter(attempt: Attempt): Settlement {
  if (isSuccess(attempt.statusCode)) return { status: 'delivered', attempt };
  return { status: 'failed', attempt, failureReason: 'retries_exhausted' };
}

interface Refusal {
  readonly status: 'failed';
  readonly failureReason: FailureReason;
}

/** What becomes of a delivery without an attempt, because of its webhook. */
export function refusalOf(webhook: Pick<Webhook, 'active'> | undefined): Refusal | undefined {
  if (webhook === undefined) return { status: 'failed', failureReason: 'webhook_deleted' };
  return webhook.active ? undefined : { status: 'failed', failureReason: 'webhook_disabled' };
}
