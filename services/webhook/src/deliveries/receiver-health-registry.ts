import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { maxEntries } from '@survey/runtime/limits/max-entries';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  type Breaker,
  healthAfter,
  type Outcome,
  openedBreaker,
  type ReceiverHealth,
  UNKNOWN_HEALTH,
} from './receiver-health.ts';
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
