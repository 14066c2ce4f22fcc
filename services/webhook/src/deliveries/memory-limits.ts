import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { DueHead } from './delivery-queue.ts';
import type { FairQueue } from './fair-queue.ts';
import type { ReceiverHealthRegistry } from './receiver-health-registry.ts';
import { healthClassOf, type QueueName, queueNames, type Running, type SchedulerPolicy } from './scheduler-policy.ts';
import type { SendStage, WebhookKey } from './stage.ts';

/** Limits the deliveries that a process holds in memory: reserved, queued and running ones, and their bytes. */
export interface MemoryLimits {
  /** The queue for deliveries of a webhook. */
  queueFor(webhook: WebhookKey, stage: SendStage): QueueName;
  /** Reserves capacity for new deliveries. Returns the deliveries that got it. */
  reserve<D extends WebhookKey>(deliveries: readonly D[]): readonly D[];
  /** Releases reserved capacity. Also call it before you queue a reserved delivery, because queued ones count too. */
  release(reserved: readonly WebhookKey[]): void;
  /** The number of due deliveries of a stage that may be claimed. */
  capacity(stage: SendStage): number;
  /** The number of due deliveries of a webhook that may be claimed. @param head the oldest due one */
  capacityOf(head: DueHead, stage: SendStage): number;
  /** Whether no tenant has capacity for new deliveries. */
  isFull(): boolean;
  addBytes(bytes: number): void;
  dropBytes(bytes: number): void;
}

interface Dependencies {
  readonly policy: SchedulerPolicy;
  readonly health: Pick<ReceiverHealthRegistry, 'of'>;
  readonly queues: Readonly<Record<QueueName, Pick<FairQueue<WebhookKey>, 'size' | 'sizeOf' | 'sizeOfTenant'>>>;
  /** Running attempts of a webhook. */
  readonly running: (webhookId: string, stage: SendStage) => Running;
  readonly clock: () => Date;
}

export function createMemoryLimits({ policy, health, queues, running, clock }: Dependencies): MemoryLimits {
  const { waiting, claimed, webhook: webhookPolicy, maxBytes } = policy;
  const reserved = {
    queueOf: new Map<WebhookKey, QueueName>(),
    ofTenant: createKeyedSemaphore(),
    ofWebhook: createKeyedSemaphore(),
    ofQueue: createKeyedSemaphore<QueueName>(),
  };
  let bytes = 0;

  function queueFor({ webhookId }: WebhookKey, stage: SendStage): QueueName {
    if (stage === 'retry') return 'retry';
    return health.of(webhookId).latency === 'fast' ? 'healthy' : 'unknown';
  }

  const heldInQueue = (queue: QueueName) => queues[queue].size() + reserved.ofQueue.held(queue);

  const heldOfTenant = (tenantId: string) =>
    queueNames.reduce((sum, queue) => sum + queues[queue].sizeOfTenant(tenantId), reserved.ofTenant.held(tenantId));

  /** Counts the deliveries of a webhook that this process holds: queued, reserved and running ones. */
  function heldOfWebhook(webhook: WebhookKey): number {
    const queued = queueNames.reduce((sum, queue) => sum + queues[queue].sizeOf(webhook), 0);
    return running(webhook.webhookId, 'fresh').all + queued + reserved.ofWebhook.held(webhook.webhookId);
  }

  /**
   * The number of further deliveries of a webhook that this process may hold.
   *
   * @param dueSince milliseconds since 1970
   */
  function freeInWebhook(webhook: WebhookKey, stage: SendStage, dueSince: number): number {
    const receiver = health.of(webhook.webhookId);
    const held = heldOfWebhook(webhook);
    const { breaker } = receiver;
    if (breaker === undefined) {
      return Math.max(0, receiver.concurrency + webhookPolicy.waiting[healthClassOf(receiver)] - held);
    }
    const time = clock().getTime();
    const isBlocked = stage === 'fresh' && time < breaker.until && dueSince > time - webhookPolicy.maxBreakerMs;
    return isBlocked ? 0 : Math.max(0, webhookPolicy.whileBreakerIsOpen - held);
  }

  const isFull = () => heldInQueue('healthy') + heldInQueue('unknown') >= waiting.total || bytes > maxBytes;

  /** Whether the shares of the tenant and the queue allow one more delivery. @param extra added to both shares */
  function hasShare(webhook: WebhookKey, extra: number): boolean {
    if (heldOfTenant(webhook.tenantId) >= waiting.perTenant + extra) return false;
    return queueFor(webhook, 'fresh') === 'healthy' || heldInQueue('unknown') < waiting.unknown + extra;
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

  return {
    queueFor,
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

    addBytes(more) {
      bytes += more;
    },

    dropBytes(less) {
      bytes -= less;
    },
  };
}
