import { maxEntries } from '@survey/runtime/flow/memoize';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Delivery, Settlement } from './delivery.ts';
import type { WebhookState } from './webhook-state-store.ts';

/** Health of the receiver of a webhook, as one process knows it. It decides how many attempts run at a time. */
export interface ReceiverHealth {
  /** Concurrency limit. It starts at 1 and doubles with each successful attempt. */
  readonly concurrency: number;
  readonly latency: LatencyClass;
  /** Increases with each consecutive failure: by 1 for a bad status, by 2 without a reply. */
  readonly failureScore: number;
  /** The revision of the webhook. The health of a changed webhook is unknown. */
  readonly revision: number | undefined;
  readonly breaker: Breaker | undefined;
}

/** `unknown` before the first attempt. `slow` if the last attempt took, or has run, longer than `SLOW_MS`. */
type LatencyClass = 'unknown' | 'fast' | 'slow';

/**
 * A circuit breaker that several failures in a row have opened. New deliveries wait, and one at a time is sent as a
 * probe. Retries are sent when due, and are probes, too. The first success closes the breaker.
 */
export interface Breaker {
  /** Time from which a new delivery may be sent as a probe. Milliseconds since 1970. */
  readonly until: number;
  /** The last pause of the breaker. Milliseconds. */
  readonly pauseMs: number;
}

/** Outcome of an attempt, for the health of the receiver. */
export type Outcome = 'delivered' | 'bad_status' | 'no_reply';

export const UNKNOWN_HEALTH: ReceiverHealth = {
  concurrency: 1,
  latency: 'unknown',
  failureScore: 0,
  revision: undefined,
  breaker: undefined,
};

/** An attempt that takes longer moves from a fast slot to a slow one. Milliseconds. */
export const SLOW_MS = 250;
const FAILURE_SCORES: Readonly<Record<Outcome, number>> = { delivered: 0, bad_status: 1, no_reply: 2 };
const OPEN_AT_SCORE = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

export function healthAfter(
  before: ReceiverHealth,
  { outcome, ms, now, maxConcurrency }: { outcome: Outcome; ms: number; now: number; maxConcurrency: number },
): ReceiverHealth {
  const latency = ms > SLOW_MS ? 'slow' : 'fast';
  if (outcome === 'delivered') {
    const concurrency = Math.min(maxConcurrency, before.concurrency * 2);
    return { ...before, concurrency, latency, failureScore: 0, breaker: undefined };
  }
  const failureScore = before.failureScore + FAILURE_SCORES[outcome];
  // An attempt without a reply holds a slot until its timeout, so the next one runs alone.
  const concurrency = outcome === 'no_reply' ? 1 : Math.max(1, Math.floor(before.concurrency / 2));
  const breaker = failureScore >= OPEN_AT_SCORE ? openedBreaker(before.breaker, now) : undefined;
  return { ...before, concurrency, latency, failureScore, breaker };
}

/** Opens the breaker. After a failed probe, the breaker stays open for twice as long as before. */
export function openedBreaker(before: Breaker | undefined, now: number): Breaker {
  const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, MAX_PAUSE_MS);
  return { until: now + pauseMs, pauseMs };
}

/** The outcome for the health of the receiver. Undefined if there was no attempt. */
export function outcomeOf({ status, attempt }: Settlement): Outcome | undefined {
  if (attempt === undefined) return undefined;
  if (status === 'delivered') return 'delivered';
  return attempt.statusCode === undefined ? 'no_reply' : 'bad_status';
}

/** A webhook at the revision of an attempt. */
interface SentWebhook extends Pick<Delivery, 'tenantId' | 'webhookId'> {
  readonly revision: number;
}

/** Shares the state of circuit breakers between replicas. */
export interface BreakerStore {
  /** Stores the breaker, unless the webhook has changed since that revision. */
  write(webhook: SentWebhook, breaker: Breaker | undefined): Promise<void>;
  /**
   * If the stored breaker equals `seen`, stores `next`: the caller may probe (`mine`). If another replica was first,
   * returns the stored breaker (`theirs`), or undefined if the breaker is closed.
   */
  takeProbe(
    webhook: Pick<Delivery, 'tenantId' | 'webhookId'>,
    seen: Breaker,
    next: Breaker,
  ): Promise<{ readonly kind: 'mine' } | { readonly kind: 'theirs'; readonly breaker: Breaker | undefined }>;
}

interface Dependencies {
  readonly store: BreakerStore;
  readonly maxConcurrency: number;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** Above this number, the least recently updated webhooks are evicted. Their health is unknown again. */
const MAX_CACHED = 50_000;

export type ReceiverHealthRegistry = ReturnType<typeof createReceiverHealthRegistry>;

/** The health of all receivers, as this process knows it. */
export function createReceiverHealthRegistry({ store, maxConcurrency, clock, log }: Dependencies) {
  /** Webhooks with an open breaker. */
  const open = new Set<string>();
  const known = new LRUCache<string, ReceiverHealth>({
    ...maxEntries(MAX_CACHED),
    dispose(_health, webhookId, reason) {
      if (reason === 'evict') open.delete(webhookId);
    },
  });
  const now = () => clock().getTime();
  // `peek` does not count as a use, so eviction follows updates.
  const of = (webhookId: string) => known.peek(webhookId) ?? UNKNOWN_HEALTH;

  function set(webhookId: string, health: ReceiverHealth): void {
    known.set(webhookId, health);
    if (health.breaker === undefined) open.delete(webhookId);
    else open.add(webhookId);
  }

  /** Does not wait for the write. If the write fails, another replica may send an extra probe. */
  function storeBreaker(webhook: SentWebhook, breaker: Breaker | undefined): void {
    store.write(webhook, breaker).catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhook.webhookId }, 'cannot store the state of a circuit breaker');
    });
  }

  return {
    of,

    /** Records that an attempt runs longer than `SLOW_MS`. */
    markSlow: (webhookId: string) => set(webhookId, { ...of(webhookId), latency: 'slow' }),

    /** Records the end of an attempt. Ignored if the webhook has changed since the attempt started. */
    record(webhook: SentWebhook, outcome: Outcome, ms: number): void {
      const { webhookId, revision } = webhook;
      const last = of(webhookId);
      const lastRevision = last.revision ?? revision;
      if (lastRevision > revision) return;
      const before = lastRevision < revision ? UNKNOWN_HEALTH : last;
      const health = healthAfter(before, { outcome, ms, now: now(), maxConcurrency });
      set(webhookId, { ...health, revision });
      if (health.breaker !== undefined || last.breaker !== undefined) storeBreaker(webhook, health.breaker);
    },

    /** Adopts the state that other replicas have stored. */
    adoptState({ id, revision, breaker }: WebhookState): void {
      const last = of(id);
      const isChanged = last.revision !== undefined && last.revision !== revision;
      const health = isChanged ? UNKNOWN_HEALTH : last;
      // Keep an open breaker of this process, because the stored breaker can be older. If another replica has closed
      // the breaker, `takeProbe` returns true.
      if (last.revision === revision && (breaker === undefined || last.breaker !== undefined)) return;
      set(id, { ...health, revision, breaker: health.breaker ?? breaker });
    },

    /** Whether a new delivery may be sent. While the breaker is open, one replica at a time may send a probe. */
    async takeProbe(webhook: Pick<Delivery, 'tenantId' | 'webhookId'>): Promise<boolean> {
      const health = of(webhook.webhookId);
      if (health.breaker === undefined) return true;
      const next = openedBreaker(health.breaker, now());
      // Set this before the call, so that this process starts no second probe during the call.
      set(webhook.webhookId, { ...health, breaker: next });
      const taken = await store.takeProbe(webhook, health.breaker, next);
      if (taken.kind === 'mine') return true;
      // Keep a newer state: an attempt may have ended during the call.
      if (of(webhook.webhookId).breaker === next) set(webhook.webhookId, { ...health, breaker: taken.breaker });
      return taken.breaker === undefined;
    },

    /** Counts breakers, as this process knows them. A half-open breaker waits for a probe. */
    count() {
      const time = now();
      let halfOpen = 0;
      for (const id of open) if ((of(id).breaker?.until ?? 0) <= time) halfOpen += 1;
      return { open: open.size - halfOpen, halfOpen };
    },
  };
}

/** Stores the start of the period in which all ended deliveries of a webhook have failed. */
export interface FailureStore {
  /** Returns the time of the first failure since the last success. Undefined if the webhook has been changed. */
  noteFailure(webhook: Webhook, now: Date): Promise<Date | undefined>;
  noteSuccess(webhook: Pick<Webhook, 'tenantId' | 'id'>): Promise<void>;
}

interface FailureDependencies {
  readonly store: FailureStore;
  readonly disable: WebhookService['disable'];
  readonly disableAfterMs: number;
  readonly clock: () => Date;
  readonly log: Logger;
}

export type FailureWatch = ReturnType<typeof createFailureWatch>;

/** Disables webhooks whose deliveries have all failed for days. */
export function createFailureWatch({ store, disable, disableAfterMs, clock, log }: FailureDependencies) {
  /** Webhooks with a stored failure. `adoptState` adds an evicted webhook again before its next attempt. */
  const failing = new LRUCache<string, true>(maxEntries(MAX_CACHED));

  async function noteFailure(webhook: Webhook, traceparent: string): Promise<void> {
    const now = clock();
    const since = await store.noteFailure(webhook, now);
    if (since === undefined) return;
    failing.set(webhook.id, true);
    if (now.getTime() - since.getTime() >= disableAfterMs) await disable(webhook, 'failing', traceparent, since);
  }

  /** Only logs errors: an error here would repeat the attempt. The next delivery that ends corrects the state. */
  async function logErrors(webhookId: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhookId }, 'cannot store since when a webhook fails');
    });
  }

  async function reset(webhook: Webhook): Promise<void> {
    await logErrors(webhook.id, store.noteSuccess(webhook));
    failing.delete(webhook.id);
  }

  return {
    /** Adopts the stored state. Called before each attempt. */
    adoptState({ id, failingSince }: WebhookState): void {
      if (failingSince === undefined) failing.delete(id);
      else failing.set(id, true);
    },

    /** An attempt succeeded, which ends the period of failures. */
    async succeeded(webhook: Webhook): Promise<void> {
      if (failing.has(webhook.id)) await reset(webhook);
    },

    /** Ends the period of failures, even if this process knows of no failure. */
    reset,

    /** A delivery failed for good. */
    failed: (webhook: Webhook, traceparent: string): Promise<void> =>
      logErrors(webhook.id, noteFailure(webhook, traceparent)),
  };
}
