import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { DueHead } from './delivery-queue.ts';
import { createFairQueue } from './fair-queue.ts';
import type { ReceiverHealthRegistry } from './receiver-health-registry.ts';
import {
  healthClassOf,
  mayStart,
  type QueueName,
  queueNames,
  type Running,
  type SchedulerPolicy,
} from './scheduler-policy.ts';
import { createSlots, type Slot } from './slots.ts';
import type { SendStage, WebhookKey } from './stage.ts';

/** A delivery that this process has claimed. */
export interface Job extends WebhookKey {
  readonly stage: SendStage;
  /** The size of its body. */
  readonly bytes: number;
}

/** Decides which deliveries a process holds in memory, and which of them it sends next. It does no I/O. */
export interface Scheduler<J extends Job> {
  /** Reserves capacity for new deliveries. Returns the deliveries that got it. */
  reserve<D extends WebhookKey>(deliveries: readonly D[]): readonly D[];
  /** Releases reserved capacity. Call it before `enqueue` too. */
  release(reserved: readonly WebhookKey[]): void;
  /** The number of due deliveries of a stage that may be claimed. */
  capacity(stage: SendStage): number;
  /** The number of due deliveries of a webhook that may be claimed. @param head the oldest due one */
  capacityOf(head: DueHead, stage: SendStage): number;
  /** Whether no tenant has capacity for new deliveries. */
  isFull(): boolean;
  /** Whether new deliveries of the webhook use the queue for fast receivers. */
  isHealthy(webhook: WebhookKey): boolean;
  enqueue(jobs: readonly J[]): void;
  /** Starts the next job that may run now. Finish it exactly once. */
  next(): J | undefined;
  finish(job: J): void;
  /** Removes waiting jobs. */
  remove(matches: (job: J) => boolean): readonly J[];
  /** Moves slow attempts to slow slots. Removes and returns jobs that waited too long. */
  tick(): readonly J[];
  /** Whether no job waits or runs. */
  isIdle(): boolean;
  running(webhookId: string, stage: SendStage): Running;
  /** Running attempts: in fast slots by stage, and in slow slots. */
  count(): Readonly<Record<SendStage | 'slow', number>>;
}

interface Dependencies {
  readonly policy: SchedulerPolicy;
  readonly health: Pick<ReceiverHealthRegistry, 'of' | 'markSlow'>;
  readonly clock: () => Date;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** A job in a queue. */
interface Queued<J> extends WebhookKey {
  readonly job: J;
  readonly since: number;
}

export function createScheduler<J extends Job>({ policy, health, clock, now }: Dependencies): Scheduler<J> {
  const { waiting, claimed, webhook: ofOne, maxBytes, maxWaitMs } = policy;
  const slots = createSlots({ policy, healthOf: health.of, onSlow: health.markSlow, now });
  const queues = {
    healthy: createFairQueue<Queued<J>>(),
    unknown: createFairQueue<Queued<J>>(),
    retry: createFairQueue<Queued<J>>(),
  };
  const reserved = {
    queueOf: new Map<WebhookKey, QueueName>(),
    ofTenant: createKeyedSemaphore(),
    ofWebhook: createKeyedSemaphore(),
    ofQueue: createKeyedSemaphore<QueueName>(),
  };
  const running = new Map<J, Slot>();
  let bytes = 0;
  /** The queue that was served last is at the end. */
  let order = queueNames;
  /** Whether the next search includes queues without a free fast slot. Searching them each time is too slow. */
  let searchesAll = false;

  function queueFor({ webhookId }: WebhookKey, stage: SendStage): QueueName {
    if (stage === 'retry') return 'retry';
    return health.of(webhookId).latency === 'fast' ? 'healthy' : 'unknown';
  }

  const sizeOf = (queue: QueueName) => queues[queue].size() + reserved.ofQueue.held(queue);

  const sizeOfTenant = (tenantId: string) =>
    queueNames.reduce((sum, queue) => sum + queues[queue].sizeOfTenant(tenantId), reserved.ofTenant.held(tenantId));

  /** The number of deliveries of a webhook in this process: running, queued and reserved. */
  function sizeOfWebhook(webhook: WebhookKey): number {
    const queued = queueNames.reduce((sum, queue) => sum + queues[queue].sizeOf(webhook), 0);
    return slots.running(webhook.webhookId, 'fresh').all + queued + reserved.ofWebhook.held(webhook.webhookId);
  }

  /** The number of further deliveries of a webhook that this process may hold. @param dueSince milliseconds since 1970 */
  function freeInWebhook(webhook: WebhookKey, stage: SendStage, dueSince: number): number {
    const receiver = health.of(webhook.webhookId);
    const held = sizeOfWebhook(webhook);
    const { breaker } = receiver;
    if (breaker === undefined) {
      return Math.max(0, receiver.concurrency + ofOne.waiting[healthClassOf(receiver)] - held);
    }
    const time = clock().getTime();
    const isBlocked = stage === 'fresh' && time < breaker.until && dueSince > time - ofOne.maxBreakerMs;
    return isBlocked ? 0 : Math.max(0, ofOne.whileBreakerIsOpen - held);
  }

  const isFull = () => sizeOf('healthy') + sizeOf('unknown') >= waiting.total || bytes > maxBytes;

  /** Whether the tenant and the queue may hold one more delivery. @param more added to their shares */
  function hasShare(webhook: WebhookKey, more: number): boolean {
    if (sizeOfTenant(webhook.tenantId) >= waiting.perTenant + more) return false;
    return queueFor(webhook, 'fresh') === 'healthy' || sizeOf('unknown') < waiting.unknown + more;
  }

  function reserveOne(webhook: WebhookKey): boolean {
    if (isFull() || !hasShare(webhook, 0)) return false;
    if (freeInWebhook(webhook, 'fresh', Number.POSITIVE_INFINITY) === 0) return false;
    const queue = queueFor(webhook, 'fresh');
    reserved.queueOf.set(webhook, queue);
    reserved.ofTenant.tryAcquire(webhook.tenantId);
    reserved.ofWebhook.tryAcquire(webhook.webhookId);
    reserved.ofQueue.tryAcquire(queue);
    return true;
  }

  function releaseOne(webhook: WebhookKey): void {
    const queue = reserved.queueOf.get(webhook);
    if (queue === undefined) return;
    reserved.queueOf.delete(webhook);
    reserved.ofTenant.release(webhook.tenantId);
    reserved.ofWebhook.release(webhook.webhookId);
    reserved.ofQueue.release(queue);
  }

  /** Starts a job in a free slot, if its webhook may have one more attempt. */
  function tryStart(job: J): boolean {
    const { webhookId, stage } = job;
    if (!mayStart(health.of(webhookId), slots.running(webhookId, stage), stage, policy)) return false;
    const slot = slots.acquire(job, stage);
    if (slot !== undefined) running.set(job, slot);
    return slot !== undefined;
  }

  function remove(matches: (item: Queued<J>) => boolean): readonly J[] {
    const removed = queueNames.flatMap((queue) => queues[queue].removeWhere(matches)).map(({ job }) => job);
    for (const job of removed) bytes -= job.bytes;
    return removed;
  }

  return {
    reserve: (deliveries) => deliveries.filter(reserveOne),

    release(deliveries) {
      for (const delivery of deliveries) releaseOne(delivery);
    },

    capacity(stage) {
      if (bytes > maxBytes) return 0;
      if (stage === 'retry') return claimed.perStage - queues.retry.size();
      const left = waiting.total + claimed.perStage - queues.healthy.size() - queues.unknown.size();
      return Math.min(claimed.perStage, left);
    },

    capacityOf(head, stage) {
      if (stage === 'fresh' && !hasShare(head, claimed.aboveShares)) return 0;
      return freeInWebhook(head, stage, head.dueAt.getTime());
    },

    isFull,
    isHealthy: (webhook) => queueFor(webhook, 'fresh') === 'healthy',

    enqueue(jobs) {
      const since = now();
      for (const job of jobs) {
        const { tenantId, webhookId, stage } = job;
        bytes += job.bytes;
        queues[queueFor(job, stage)].push({ tenantId, webhookId, job, since });
      }
    },

    next() {
      for (const queue of order) {
        if (!searchesAll && !slots.hasFastFor(queue)) continue;
        const started = queues[queue].next(({ job }) => tryStart(job));
        if (started === undefined) continue;
        order = [...order.filter((other) => other !== queue), queue];
        return started.job;
      }
      searchesAll = false;
      return undefined;
    },

    finish(job) {
      running.get(job)?.release();
      running.delete(job);
      bytes -= job.bytes;
    },

    remove: (matches) => remove(({ job }) => matches(job)),

    tick() {
      slots.moveSlow();
      searchesAll = true;
      const before = now() - maxWaitMs;
      return remove(({ since }) => since < before);
    },

    isIdle: () => running.size === 0 && queueNames.every((queue) => queues[queue].size() === 0),
    running: slots.running,
    count: slots.count,
  };
}
