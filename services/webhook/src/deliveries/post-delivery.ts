import { AttemptError } from '../sending/attempt-error.ts';
import type { Send } from '../sending/http-sender.ts';
import type { Reply } from '../sending/reply.ts';
import { inSendSpan } from '../sending/send-span.ts';
import { signatureHeaders } from '../sending/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookHeaders } from '../webhooks/webhook-headers.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secret.ts';
import { type Attempt, attemptCount, type Delivery } from './delivery.ts';
import type { DeliveryBodies } from './delivery-body.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

const USER_AGENT = 'Survey-Webhook/1.0';

/** What the result needs of the lease after an attempt: it is written down, and again when the store is away. */
const SETTLE_MS = 10_000;

/**
 * Sends a delivery once; undefined when nothing was sent because it was too late for that, and when `stop` ended it
 * before there was a reply. Rejects when it is our side that fails: then nothing is known, and nothing is counted.
 */
export type PostDelivery = (
  webhook: Webhook,
  delivery: Delivery,
  limits: {
    readonly timeoutMs: number;
    /** The end of the lease: an attempt that could last until then, or nearly, does not begin. */
    readonly leaseUntil: Date;
    readonly stop: AbortSignal;
  },
) => Promise<Posted | undefined>;

export interface Posted {
  readonly attempt: Attempt;
  /** Undefined when there was none: then the attempt tells why. */
  readonly reply: Reply | undefined;
}

interface Dependencies {
  readonly secrets: Pick<WebhookSecrets, 'signingAt'>;
  readonly headers: Pick<WebhookHeaders, 'open'>;
  readonly bodies: Pick<DeliveryBodies, 'open'>;
  readonly send: Send;
  readonly metrics: Pick<DeliveryMetrics, 'attempted'>;
  readonly clock: () => Date;
  readonly headerPrefix: string;
}

/** What came of sending: a reply, or the reason why there is none. */
type Result = Reply | AttemptError;

export function createPostDelivery(dependencies: Dependencies): PostDelivery {
  const { secrets, headers, bodies, send, metrics, clock, headerPrefix } = dependencies;

  async function toMessage(webhook: Webhook, delivery: Delivery) {
    const body = await bodies.open(delivery);
    const own = await headers.open(webhook);
    // The keys are those of the time that is signed.
    const time = clock();
    const signed = { deliveryId: delivery.id, time, body, secrets: await secrets.signingAt(webhook, time) };
    const ours = {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'Accept-Encoding': 'identity',
      ...signatureHeaders(headerPrefix, signed),
    };
    return { url: webhook.url, headers: { ...without(own, ours), ...ours }, body, sender: webhook.id };
  }

  return async (webhook, delivery, { timeoutMs, leaseUntil, stop }) => {
    const startedAt = clock();
    const start = performance.now();
    const message = await toMessage(webhook, delivery);
    // Looked at last: whatever came before may have waited for the store, and another worker sends it after the lease.
    if (clock().getTime() >= leaseUntil.getTime() - timeoutMs - SETTLE_MS) return undefined;
    const { traceparent } = delivery;
    const deadline = createDeadline(timeoutMs, stop);
    const sent = inSendSpan({ traceparent, url: webhook.url }, () => send(message, deadline.signal));
    const result = await sent.catch((error: unknown) => deadline.resultOf(error)).finally(deadline.clear);
    if (result === undefined) return undefined;
    metrics.attempted(toOutcome(result));
    const durationMs = Math.round(performance.now() - start);
    const { trigger } = delivery;
    return {
      attempt: { number: attemptCount(delivery) + 1, trigger, startedAt, durationMs, ...toRecord(result) },
      reply: result instanceof AttemptError ? undefined : result,
    };
  };
}

/** The tenant's headers without those that have come to be ours since they were saved, by another prefix. */
function without(own: Readonly<Record<string, string>>, ours: Readonly<Record<string, string>>) {
  const taken = new Set(Object.keys(ours).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(own).filter(([name]) => !taken.has(name.toLowerCase())));
}

/** One signal for the end of the time and of the process. It has to be cleared: a connection outlives its messages. */
function createDeadline(ms: number, stop: AbortSignal) {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort(stop.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, ms);
  if (stop.aborted) abort();
  else stop.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    /** What it means that sending failed; undefined when it was stopped. Throws what is no failure of sending. */
    resultOf(error: unknown): AttemptError | undefined {
      if (isOver) return new AttemptError('timeout');
      if (stop.aborted) return undefined;
      if (error instanceof AttemptError) return error;
      throw error;
    },
    clear() {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    },
  };
}

export function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

function toOutcome(result: Result) {
  if (result instanceof AttemptError) return result.failure;
  return isSuccess(result.statusCode) ? 'delivered' : 'bad_status';
}

function toRecord(result: Result) {
  if (result instanceof AttemptError) {
    return { statusCode: undefined, contentType: undefined, responseExcerpt: undefined, error: result.message };
  }
  const { statusCode, contentType, excerpt, isComplete } = result;
  return { statusCode, contentType, responseExcerpt: excerpt, error: isComplete ? undefined : 'body_incomplete' };
}
