import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { Delivery, Lease } from './delivery.ts';
import type { DueHead, SendStage, WebhookKey } from './delivery-queue.ts';
import type { ReceiverHealth, ReceiverHealthRegistry } from './receiver-health.ts';
import { createFairQueue, createSlots, type FairQueue, type ReceiverWait, type Slot } from './slots.ts';

/** A delivery that this process has claimed. */
export interface Job extends WebhookKey {
  readonly stage: SendStage;
  /** The size of its body. */
  readonly bytes: number;
}

/** Decides which deliveries a process holds in memory, and which of them it sends next. It does no I/O. */
export interface Scheduler<J extends Job>
  extends Pick<MemoryLimits, 'reserve' | 'release' | 'capacity' | 'capacityOf' | 'isFull'> {
  /** Whether new deliveries of the webhook use the queue for fast receivers. */
  isHealthy(webhook: WebhookKey): boolean;
  enqueue(jobs: readonly J[]): void;
  /** Starts the next job that may run now. Finish it exactly once. */
  next(): J | undefined;
  finish(job: J): void;
  /** The wait of a started job for its receiver. After a long one, the receiver is slow. */
  waitOf(job: J): ReceiverWait;
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
  const slots = createSlots({ policy, healthOf: health.of, onSlow: health.markSlow, now });
  const queues = {
    healthy: createFairQueue<Queued<J>>(),
    unknown: createFairQueue<Queued<J>>(),
    retry: createFairQueue<Queued<J>>(),
  };
  const running = new Map<J, { readonly slot: Slot; readonly queue: QueueName }>();
  const memory = createMemoryLimits({ policy, health, queues, running: slots.running, clock });
  /** The queue that was served last is at the end. */
  let order = queueNames;
  /** Whether the next search includes queues without a free fast slot. Searching them each time is too slow. */
  let searchesAll = false;
  /**
   * Queues in which a job may start. If a search finds none although a fast slot is free, its queue is removed, because
   * searching hundreds of jobs that wait for a slow slot each time is too slow. Its own changes add it again, and each
   * tick adds all.
   */
  const promising = new Set<QueueName>();

  /** Starts a job in a free slot, if its webhook may have one more attempt. */
  function tryStart(job: J, queue: QueueName): boolean {
    const { webhookId, stage } = job;
    if (!mayStart(health.of(webhookId), slots.running(webhookId, stage), stage, policy)) return false;
    const slot = slots.acquire(job, stage);
    if (slot !== undefined) running.set(job, { slot, queue });
    return slot !== undefined;
  }

  function remove(matches: (item: Queued<J>) => boolean): readonly J[] {
    const removed = queueNames.flatMap((queue) => queues[queue].removeWhere(matches)).map(({ job }) => job);
    for (const job of removed) memory.dropBytes(job.bytes);
    return removed;
  }

  return {
    reserve: memory.reserve,
    release: memory.release,
    capacity: memory.capacity,
    capacityOf: memory.capacityOf,
    isFull: memory.isFull,
    isHealthy: (webhook) => memory.queueFor(webhook, 'fresh') === 'healthy',

    enqueue(jobs) {
      const since = now();
      for (const job of jobs) {
        const { tenantId, webhookId, stage } = job;
        const queue = memory.queueFor(job, stage);
        memory.addBytes(job.bytes);
        queues[queue].push({ tenantId, webhookId, job, since });
        promising.add(queue);
      }
    },

    next() {
      for (const queue of order) {
        const hasFast = slots.hasFastFor(queue);
        if (!promising.has(queue) || !(searchesAll || hasFast)) continue;
        const started = queues[queue].next(({ job }) => tryStart(job, queue));
        if (started === undefined) {
          if (hasFast) promising.delete(queue);
          continue;
        }
        order = [...order.filter((other) => other !== queue), queue];
        return started.job;
      }
      searchesAll = false;
      return undefined;
    },

    finish(job) {
      const started = running.get(job);
      running.delete(job);
      memory.dropBytes(job.bytes);
      if (started === undefined) return;
      started.slot.release();
      promising.add(started.queue);
    },

    waitOf(job) {
      const started = running.get(job);
      if (started === undefined) throw new Error('The job is not running');
      return started.slot;
    },

    remove: (matches) => remove(({ job }) => matches(job)),

    tick() {
      slots.moveSlow();
      searchesAll = true;
      for (const queue of queueNames) promising.add(queue);
      const before = now() - policy.maxWaitMs;
      return remove(({ since }) => since < before);
    },

    isIdle: () => running.size === 0 && queueNames.every((queue) => queues[queue].size() === 0),
    running: slots.running,
    count: slots.count,
  };
}

/** Queues of deliveries that wait for a slot: new ones to fast receivers, other new ones, and retries. */
export type QueueName = 'healthy' | 'unknown' | 'retry';

/** Queues that may use only a share of the fast slots. */
export type LimitedQueue = Exclude<QueueName, 'healthy'>;

const queueNames: readonly QueueName[] = ['healthy', 'unknown', 'retry'];

type HealthClass = 'healthy' | 'unknown' | 'slow' | 'failing';

/** All limits of one process. A share (`perTenant`, `unknown`, `retry`) leaves the rest to others. */
export interface SchedulerPolicy {
  /** Concurrent attempts that are expected to end soon. */
  readonly fastSlots: { readonly total: number; readonly perTenant: number } & Readonly<Record<LimitedQueue, number>>;
  /** Concurrent attempts that wait for a slow reply. */
  readonly slowSlots: {
    readonly total: number;
    readonly perTenant: number;
    /** Slots that each tenant gets even above `total`, up to `totalWithReserve`. */
    readonly reservePerTenant: number;
    readonly totalWithReserve: number;
    /** If at least this many slots are used, failing receivers get none. */
    readonly failing: number;
  };
  /** New deliveries that wait in memory. */
  readonly waiting: { readonly total: number; readonly perTenant: number; readonly unknown: number };
  /** Claimed deliveries that may wait in memory in addition to `waiting`: by stage, and by tenant or queue. */
  readonly claimed: { readonly perStage: number; readonly aboveShares: number };
  readonly webhook: {
    /** Deliveries that may wait in memory in addition to the concurrency of the webhook. */
    readonly waiting: Readonly<Record<HealthClass, number>>;
    /** The share of its concurrency for retries, at least 1. */
    readonly retryShare: number;
    /** Deliveries in memory while the breaker is open: a probe, or a retry. */
    readonly whileBreakerIsOpen: number;
    /** The longest time that a delivery waits for a breaker. Milliseconds. */
    readonly maxBreakerMs: number;
  };
  /** Total size of bodies in memory. */
  readonly maxBytes: number;
  /** A delivery that waited this long for a slot is released for other workers. Milliseconds. */
  readonly maxWaitMs: number;
}

export const POLICY: SchedulerPolicy = {
  fastSlots: { total: 256, perTenant: 128, unknown: 128, retry: 128 },
  slowSlots: { total: 4_096, perTenant: 1_024, reservePerTenant: 16, totalWithReserve: 6_144, failing: 5_120 },
  waiting: { total: 1_024, perTenant: 512, unknown: 512 },
  claimed: { perStage: 128, aboveShares: 64 },
  webhook: {
    waiting: { healthy: 16, unknown: 0, slow: 0, failing: 0 },
    retryShare: 1 / 2,
    whileBreakerIsOpen: 1,
    maxBreakerMs: 600_000,
  },
  maxBytes: 256 * 1024 * 1024,
  maxWaitMs: 5_000,
};

function healthClassOf({ latency, failureScore }: ReceiverHealth): HealthClass {
  if (failureScore > 0) return 'failing';
  return latency === 'fast' ? 'healthy' : latency;
}

/** Running attempts of one webhook: of all stages, and of one stage. */
export interface Running {
  readonly all: number;
  readonly ofStage: number;
}

/** Whether one more attempt of the webhook may start. */
export function mayStart(
  { concurrency }: ReceiverHealth,
  running: Running,
  stage: SendStage,
  { webhook }: Pick<SchedulerPolicy, 'webhook'> = POLICY,
): boolean {
  if (running.all >= concurrency) return false;
  return stage === 'fresh' || running.ofStage < Math.max(1, Math.floor(concurrency * webhook.retryShare));
}

/** Admits new deliveries before they are stored, so that this process can send them without a search. */
export interface Admission {
  /** Resolves when there is capacity for new deliveries, or after a short wait. */
  ready(): Promise<void>;
  /** Reserves capacity. Store the reserved deliveries with the lease, then commit or abandon the reservation. */
  reserve(deliveries: readonly Delivery[]): Reservation;
}

interface Reservation {
  /** Deliveries with reserved capacity. */
  readonly ids: ReadonlySet<string>;
  readonly lease: Lease;
  /** Sends the reserved deliveries that were stored. @param storedIds ids that this write inserted */
  commit(storedIds: ReadonlySet<string>): void;
  /** Releases the reservation and its claims. Call it if the write failed. */
  abandon(): void;
}

/** Limits the deliveries that a process holds in memory: reserved, queued and running ones, and their bytes. */
interface MemoryLimits {
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

interface MemoryLimitsDependencies {
  readonly policy: SchedulerPolicy;
  readonly health: Pick<ReceiverHealthRegistry, 'of'>;
  readonly queues: Readonly<Record<QueueName, Pick<FairQueue<WebhookKey>, 'size' | 'sizeOf' | 'sizeOfTenant'>>>;
  /** Running attempts of a webhook. */
  readonly running: (webhookId: string, stage: SendStage) => Running;
  readonly clock: () => Date;
}

function createMemoryLimits({ policy, health, queues, running, clock }: MemoryLimitsDependencies): MemoryLimits {
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
