import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { maxEntries } from '@survey/runtime/flow/max-entries';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Settlement } from './delivery.ts';
import type { WebhookState } from './webhook-reader.ts';

interface Webhook {
  readonly tenantId: TenantId;
  readonly webhookId: string;
}

/** A webhook at the revision of an attempt. */
interface SentWebhook extends Webhook {
  readonly revision: number;
}

/** Shares the state of circuit breakers between replicas. */
export interface BreakerStore {
  /** Stores the breaker, unless the webhook has changed since that revision. */
  write(webhook: SentWebhook, breaker: Breaker | undefined): Promise<void>;
  /**
   * If the stored breaker equals `seen`, stores `next`, and the caller may probe (`mine`). Otherwise, another replica
   * was first: returns the stored breaker (`theirs`), undefined if closed.
   */
  takeProbe(
    webhook: Webhook,
    seen: Breaker,
    next: Breaker,
  ): Promise<{ readonly kind: 'mine' } | { readonly kind: 'theirs'; readonly breaker: Breaker | undefined }>;
}

export interface ReceiverHealthRegistry {
  of(webhookId: string): ReceiverHealth;
  /** Records that an attempt runs longer than `SLOW_MS`. */
  markSlow(webhookId: string): void;
  /** Records the end of an attempt. Ignored if the webhook has changed since the attempt started. */
  record(webhook: SentWebhook, outcome: Outcome, ms: number): void;
  /** Adopts the state that other replicas have stored. */
  adoptState(state: WebhookState): void;
  /** Whether the caller may send a new delivery. While the breaker is open, one replica at a time may send a probe. */
  takeProbe(webhook: Webhook): Promise<boolean>;
  /** Counts breakers, as this process knows them. Half open ones wait for a probe. */
  count(): { readonly open: number; readonly halfOpen: number };
}

interface Dependencies {
  readonly store: BreakerStore;
  readonly maxConcurrency: number;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** Above this number, the least recently updated webhooks are evicted. They start as unknown. */
const MAX_CACHED = 50_000;

export function createReceiverHealthRegistry({
  store,
  maxConcurrency,
  clock,
  log,
}: Dependencies): ReceiverHealthRegistry {
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

  /** Does not wait for the write. If it fails, another replica may send one probe more. */
  function share(webhook: SentWebhook, breaker: Breaker | undefined): void {
    store.write(webhook, breaker).catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhook.webhookId }, 'cannot store the state of a circuit breaker');
    });
  }

  return {
    of,

    markSlow: (webhookId) => set(webhookId, { ...of(webhookId), latency: 'slow' }),

    record(webhook, outcome, ms) {
      const { webhookId, revision } = webhook;
      const last = of(webhookId);
      const lastRevision = last.revision ?? revision;
      if (lastRevision > revision) return;
      const before = lastRevision < revision ? UNKNOWN_HEALTH : last;
      const health = healthAfter(before, { outcome, ms, now: now(), maxConcurrency });
      set(webhookId, { ...health, revision });
      if (health.breaker !== undefined || last.breaker !== undefined) share(webhook, health.breaker);
    },

    adoptState({ id, revision, breaker }) {
      const last = of(id);
      const isChanged = last.revision !== undefined && last.revision !== revision;
      const health = isChanged ? UNKNOWN_HEALTH : last;
      if (last.revision === revision && (breaker === undefined || last.breaker !== undefined)) return;
      set(id, { ...health, revision, breaker: health.breaker ?? breaker });
    },

    async takeProbe(webhook) {
      const health = of(webhook.webhookId);
      if (health.breaker === undefined) return true;
      const next = openedBreaker(health.breaker, now());
      set(webhook.webhookId, { ...health, breaker: next });
      const taken = await store.takeProbe(webhook, health.breaker, next);
      if (taken.kind === 'mine') return true;
      // Keep a newer state: an attempt may have ended during the call.
      if (of(webhook.webhookId).breaker === next) set(webhook.webhookId, { ...health, breaker: taken.breaker });
      return taken.breaker === undefined;
    },

    count() {
      const time = now();
      let halfOpen = 0;
      for (const id of open) if ((of(id).breaker?.until ?? 0) <= time) halfOpen += 1;
      return { open: open.size - halfOpen, halfOpen };
    },
  };
}

/** Health of the receiver of a webhook, as one process knows it. */
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

/**
 * `unknown` before the first attempt. `slow` if the last attempt took longer than `SLOW_MS`, or already runs for
 * longer.
 */
export type LatencyClass = 'unknown' | 'fast' | 'slow';

/** An open circuit breaker. New deliveries wait. Retries are sent when due, and are probes too. */
export interface Breaker {
  /** From then on a new delivery may be sent as a probe. Milliseconds since 1970. */
  readonly until: number;
  /** The last pause of the breaker. Milliseconds. */
  readonly pauseMs: number;
}

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
  const concurrency = outcome === 'no_reply' ? 1 : Math.max(1, Math.floor(before.concurrency / 2));
  const breaker = failureScore >= OPEN_AT_SCORE ? openedBreaker(before.breaker, now) : undefined;
  return { ...before, concurrency, latency, failureScore, breaker };
}

/** Opens the breaker, after a failed probe for twice as long as before. */
export function openedBreaker(before: Breaker | undefined, now: number): Breaker {
  const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, MAX_PAUSE_MS);
  return { until: now + pauseMs, pauseMs };
}

/** The outcome for the health of the receiver. Undefined without an attempt. */
export function outcomeOf({ status, attempt }: Settlement): Outcome | undefined {
  if (attempt === undefined) return undefined;
  if (status === 'delivered') return 'delivered';
  return attempt.statusCode === undefined ? 'no_reply' : 'bad_status';
}
