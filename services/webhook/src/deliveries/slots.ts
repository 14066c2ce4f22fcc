import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { type LatencyClass, type ReceiverHealth, SLOW_MS } from './receiver-health.ts';
import type { LimitedQueue, QueueName, Running, SchedulerPolicy } from './scheduler-policy.ts';
import type { SendStage, WebhookKey } from './stage.ts';

/** The part of an attempt that depends on the receiver. Reads and writes of this process are not part of it. */
export interface ReceiverWait {
  /** Call it before the request is sent. */
  begin(): void;
  /** Call it when the receiver has replied, or the request has failed. */
  end(): void;
}

/** The slot of a running attempt. */
export interface Slot extends ReceiverWait {
  /** Also ends the wait. Call it exactly once. */
  release(): void;
}

/** Limits attempts: few fast slots, and many slow ones for attempts that only wait for a reply. */
export interface Slots {
  /** Acquires a slot. Returns undefined if none is free for this webhook. */
  acquire(webhook: WebhookKey, stage: SendStage): Slot | undefined;
  running(webhookId: string, stage: SendStage): Running;
  /** Whether the queue has a free fast slot. A slow slot may be free anyway. */
  hasFastFor(queue: QueueName): boolean;
  /** Moves long attempts to slow slots. Reports webhooks whose receiver takes long. */
  moveSlow(): void;
  count(): Readonly<Record<SendStage | 'slow', number>>;
}

interface Dependencies {
  readonly policy: Pick<SchedulerPolicy, 'fastSlots' | 'slowSlots'>;
  readonly healthOf: (webhookId: string) => ReceiverHealth;
  readonly onSlow: (webhookId: string) => void;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

interface Attempt {
  readonly webhook: WebhookKey;
  readonly stage: SendStage;
  readonly latency: LatencyClass;
  readonly since: number;
}

export function createSlots({ policy, healthOf, onSlow, now }: Dependencies): Slots {
  const { fastSlots, slowSlots } = policy;
  const fastOfTenant = createKeyedSemaphore({ perKey: fastSlots.perTenant, total: fastSlots.total });
  const slowOfTenant = createKeyedSemaphore({ perKey: slowSlots.perTenant, total: slowSlots.totalWithReserve });
  /** Used fast slots by queue. A retry to an unknown receiver counts for both queues. */
  const fastOfQueue = createKeyedSemaphore<LimitedQueue>();
  const ofWebhook = { fresh: createKeyedSemaphore(), retry: createKeyedSemaphore() };
  /** Attempts in fast slots, the oldest first. */
  const fast = new Set<Attempt>();
  /** The start of the wait of each attempt that waits for its receiver, the longest wait first. */
  const waits = new Map<Attempt, number>();

  const hasShare = (queue: LimitedQueue) => fastOfQueue.held(queue) < fastSlots[queue];

  function hasFreeSlow({ tenantId, webhookId }: WebhookKey): boolean {
    const all = slowOfTenant.totalHeld();
    if (healthOf(webhookId).failureScore > 0 && all >= slowSlots.failing) return false;
    const own = slowOfTenant.held(tenantId);
    if (own < slowSlots.reservePerTenant) return all < slowSlots.totalWithReserve;
    return own < slowSlots.perTenant && all < slowSlots.total;
  }

  function acquireFast(attempt: Attempt): boolean {
    const shares = sharesOf(attempt);
    if (!shares.every(hasShare) || fastOfTenant.tryAcquire(attempt.webhook.tenantId) !== undefined) return false;
    for (const queue of shares) fastOfQueue.tryAcquire(queue);
    fast.add(attempt);
    return true;
  }

  function releaseFast(attempt: Attempt): void {
    fast.delete(attempt);
    fastOfTenant.release(attempt.webhook.tenantId);
    for (const queue of sharesOf(attempt)) fastOfQueue.release(queue);
  }

  const acquireSlow = ({ webhook }: Attempt) =>
    hasFreeSlow(webhook) && slowOfTenant.tryAcquire(webhook.tenantId) === undefined;

  /**
   * A slow receiver gets no fast slot. A receiver with a concurrency of 1 is new or has failed, so it may be slow: it
   * gets a fast slot only if it could move to a slow one.
   */
  function acquireFor(attempt: Attempt): boolean {
    if (attempt.latency === 'slow') return acquireSlow(attempt);
    if (healthOf(attempt.webhook.webhookId).concurrency === 1 && !hasFreeSlow(attempt.webhook)) return false;
    return acquireFast(attempt);
  }

  return {
    acquire(webhook, stage) {
      const attempt: Attempt = { webhook, stage, latency: healthOf(webhook.webhookId).latency, since: now() };
      if (!acquireFor(attempt)) return undefined;
      ofWebhook[stage].tryAcquire(webhook.webhookId);
      return {
        begin: () => void waits.set(attempt, now()),
        end: () => void waits.delete(attempt),
        release() {
          waits.delete(attempt);
          ofWebhook[stage].release(webhook.webhookId);
          if (fast.has(attempt)) releaseFast(attempt);
          else slowOfTenant.release(webhook.tenantId);
        },
      };
    },

    running(webhookId, stage) {
      const all = ofWebhook.fresh.held(webhookId) + ofWebhook.retry.held(webhookId);
      return { all, ofStage: ofWebhook[stage].held(webhookId) };
    },

    hasFastFor: (queue) => fast.size < fastSlots.total && (queue === 'healthy' || hasShare(queue)),

    moveSlow() {
      const before = now() - SLOW_MS;
      for (const [attempt, since] of waits) {
        if (since > before) break;
        waits.delete(attempt);
        onSlow(attempt.webhook.webhookId);
      }
      for (const attempt of fast) {
        if (attempt.since > before) return;
        if (acquireSlow(attempt)) releaseFast(attempt);
      }
    },

    count() {
      const retry = fastOfQueue.held('retry');
      return { fresh: fast.size - retry, retry, slow: slowOfTenant.totalHeld() };
    },
  };
}

function sharesOf({ stage, latency }: Attempt): readonly LimitedQueue[] {
  const shares: LimitedQueue[] = [];
  if (stage === 'retry') shares.push('retry');
  if (latency === 'unknown') shares.push('unknown');
  return shares;
}
