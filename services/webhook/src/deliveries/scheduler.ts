import { createFairQueue } from './fair-queue.ts';
import { createMemoryLimits, type MemoryLimits } from './memory-limits.ts';
import type { ReceiverHealthRegistry } from './receiver-health-registry.ts';
import { mayStart, type QueueName, queueNames, type Running, type SchedulerPolicy } from './scheduler-policy.ts';
import { createSlots, type ReceiverWait, type Slot } from './slots.ts';
import type { SendStage, WebhookKey } from './stage.ts';

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
