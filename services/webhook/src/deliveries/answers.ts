import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { backoffMs } from '@survey/runtime/flow/retry';
import type { Logger } from 'pino';
import { type Delivery, failedBy, rejectionOf, type SendStep, type Settlement } from './delivery.ts';
import { type DeliveryEncryption, dataOf, fromBody, withAnswers } from './delivery-document.ts';
import type { WebhookBatches } from './webhook-state-store.ts';

interface Answers {
  readonly revision: number;
  readonly data: JsonObject;
  /** The values of metadata fields; undefined if the survey declares none. */
  readonly metadata?: JsonObject | undefined;
}

export interface FoundAnswers {
  /** Answers by response id; undefined if the response was deleted. Unreadable responses have no entry. */
  readonly answers: ReadonlyMap<string, Answers | undefined>;
  /** Ids to request again, because the reply became too large. Never all requested ids. */
  readonly postponed: ReadonlySet<string>;
}

export interface AnswerSource {
  /** Rejects if the source is unavailable. @param ids at most 100 */
  find(tenantId: TenantId, ids: readonly string[]): Promise<FoundAnswers>;
}

export type AnswerResult =
  /** The body of the delivery is final. */
  | { readonly kind: 'ready'; readonly delivery: Delivery; readonly step: SendStep }
  /** The answers could not be read now. */
  | { readonly kind: 'waits'; readonly delivery: Delivery; readonly timesUnreadable: number; readonly dueAt: Date }
  | { readonly kind: 'failed'; readonly delivery: Delivery; readonly settlement: Settlement };

/**
 * Adds respondents' answers to claimed deliveries of one tenant, if their webhooks ask for answers. The caller stores
 * the results before it sends them, so that all attempts send the same bytes. Rejects only if the database of this
 * service or the keys are unavailable.
 */
export type AddAnswers = (tenantId: TenantId, claimed: readonly Delivery[]) => Promise<readonly AnswerResult[]>;

interface Dependencies {
  readonly source: AnswerSource;
  readonly webhooks: Pick<WebhookBatches, 'findAll'>;
  readonly encryption: Pick<DeliveryEncryption, 'seal'>;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** While the response service is unavailable, the next pause is as long as the outage so far, within these bounds. */
const OUTAGE_MS = { min: 1_000, max: 60_000 };
const UNREADABLE_BACKOFF = { firstMs: 1_000, maxMs: 600_000 };
/** About one day with `UNREADABLE_BACKOFF`. */
const MAX_TIMES_UNREADABLE = 150;
/** Older deliveries get the step `retry`, so that they do not delay new ones. */
const FRESH_MS = 10_000;

export function createAddAnswers({ source, webhooks, encryption, clock, log }: Dependencies): AddAnswers {
  let unavailableSince: number | undefined;

  /** Returns undefined if the response service is unavailable. */
  async function read(tenantId: TenantId, wanted: readonly Delivery[]): Promise<FoundAnswers | undefined> {
    if (wanted.length === 0) return { answers: new Map(), postponed: new Set() };
    try {
      const found = await source.find(tenantId, [...new Set(wanted.map(responseIdOf))]);
      unavailableSince = undefined;
      return found;
    } catch (error) {
      unavailableSince ??= clock().getTime();
      log.warn({ err: error, tenant_id: tenantId }, 'cannot read answers, their deliveries wait');
      return undefined;
    }
  }

  /** @param answers undefined if the response was deleted */
  async function complete(delivery: Delivery, answers: Answers | undefined): Promise<Delivery> {
    const payload = fromBody(delivery.body);
    // Prefer the revision of the event. Events of earlier releases have none.
    const data = { ...(answers !== undefined && { revision: answers.revision }), ...dataOf(payload) };
    const sealed = await encryption.seal(delivery, withAnswers({ ...payload, data }, answers));
    return { ...delivery, body: sealed.ct.value(), sealed };
  }

  function ready(delivery: Delivery): AnswerResult {
    const isNew = clock().getTime() - delivery.createdAt.getTime() < FRESH_MS;
    const step = isNew && delivery.attempts.length === 0 ? 'fresh' : 'retry';
    return { kind: 'ready', delivery: { ...delivery, awaitsAnswers: false, timesUnreadable: 0 }, step };
  }

  function waits(delivery: Delivery, pauseMs: number, timesUnreadable = delivery.timesUnreadable): AnswerResult {
    return { kind: 'waits', delivery, timesUnreadable, dueAt: new Date(clock().getTime() + pauseMs) };
  }

  /** Postpones a delivery with an unreadable response, so that other deliveries do not wait for it. */
  function resultOfUnreadable(delivery: Delivery): AnswerResult {
    const times = delivery.timesUnreadable + 1;
    const pauseMs = pauseAfter(times);
    if (pauseMs !== undefined) return waits(delivery, pauseMs, times);
    const { id, tenantId } = delivery;
    const logFields = { delivery_id: id, tenant_id: tenantId, response_id: responseIdOf(delivery) };
    log.error(logFields, 'the answers of a response stay unreadable, its delivery has failed');
    return { kind: 'failed', delivery, settlement: failedBy('answers_unreadable') };
  }

  return async (tenantId, claimed) => {
    const found = await read(
      tenantId,
      claimed.filter(({ isResponseDeleted }) => !isResponseDeleted),
    );
    // Read the webhooks after the answers, because they can change during the read of answers.
    const all = await webhooks.findAll([...new Set(claimed.map(({ webhookId }) => webhookId))]);
    const webhookOf = new Map(all.map((webhook) => [webhook.id, webhook]));
    return Promise.all(
      claimed.map(async (delivery): Promise<AnswerResult> => {
        const webhook = webhookOf.get(delivery.webhookId);
        const rejection = rejectionOf(webhook, delivery);
        if (rejection !== undefined) return { kind: 'failed', delivery, settlement: rejection.settlement };
        if (webhook?.includeAnswers !== true) return ready(delivery);
        if (delivery.isResponseDeleted) return ready(await complete(delivery, undefined));
        if (found === undefined) {
          // `unavailableSince` is undefined if a concurrent read for another tenant has succeeded.
          const now = clock().getTime();
          const outageMs = now - (unavailableSince ?? now);
          return waits(delivery, Math.min(Math.max(outageMs, OUTAGE_MS.min), OUTAGE_MS.max));
        }
        const id = responseIdOf(delivery);
        // Read these answers after the next claim, so that memory holds only the answers of one reply.
        if (found.postponed.has(id)) return waits(delivery, 0);
        return found.answers.has(id)
          ? ready(await complete(delivery, found.answers.get(id)))
          : resultOfUnreadable(delivery);
      }),
    );
  };
}

function responseIdOf({ body }: Delivery): string {
  // Only events of responses wait for answers, and each has a response id.
  return dataOf(fromBody(body))['response_id'] as string;
}

/** Pause before the next read of unreadable answers, in milliseconds; undefined after too many failed reads. */
export function pauseAfter(times: number): number | undefined {
  return times < MAX_TIMES_UNREADABLE ? backoffMs(UNREADABLE_BACKOFF, times) : undefined;
}
