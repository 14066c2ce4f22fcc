import { createFairQueue } from '@survey/runtime/flow/fair-queue';
import type { SendStep, WebhookKey } from './delivery.ts';
import type { OldestDue } from './due-claimer.ts';
import { type ReceiverHealth, type ReceiverHealthRegistry, SLOW_MS } from './receiver-health.ts';

/**
 * All limits of one process. A slot is the right to run one attempt. An attempt begins in a fast slot, and moves to a
 * slow slot if the reply takes long, so that slow receivers keep no fast slots. A receiver is unknown before its first
 * attempt. Tenants, unknown receivers and retries have limits below the total, so that none of them takes all slots.
 * The process admits new deliveries while it stores them, and claims due deliveries from the database.
 */
export const POLICY = {
  /** Concurrent attempts that are expected to end soon. */
  fastSlots: { total: 256, perTenant: 128, unknown: 128, retry: 128 },
  /**
   * Concurrent attempts that wait for a slow reply. Each tenant gets its first `reservePerTenant` slots even above
   * `total`, up to `totalWithReserve`. Receivers that fail get no slots above `failing`.
   */
  slowSlots: { total: 4_096, perTenant: 1_024, reservePerTenant: 16, totalWithReserve: 6_144, failing: 5_120 },
  /** Maximum number of reserved and queued new deliveries. `toOthers`: to receivers that are not fast. */
  admitted: { total: 1_024, perTenant: 512, toOthers: 512 },
  /**
   * Due deliveries may exceed the limits of `admitted`, so that new deliveries do not keep them out. `perStep` is added
   * to `total`, and `perHolder` to `perTenant` and `toOthers`. For queued retries, `perStep` is the only limit.
   */
  dueAboveAdmitted: { perStep: 128, perHolder: 64 },
  webhook: {
    /** Deliveries that a healthy webhook may hold in addition to its concurrency. */
    queuedIfHealthy: 16,
    /** Deliveries whose answers are read in one call, if the last attempt to the receiver has succeeded. */
    readIfDelivered: 50,
    /** The part of the concurrency for retries, at least 1 attempt. */
    retryPart: 1 / 2,
    /** Deliveries that a webhook may hold while its breaker is open: a probe or a retry. */
    whileBreakerIsOpen: 1,
    /** The longest time that a delivery waits for a breaker. Milliseconds. */
    maxBreakerMs: 600_000,
  },
  /** Total size of bodies in memory. */
  maxBytes: 256 * 1024 * 1024,
  /** A delivery that was queued for this time is released for other processes. Milliseconds. */
  maxQueuedMs: 5_000,
};

export type SchedulerPolicy = typeof POLICY;

/** Queues of deliveries without a slot: new ones to fast receivers, new ones to other receivers, and retries. */
type QueueName = 'toFast' | 'toOthers' | 'retry';
/** A group of attempts that may use only a part of the fast slots. A retry to an unknown receiver is in both groups. */
type LimitedGroup = 'unknown' | 'retry';

/** The groups of a job that gets a fast slot from a queue. A retry can also be in the group `unknown`. */
const groupsByQueue: Readonly<Record<QueueName, readonly LimitedGroup[]>> = {
  toFast: [],
  toOthers: ['unknown'],
  retry: ['retry'],
};

const queueNames: readonly QueueName[] = ['toFast', 'toOthers', 'retry'];

/**
 * The state of a delivery in this process. `reserved`: being stored, or waiting for answers. `queued`: claimed, without
 * a slot. `fast`, `slow`: running in a slot. States come in this order, and may be skipped.
 */
type State = 'reserved' | 'queued' | 'fast' | 'slow';

/** The number of deliveries that a webhook, a tenant, a queue or a group holds, by state. */
type Held = Record<State, number>;

/** A delivery that this process has claimed. */
export interface Job extends WebhookKey {
  readonly step: SendStep;
  /** Size of the body. */
  readonly bytes: number;
}

/** A delivery that this process holds, with its state. */
interface Entry<J> extends WebhookKey {
  readonly step: SendStep;
  readonly queue: QueueName;
  state: State | undefined;
  /** The start of `state`. Moving to a slow slot does not change it. */
  since: number;
  /** The groups of the attempt when it started. */
  groups: readonly LimitedGroup[];
  readonly job: J;
}

/** Measures the part of an attempt that depends on the receiver, without reads and writes of this process. */
export interface ReceiverWait {
  /** Call it before the request is sent. */
  begin(): void;
  /** Call it when the receiver has replied, or the request has failed. */
  end(): void;
}

/** Running attempts of one webhook. */
export interface Running {
  readonly all: number;
  readonly retries: number;
}

/** Whether one more attempt of the webhook may start. */
export function mayStart(
  { concurrency }: ReceiverHealth,
  { all, retries }: Running,
  step: SendStep,
  { webhook }: Pick<SchedulerPolicy, 'webhook'> = POLICY,
): boolean {
  if (all >= concurrency) return false;
  return step === 'fresh' || retries < Math.max(1, Math.floor(concurrency * webhook.retryPart));
}

interface Dependencies {
  readonly policy: SchedulerPolicy;
  readonly health: Pick<ReceiverHealthRegistry, 'of' | 'markSlow'>;
  readonly clock: () => Date;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

export type Scheduler<J extends Job> = ReturnType<typeof createScheduler<J>>;

/** Decides which deliveries a process holds in memory, and which it sends next. The worker does all I/O. */
export function createScheduler<J extends Job>({ policy, health, clock, now }: Dependencies) {
  const { fastSlots, slowSlots, admitted, dueAboveAdmitted, webhook: limits } = policy;
  const held = {
    byWebhook: createHeld(),
    /** Only retries. */
    retriesByWebhook: createHeld(),
    byTenant: createHeld(),
    byQueue: createHeld<QueueName>(),
    byGroup: createHeld<LimitedGroup>(),
    byProcess: createHeld<'all'>(),
  };
  /** The key is the delivery object, so two deliveries to one webhook have two entries. */
  const reserved = new Map<WebhookKey, Entry<undefined>>();
  const queues: Readonly<Record<QueueName, ReturnType<typeof createDeliveryQueue<Entry<J>>>>> = {
    toFast: createDeliveryQueue(),
    toOthers: createDeliveryQueue(),
    retry: createDeliveryQueue(),
  };
  const running = new Map<J, Entry<J>>();
  /** Attempts in fast slots, the oldest first. */
  const fast = new Set<Entry<J>>();
  /** Start times of the waits for receivers, the longest wait first. */
  const waits = new Map<Entry<J>, number>();
  let bytes = 0;
  /** The queue that was served last is at the end. */
  let order = queueNames;
  /** Whether `next` also searches queues whose jobs can only get a slow slot. True after a tick: the search is slow. */
  let searchesAll = false;
  /**
   * Queues in which a job may start. A queue is removed if a search finds no job although a fast slot is free, because
   * such a search is slow. The queue is added again when one of its jobs is added or ends, and at the next tick.
   */
  const promising = new Set<QueueName>();

  /** Changes the state of a delivery and all counts. @param next undefined if it is no longer held */
  function move(entry: Entry<J | undefined>, next: State | undefined): void {
    addToCounts(entry, -1);
    entry.state = next;
    addToCounts(entry, 1);
  }

  function addToCounts({ tenantId, webhookId, queue, groups, state, step }: Entry<unknown>, by: 1 | -1): void {
    if (state === undefined) return;
    held.byWebhook.add(webhookId, state, by);
    if (step === 'retry') held.retriesByWebhook.add(webhookId, state, by);
    held.byTenant.add(tenantId, state, by);
    held.byQueue.add(queue, state, by);
    for (const group of groups) held.byGroup.add(group, state, by);
    held.byProcess.add('all', state, by);
  }

  function entryOf<T>({ tenantId, webhookId }: WebhookKey, step: SendStep, job: T): Entry<T> {
    const queue = queueFor(webhookId, step);
    return { tenantId, webhookId, step, queue, state: undefined, since: now(), groups: [], job };
  }

  // Capacity: may this process hold one more delivery?

  function queueFor(webhookId: string, step: SendStep): QueueName {
    if (step === 'retry') return 'retry';
    return health.of(webhookId).latency === 'fast' ? 'toFast' : 'toOthers';
  }

  const admittedOf = ({ reserved: reservedCount, queued }: Held) => reservedCount + queued;

  function isFull(): boolean {
    const ofNew = admittedOf(held.byQueue.of('toFast')) + admittedOf(held.byQueue.of('toOthers'));
    return ofNew >= admitted.total || bytes > policy.maxBytes;
  }

  /** Whether tenant and queue are below their limits of new deliveries. @param above added to both limits */
  function isBelowLimits({ tenantId, webhookId }: WebhookKey, above: number): boolean {
    if (admittedOf(held.byTenant.of(tenantId)) >= admitted.perTenant + above) return false;
    if (queueFor(webhookId, 'fresh') === 'toFast') return true;
    return admittedOf(held.byQueue.of('toOthers')) < admitted.toOthers + above;
  }

  /** Number of further deliveries of a webhook that may be held. @param dueSince milliseconds since 1970 */
  function freeInWebhook(webhookId: string, step: SendStep, dueSince: number): number {
    const { concurrency, latency, failureScore, breaker } = health.of(webhookId);
    const own = held.byWebhook.of(webhookId);
    const ownHeld = admittedOf(own) + own.fast + own.slow;
    if (breaker === undefined) {
      const isHealthy = failureScore === 0 && latency === 'fast';
      return Math.max(0, concurrency + (isHealthy ? limits.queuedIfHealthy : 0) - ownHeld);
    }
    const time = clock().getTime();
    // Retries do not wait for the breaker: their schedule already spreads them, and each is a probe.
    const isBlocked = step === 'fresh' && time < breaker.until && dueSince > time - limits.maxBreakerMs;
    return isBlocked ? 0 : Math.max(0, limits.whileBreakerIsOpen - ownHeld);
  }

  function capacityOf(oldest: OldestDue, step: SendStep): number {
    if (step === 'fresh' && !isBelowLimits(oldest, dueAboveAdmitted.perHolder)) return 0;
    return freeInWebhook(oldest.webhookId, step, oldest.dueAt.getTime());
  }

  function reserveOne(delivery: WebhookKey): boolean {
    if (isFull() || !isBelowLimits(delivery, 0)) return false;
    // A new delivery has not waited yet, so an open breaker always blocks it.
    if (freeInWebhook(delivery.webhookId, 'fresh', Number.POSITIVE_INFINITY) === 0) return false;
    hold(delivery);
    return true;
  }

  function hold(delivery: WebhookKey): void {
    const entry = entryOf(delivery, 'fresh', undefined);
    reserved.set(delivery, entry);
    move(entry, 'reserved');
  }

  // Slots: may a queued delivery start?

  function runningOf(webhookId: string): Running {
    const runningIn = (holders: typeof held.byWebhook) => holders.of(webhookId).fast + holders.of(webhookId).slow;
    return { all: runningIn(held.byWebhook), retries: runningIn(held.retriesByWebhook) };
  }

  function hasFreeSlow({ tenantId, webhookId }: WebhookKey): boolean {
    const all = held.byProcess.of('all').slow;
    if (health.of(webhookId).failureScore > 0 && all >= slowSlots.failing) return false;
    const own = held.byTenant.of(tenantId).slow;
    if (own < slowSlots.reservePerTenant) return all < slowSlots.totalWithReserve;
    return own < slowSlots.perTenant && all < slowSlots.total;
  }

  const hasFreeFast = (groups: readonly LimitedGroup[]) =>
    fast.size < fastSlots.total && groups.every((group) => held.byGroup.of(group).fast < fastSlots[group]);

  /** Starts a queued delivery, if its webhook may have one more attempt and a slot is free for it. */
  function tryStart(entry: Entry<J>): boolean {
    const { tenantId, webhookId, step } = entry;
    const receiver = health.of(webhookId);
    if (!mayStart(receiver, runningOf(webhookId), step, policy)) return false;
    const isSlow = receiver.latency === 'slow';
    // A receiver with a concurrency of 1 is new or has failed, so it may be slow. It gets a fast slot only if a slow
    // slot is free, to which it can move. Without this rule, hanging receivers would keep all fast slots.
    if ((isSlow || receiver.concurrency === 1) && !hasFreeSlow(entry)) return false;
    const groups: LimitedGroup[] = step === 'retry' ? ['retry'] : [];
    if (receiver.latency === 'unknown') groups.push('unknown');
    if (!isSlow && (held.byTenant.of(tenantId).fast >= fastSlots.perTenant || !hasFreeFast(groups))) return false;
    // Remove the entry from all counts before its groups change.
    move(entry, undefined);
    entry.groups = groups;
    entry.since = now();
    move(entry, isSlow ? 'slow' : 'fast');
    if (!isSlow) fast.add(entry);
    running.set(entry.job, entry);
    return true;
  }

  /** Moves long attempts to free slow slots. */
  function moveSlow(): void {
    const before = now() - SLOW_MS;
    for (const [entry, since] of waits) {
      if (since > before) break;
      waits.delete(entry);
      health.markSlow(entry.webhookId);
    }
    for (const entry of fast) {
      if (entry.since > before) return;
      if (!hasFreeSlow(entry)) continue;
      fast.delete(entry);
      move(entry, 'slow');
    }
  }

  function removeQueued(matches: (entry: Entry<J>) => boolean): readonly J[] {
    const removed = queueNames.flatMap((queue) => queues[queue].removeWhere(matches));
    for (const entry of removed) {
      move(entry, undefined);
      bytes -= entry.job.bytes;
    }
    return removed.map(({ job }) => job);
  }

  return {
    isFull,
    running: runningOf,

    /** Whether new deliveries of the webhook use the queue for fast receivers. */
    isFast: ({ webhookId }: WebhookKey) => queueFor(webhookId, 'fresh') === 'toFast',

    /** Reserves capacity for new deliveries. Returns the deliveries that got capacity. */
    reserve: <D extends WebhookKey>(deliveries: readonly D[]): readonly D[] => deliveries.filter(reserveOne),

    /** Reserves capacity for claimed deliveries that wait for answers. Checks no limit, because the claim did. */
    hold: (deliveries: readonly WebhookKey[]): void => deliveries.forEach(hold),

    /** Releases reserved capacity. Call this before you queue a reserved delivery, or it counts twice. */
    release(deliveries: readonly WebhookKey[]): void {
      for (const delivery of deliveries) {
        const entry = reserved.get(delivery);
        if (entry !== undefined) move(entry, undefined);
        reserved.delete(delivery);
      }
    },

    /** The number of due deliveries of a step that may be claimed. Negative if more are queued already. */
    capacity(step: SendStep): number {
      const { perStep } = dueAboveAdmitted;
      const queuedIn = (queue: QueueName) => held.byQueue.of(queue).queued;
      if (bytes > policy.maxBytes) return 0;
      if (step === 'retry') return perStep - queuedIn('retry');
      // Admitted deliveries use the same queues.
      return Math.min(perStep, admitted.total + perStep - queuedIn('toFast') - queuedIn('toOthers'));
    },

    /** The number of due deliveries of a webhook that may be claimed. */
    capacityOf,

    /**
     * The number of due deliveries of a webhook that may be claimed to read their answers. It can exceed the capacity
     * of the queue: if calls to the response service take seconds, few answers in each call would delay a backlog.
     */
    capacityForAnswers(oldest: OldestDue): number {
      const free = capacityOf(oldest, 'fresh');
      const { latency, failureScore } = health.of(oldest.webhookId);
      const hasDelivered = latency !== 'unknown' && failureScore === 0;
      return free > 0 && hasDelivered ? Math.max(free, limits.readIfDelivered) : free;
    },

    enqueue(jobs: readonly J[]): void {
      for (const job of jobs) {
        const entry = entryOf(job, job.step, job);
        move(entry, 'queued');
        bytes += job.bytes;
        queues[entry.queue].push(entry);
        promising.add(entry.queue);
      }
    },

    /** Starts the next job that may run now. Finish it exactly once. */
    next(): J | undefined {
      for (const queue of order) {
        const hasFast = hasFreeFast(groupsByQueue[queue]);
        if (!promising.has(queue) || !(searchesAll || hasFast)) continue;
        const started = queues[queue].next(tryStart);
        if (started === undefined) {
          // Keep the queue if no fast slot is free: a job may start as soon as one is.
          if (hasFast) promising.delete(queue);
          continue;
        }
        order = [...order.filter((other) => other !== queue), queue];
        return started.job;
      }
      searchesAll = false;
      return undefined;
    },

    finish(job: J): void {
      const entry = running.get(job);
      if (entry === undefined) return;
      running.delete(job);
      waits.delete(entry);
      fast.delete(entry);
      move(entry, undefined);
      bytes -= job.bytes;
      promising.add(entry.queue);
    },

    /** Measures the wait of a started job for its receiver. A long wait marks the receiver as slow. */
    waitOf(job: J): ReceiverWait {
      const entry = running.get(job);
      if (entry === undefined) throw new Error('The job is not running');
      return { begin: () => void waits.set(entry, now()), end: () => void waits.delete(entry) };
    },

    remove: (matches: (job: J) => boolean): readonly J[] => removeQueued(({ job }) => matches(job)),

    /** Moves slow attempts to slow slots. Removes and returns jobs that were queued too long. */
    tick(): readonly J[] {
      moveSlow();
      searchesAll = true;
      for (const queue of queueNames) promising.add(queue);
      const before = now() - policy.maxQueuedMs;
      return removeQueued(({ since }) => since < before);
    },

    /** Whether no job is queued or runs. */
    isIdle: () => running.size === 0 && held.byProcess.of('all').queued === 0,

    /** Running attempts: in fast slots by step, and in slow slots. */
    countRunning(): Readonly<Record<SendStep | 'slow', number>> {
      const retry = held.byGroup.of('retry').fast;
      return { fresh: fast.size - retry, retry, slow: held.byProcess.of('all').slow };
    },
  };
}

const NOTHING: Readonly<Held> = { reserved: 0, queued: 0, fast: 0, slow: 0 };

/** Counts deliveries by holder. Holders without deliveries take no memory. */
function createHeld<K extends string = string>() {
  const heldOf = new Map<K, Held>();
  return {
    of: (holder: K): Readonly<Held> => heldOf.get(holder) ?? NOTHING,
    add(holder: K, state: State, by: 1 | -1): void {
      const held = heldOf.get(holder) ?? { ...NOTHING };
      held[state] += by;
      if (held.reserved + held.queued + held.fast + held.slow === 0) heldOf.delete(holder);
      else heldOf.set(holder, held);
    },
  };
}

/** One search tries at most this number of webhooks of a tenant. The next search continues after them. */
const MAX_TRIED = 32;

/** A queue in memory: round robin by tenant, then by webhook, then first in, first out. */
function createDeliveryQueue<T extends WebhookKey>() {
  return createFairQueue<T>({
    keyOf: ({ tenantId }) => tenantId,
    createInner: () => createFairQueue<T>({ keyOf: ({ webhookId }) => webhookId, maxTried: MAX_TRIED }),
  });
}
