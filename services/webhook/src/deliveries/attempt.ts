import type { Answer } from '../sending/answer.ts';
import { AttemptError } from '../sending/attempt-error.ts';
import type { Send } from '../sending/http-sender.ts';
import { inSendSpan } from '../sending/send-span.ts';
import { signatureHeaders } from '../sending/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secret.ts';
import type { WebhookService, WebhookStore } from '../webhooks/webhook-service.ts';
import type { Attempt, Delivery, Settlement } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { RetrySchedule } from './retry-schedule.ts';

const USER_AGENT = 'Survey-Webhook/1.0';
const GONE = 410;

/**
 * Has a turn at a delivery and tells what becomes of it; undefined when `stop` ended the attempt before there was an
 * answer, which does not count. Rejects when it is our side that fails: then nothing is known, and nothing is counted.
 */
export type TakeTurn = (delivery: Delivery, stop: AbortSignal) => Promise<Settlement | undefined>;

interface Dependencies {
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly disable: WebhookService['disable'];
  readonly secrets: Pick<WebhookSecrets, 'open'>;
  readonly send: Send;
  readonly schedule: RetrySchedule;
  readonly metrics: DeliveryMetrics;
  readonly clock: () => Date;
  readonly timeoutMs: number;
  readonly headerPrefix: string;
  /** Whether an answer of 410 switches the webhook off. */
  readonly disableOnGone: boolean;
}

/** What came of sending: an answer, or the reason why there is none. */
type Result = Answer | AttemptError;

export function createAttempt(dependencies: Dependencies): TakeTurn {
  const { webhooks, disable, secrets, send, schedule, metrics, clock, timeoutMs, headerPrefix, disableOnGone } =
    dependencies;

  async function post(
    webhook: Webhook,
    { id, body, traceparent }: Delivery,
    stop: AbortSignal,
  ): Promise<Result | undefined> {
    const secret = await secrets.open(webhook);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'Accept-Encoding': 'identity',
      ...signatureHeaders(headerPrefix, { deliveryId: id, time: clock(), body, secret }),
    };
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const { url } = webhook;
      const signal = AbortSignal.any([deadline, stop]);
      return await inSendSpan({ traceparent, url }, () => send({ url, headers, body }, signal));
    } catch (error) {
      if (deadline.aborted) return new AttemptError('timeout');
      if (stop.aborted) return undefined;
      if (error instanceof AttemptError) return error;
      throw error;
    }
  }

  async function settlementOf(
    webhook: Webhook,
    delivery: Delivery,
    attempt: Attempt,
    result: Result,
  ): Promise<Settlement> {
    if (isSuccess(attempt.statusCode)) return { status: 'delivered', attempt };
    if (attempt.statusCode === GONE && disableOnGone) {
      await disable(webhook, 'gone', delivery.traceparent);
      return { status: 'failed', attempt, failureReason: 'webhook_disabled' };
    }
    const answer = result instanceof AttemptError ? {} : result;
    const delayMs = schedule.delayAfter(attempt.number, answer);
    if (delayMs === undefined) return { status: 'failed', attempt, failureReason: 'retries_exhausted' };
    return { status: 'failed', attempt, nextAttemptAt: new Date(clock().getTime() + delayMs) };
  }

  function count(delivery: Delivery, result: Result): void {
    if (result instanceof AttemptError) metrics.attempted(result.failure);
    else metrics.attempted(isSuccess(result.statusCode) ? 'delivered' : 'bad_status');
    if (!(result instanceof AttemptError) && isSuccess(result.statusCode)) {
      metrics.delivered((clock().getTime() - delivery.eventTime.getTime()) / 1000);
    }
  }

  return async (delivery, stop) => {
    // Read anew each time: what was deleted or switched off since gets nothing more.
    const webhook = await webhooks.find(delivery.tenantId, delivery.webhookId);
    if (webhook === undefined) return { status: 'failed', failureReason: 'webhook_deleted' };
    if (!webhook.active) return { status: 'failed', failureReason: 'webhook_disabled' };
    const startedAt = clock();
    const start = performance.now();
    const result = await post(webhook, delivery, stop);
    if (result === undefined) return undefined;
    count(delivery, result);
    const durationMs = Math.round(performance.now() - start);
    const attempt = { number: delivery.attempts.length + 1, startedAt, durationMs, ...toRecord(result) };
    return settlementOf(webhook, delivery, attempt, result);
  };
}

function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

function toRecord(result: Result) {
  if (result instanceof AttemptError) {
    return { statusCode: undefined, contentType: undefined, responseExcerpt: undefined, error: result.message };
  }
  const { statusCode, contentType, excerpt, isComplete } = result;
  return { statusCode, contentType, responseExcerpt: excerpt, error: isComplete ? undefined : 'body_incomplete' };
}
