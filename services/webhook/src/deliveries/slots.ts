import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { SendStage, WebhookKey } from './delivery-queue.ts';
import { type LatencyClass, type ReceiverHealth, SLOW_MS } from './receiver-health.ts';
import type { LimitedQueue, QueueName, Running, SchedulerPolicy } from './scheduler.ts';

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

/** A queue in memory: round robin by tenant, then by webhook, then first in, first out. */
export interface FairQueue<T extends WebhookKey> {
  push(item: T): void;
  /** Removes and returns the first item that `tryStart` accepts. Undefined if it accepts none. */
  next(tryStart: (item: T) => boolean): T | undefined;
  removeWhere(matches: (item: T) => boolean): readonly T[];
  size(): number;
  sizeOf(webhook: WebhookKey): number;
  sizeOfTenant(tenantId: string): number;
}

interface TenantQueue<T> {
  size: number;
  readonly webhooks: Map<string, T[]>;
}

/** One search tries at most this number of webhooks of a tenant. The next search continues after them. */
const MAX_TRIED = 32;

export function createFairQueue<T extends WebhookKey>(): FairQueue<T> {
  /** Maps keep the order of service: a webhook that was tried, and a tenant that was served, move to the end. */
  const tenants = new Map<string, TenantQueue<T>>();
  let size = 0;

  function resize(tenantId: string, tenant: TenantQueue<T>, by: number): void {
    tenant.size += by;
    size += by;
    if (tenant.size === 0) tenants.delete(tenantId);
  }

  function nextOf({ webhooks }: TenantQueue<T>, tryStart: (item: T) => boolean): T | undefined {
    let left = Math.min(MAX_TRIED, webhooks.size);
    for (const [webhookId, items] of webhooks) {
      if (left === 0) return undefined;
      left -= 1;
      const [item] = items;
      const isStarted = item !== undefined && tryStart(item);
      if (isStarted) items.shift();
      webhooks.delete(webhookId);
      if (items.length > 0) webhooks.set(webhookId, items);
      if (isStarted) return item;
    }
    return undefined;
  }

  return {
    push(item) {
      const tenant = tenants.get(item.tenantId) ?? { size: 0, webhooks: new Map<string, T[]>() };
      const items = tenant.webhooks.get(item.webhookId) ?? [];
      items.push(item);
      tenant.webhooks.set(item.webhookId, items);
      tenants.set(item.tenantId, tenant);
      resize(item.tenantId, tenant, 1);
    },

    next(tryStart) {
      for (const [tenantId, tenant] of tenants) {
        const item = nextOf(tenant, tryStart);
        if (item === undefined) continue;
        tenants.delete(tenantId);
        tenants.set(tenantId, tenant);
        resize(tenantId, tenant, -1);
        return item;
      }
      return undefined;
    },

    removeWhere(matches) {
      const removed: T[] = [];
      for (const [tenantId, tenant] of [...tenants]) {
        for (const [webhookId, items] of [...tenant.webhooks]) {
          const { removed: ofWebhook = [], kept } = Object.groupBy(items, (item) =>
            matches(item) ? 'removed' : 'kept',
          );
          removed.push(...ofWebhook);
          if (kept === undefined) tenant.webhooks.delete(webhookId);
          else tenant.webhooks.set(webhookId, kept);
          resize(tenantId, tenant, -ofWebhook.length);
        }
      }
      return removed;
    },

    size: () => size,
    sizeOf: ({ tenantId, webhookId }) => tenants.get(tenantId)?.webhooks.get(webhookId)?.length ?? 0,
    sizeOfTenant: (tenantId) => tenants.get(tenantId)?.size ?? 0,
  };
}
