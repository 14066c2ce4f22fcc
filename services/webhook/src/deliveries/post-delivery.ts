import { startSpanInTrace } from '@survey/runtime/telemetry/spans';
import { AttemptError } from '../sending/attempt-error.ts';
import type { Send } from '../sending/http-sender.ts';
import type { Reply } from '../sending/reply.ts';
import { hiddenSignatureHeaders, signatureHeaders } from '../sending/signature.ts';
import { portOf } from '../targets/target.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { type HeaderEncryption, HIDDEN_VALUE } from '../webhooks/webhook-headers.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secret.ts';
import { type Attempt, attemptCount, type Delivery, keepsReplies, type SentRequest } from './delivery.ts';
import type { DeliveryEncryption } from './delivery-document.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { ReceiverWait } from './scheduler.ts';

/** Headers of every request besides the signature. */
const FIXED_HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': 'Survey-Webhook/1.0',
  'Accept-Encoding': 'identity',
} as const;

/** The part of the lease that is reserved for storing the result, with retries. */
const SETTLE_MS = 10_000;

/** Sends a claimed delivery once. Undefined if the lease is too short, or `stop` ended the attempt before a reply. */
export type PostDelivery = (
  webhook: Webhook,
  delivery: Delivery,
  limits: {
    readonly timeoutMs: number;
    /** The end of the lease. The attempt starts only if its result can be stored before this time. */
    readonly leaseUntil: Date;
    readonly stop: AbortSignal;
    /** Measures how long the receiver takes. */
    readonly wait?: ReceiverWait;
  },
) => Promise<Posted | undefined>;

export interface Posted {
  readonly attempt: Attempt;
  /** Undefined if there was no reply. In that case, the attempt has an error. */
  readonly reply: Reply | undefined;
}

interface Dependencies {
  readonly secrets: Pick<WebhookSecrets, 'signingAt'>;
  readonly headers: Pick<HeaderEncryption, 'open'>;
  readonly encryption: Pick<DeliveryEncryption, 'open' | 'replySealer'>;
  readonly send: Send;
  readonly metrics: Pick<DeliveryMetrics, 'attempted'>;
  readonly clock: () => Date;
  readonly headerPrefix: string;
}

type Result = Reply | AttemptError;

export function createPostDelivery(dependencies: Dependencies): PostDelivery {
  const { secrets, headers, encryption, send, metrics, clock, headerPrefix } = dependencies;

  async function toMessage(webhook: Webhook, delivery: Delivery) {
    const body = await encryption.open(delivery);
    const tenantHeaders = await headers.open(webhook);
    const sealReply = keepsReplies(delivery) ? await encryption.replySealer(delivery) : undefined;
    // Sign with the secrets that are valid at the signed time.
    const time = clock();
    const signed = { deliveryId: delivery.id, time, body, secrets: await secrets.signingAt(webhook, time) };
    const platformHeaders = {
      ...FIXED_HEADERS,
      ...signatureHeaders(headerPrefix, signed),
    };
    const { url, id: webhookId } = webhook;
    const tenantOnly = withoutPlatformHeaders(tenantHeaders, platformHeaders);
    return {
      message: { url, headers: { ...tenantOnly, ...platformHeaders }, body, webhookId },
      request: { url, headerNames: Object.keys(tenantOnly), signedAt: time },
      sealReply,
    };
  }

  return async (webhook, delivery, { timeoutMs, leaseUntil, stop, wait }) => {
    const { message, request, sealReply } = await toMessage(webhook, delivery);
    // Start the clock after loading keys, because the receiver did not cause that delay. If too little of the lease is
    // left, do not send: a worker sends the delivery after the lease.
    const startedAt = clock();
    const start = performance.now();
    if (startedAt.getTime() >= leaseUntil.getTime() - timeoutMs - SETTLE_MS) return undefined;
    const { traceparent } = delivery;
    const deadline = createDeadline(timeoutMs, stop);
    wait?.begin();
    const sent = inSendSpan({ traceparent, url: webhook.url }, () => send(message, deadline.signal)).finally(wait?.end);
    const result = await sent.catch((error: unknown) => deadline.resultOf(error)).finally(deadline.clear);
    if (result === undefined) return undefined;
    metrics.attempted(toOutcome(result));
    const durationMs = Math.round(performance.now() - start);
    const { trigger } = delivery;
    const number = attemptCount(delivery) + 1;
    const attempt = { number, trigger, startedAt, durationMs, request };
    if (result instanceof AttemptError) {
      return {
        attempt: { ...attempt, statusCode: undefined, reply: undefined, error: result.message },
        reply: undefined,
      };
    }
    const { statusCode, contentType, excerpt, endedNormally } = result;
    // The status decides whether the delivery succeeded, so a 2xx with an incomplete body counts as delivered.
    const error = endedNormally ? undefined : 'body_incomplete';
    return {
      attempt: { ...attempt, statusCode, reply: sealReply?.(number, { contentType, excerpt }), error },
      reply: result,
    };
  };
}

/** The headers of a request, as tenants see them: without secrets and signatures. */
export function toShownHeaders(
  headerPrefix: string,
  deliveryId: string,
  { headerNames, signedAt }: SentRequest,
): Readonly<Record<string, string>> {
  const own = headerNames.map((name) => [name, HIDDEN_VALUE]);
  const signature = hiddenSignatureHeaders(headerPrefix, { deliveryId, time: signedAt });
  return { ...Object.fromEntries(own), ...FIXED_HEADERS, ...signature };
}

/** Removes tenant headers that the platform sets too: the configured prefix may have changed since they were saved. */
function withoutPlatformHeaders(
  tenantHeaders: Readonly<Record<string, string>>,
  platformHeaders: Readonly<Record<string, string>>,
) {
  const taken = new Set(Object.keys(platformHeaders).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(tenantHeaders).filter(([name]) => !taken.has(name.toLowerCase())));
}

/** Combines timeout and `stop` in one signal. Clear it after the attempt, so that no timer or listener is left. */
function createDeadline(ms: number, stop: AbortSignal) {
  const controller = new AbortController();
  let isTimedOut = false;
  const abort = () => controller.abort(stop.reason);
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, ms);
  if (stop.aborted) abort();
  else stop.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    /** Maps an error of sending. Returns undefined if `stop` ended the attempt. Rethrows errors of the platform. */
    resultOf(error: unknown): AttemptError | undefined {
      if (isTimedOut) return new AttemptError('timeout');
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

/** Sends in a span of the delivery's trace. Only host and port are recorded: the rest of the URL may be secret. */
export async function inSendSpan(
  { traceparent, url }: { readonly traceparent: string; readonly url: string },
  send: () => Promise<Reply>,
): Promise<Reply> {
  const target = new URL(url);
  const span = startSpanInTrace({
    name: 'POST webhook',
    kind: 'client',
    traceparent,
    attributes: {
      'http.request.method': 'POST',
      'server.address': target.hostname,
      'server.port': portOf(target),
    },
  });
  try {
    const reply = await span.run(send);
    const { statusCode } = reply;
    const attributes = { 'http.response.status_code': statusCode };
    span.end(statusCode < 400 ? { attributes } : { attributes, error: String(statusCode) });
    return reply;
  } catch (error) {
    span.end({ error: error instanceof AttemptError ? error.failure : 'aborted' });
    throw error;
  }
}
