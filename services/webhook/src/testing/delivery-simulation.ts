import type { SendStep, Step, WebhookKey } from '../deliveries/delivery.ts';
import { createDueClaimer } from '../deliveries/due-claimer.ts';
import {
  healthAfter,
  type Outcome,
  openedBreaker,
  type ReceiverHealth,
  UNKNOWN_HEALTH,
} from '../deliveries/receiver-health.ts';
import { createScheduler, type Job, POLICY } from '../deliveries/scheduler.ts';

/** A `recovering` receiver hangs until `recoverAtMs`, then it is healthy. */
export type Behaviour = 'healthy' | 'slow' | 'failing' | 'hanging' | 'recovering';

export interface Receiver extends WebhookKey {
  readonly behaviour: Behaviour;
}

/** A delivery that a receiver gets. All times are milliseconds since the start of the simulation. */
export interface Arrival {
  readonly receiver: Receiver;
  readonly at: number;
  /** The latency of a healthy receiver. */
  readonly serviceMs: number;
}

export interface SimulatedDelivery extends Arrival {
  readonly id: string;
  dueAt: number;
  attempts: number;
  firstAttemptAt: number | undefined;
  deliveredAt: number | undefined;
}

interface Simulation {
  /** Sorted by time. */
  readonly arrivals: readonly Arrival[];
  readonly endMs: number;
  readonly recoverAtMs: number;
}

/** Maxima over the whole simulation. */
interface Peaks {
  fast: number;
  fastRetries: number;
  running: number;
  ofTenant: number;
  ofWebhook: number;
  waiting: number;
}

interface SimulatedJob extends Job {
  readonly delivery: SimulatedDelivery;
}

export const MAX_CONCURRENCY = 4;
const EPOCH = Date.UTC(2030, 0, 1);
const TIMEOUT_MS = 5_000;
const SLOW_REPLY_MS = 1_000;
const RETRY_MS = 5_000;
const CLAIM_MS = 50;
const POLL_MS = 250;
const TICK_MS = 50;

/** Runs the scheduler and the claims of one process against a store, receivers and a clock in memory. */
export async function simulate({ arrivals, endMs, recoverAtMs }: Simulation) {
  let time = 0;
  const timers = new Map<number, (() => void)[]>();
  const healths = new Map<string, ReceiverHealth>();
  /** Due deliveries by webhook, oldest first. */
  const backlog = {
    fresh: new Map<string, SimulatedDelivery[]>(),
    retry: new Map<string, SimulatedDelivery[]>(),
    answers: new Map<string, SimulatedDelivery[]>(),
  } satisfies Record<Step, Map<string, SimulatedDelivery[]>>;
  const running = { ofTenant: new Map<string, number>(), ofWebhook: new Map<string, number>(), all: 0 };
  const peaks: Peaks = { fast: 0, fastRetries: 0, running: 0, ofTenant: 0, ofWebhook: 0, waiting: 0 };
  let waiting = 0;

  const healthOf = (webhookId: string) => healths.get(webhookId) ?? UNKNOWN_HEALTH;
  const clock = () => new Date(EPOCH + time);
  const scheduler = createScheduler<SimulatedJob>({
    policy: POLICY,
    health: { of: healthOf, markSlow: (id) => void healths.set(id, { ...healthOf(id), latency: 'slow' }) },
    clock,
    now: () => time,
  });
  const deliveries = arrivals.map(
    (arrival, index): SimulatedDelivery => ({
      ...arrival,
      id: String(index),
      dueAt: arrival.at,
      attempts: 0,
      firstAttemptAt: undefined,
      deliveredAt: undefined,
    }),
  );
  const claimed: SimulatedDelivery[] = [];
  const claimerOf = (step: SendStep) =>
    createDueClaimer({
      step,
      queue: {
        async findOldestDue({ range: { after, upTo } }) {
          const due = [...backlog[step]].filter(
            ([webhookId]) => (after === undefined || webhookId > after) && (upTo === undefined || webhookId <= upTo),
          );
          const found = due.flatMap(([, [first]]) =>
            first === undefined ? [] : [{ ...first.receiver, id: first.id, dueAt: new Date(EPOCH + first.dueAt) }],
          );
          return { oldest: found, pendingWebhookIds: due.map(([webhookId]) => webhookId) };
        },
        findDue: async ({ webhookId, limit }) =>
          (backlog[step].get(webhookId) ?? []).slice(0, limit).map(({ id }) => id),
        async claim(ids) {
          claimed.push(...ids.flatMap((id) => deliveries[Number(id)] ?? []));
          return [];
        },
      },
      capacity: () => scheduler.capacity(step),
      capacityOf: (oldest) => scheduler.capacityOf(oldest, step),
      isFast: scheduler.isFast,
      leaseFrom: () => ({ claim: '', until: clock() }),
      clock,
    });
  const claimers = { fresh: claimerOf('fresh'), retry: claimerOf('retry') };

  function after(ms: number, action: () => void): void {
    const actions = timers.get(time + ms) ?? [];
    actions.push(action);
    timers.set(time + ms, actions);
  }

  function store(delivery: SimulatedDelivery): void {
    const { webhookId } = delivery.receiver;
    const step = stepOf(delivery);
    delivery.dueAt = time;
    const due = backlog[step].get(webhookId) ?? [];
    due.push(delivery);
    backlog[step].set(webhookId, due);
  }

  function remove(delivery: SimulatedDelivery, step: SendStep): void {
    const { webhookId } = delivery.receiver;
    const left = (backlog[step].get(webhookId) ?? []).filter((other) => other !== delivery);
    if (left.length > 0) backlog[step].set(webhookId, left);
    else backlog[step].delete(webhookId);
  }

  function enqueue(entered: readonly SimulatedDelivery[]): void {
    waiting += entered.length;
    scheduler.enqueue(
      entered.map((delivery) => {
        const { tenantId, webhookId } = delivery.receiver;
        return { tenantId, webhookId, step: stepOf(delivery), bytes: 1, delivery };
      }),
    );
    startNext();
  }

  function release(jobs: readonly SimulatedJob[]): void {
    waiting -= jobs.length;
    for (const { delivery } of jobs) store(delivery);
  }

  function count({ tenantId, webhookId }: SimulatedJob, by: 1 | -1): void {
    running.all += by;
    const ofTenant = (running.ofTenant.get(tenantId) ?? 0) + by;
    const ofWebhook = (running.ofWebhook.get(webhookId) ?? 0) + by;
    running.ofTenant.set(tenantId, ofTenant);
    running.ofWebhook.set(webhookId, ofWebhook);
    const { fresh, retry } = scheduler.countRunning();
    raise(peaks, { fast: fresh + retry, fastRetries: retry, running: running.all, ofTenant, ofWebhook, waiting });
  }

  function start(job: SimulatedJob): void {
    waiting -= 1;
    count(job, 1);
    const { delivery, webhookId } = job;
    const health = healthOf(webhookId);
    if (job.step === 'fresh' && health.breaker !== undefined) {
      healths.set(webhookId, { ...health, breaker: openedBreaker(health.breaker, clock().getTime()) });
    }
    delivery.firstAttemptAt ??= time;
    scheduler.waitOf(job).begin();
    const { ms, outcome } = replyOf(delivery, time < recoverAtMs);
    after(ms, () => {
      delivery.attempts += 1;
      const now = clock().getTime();
      healths.set(webhookId, healthAfter(healthOf(webhookId), { outcome, ms, now, maxConcurrency: MAX_CONCURRENCY }));
      if (outcome === 'no_reply') release(scheduler.remove((other) => other.webhookId === webhookId));
      if (outcome === 'delivered') delivery.deliveredAt = time;
      else after(RETRY_MS * 4 ** (delivery.attempts - 1), () => store(delivery));
      scheduler.finish(job);
      count(job, -1);
      startNext();
    });
  }

  function startNext(): void {
    for (let job = scheduler.next(); job !== undefined; job = scheduler.next()) start(job);
  }

  /** Admits all arrivals of this moment together, like a batch of events. */
  function arrive(arrived: readonly SimulatedDelivery[]): void {
    const keys = arrived.map((delivery) => ({ ...delivery.receiver, delivery }));
    const reserved = scheduler.reserve(keys);
    scheduler.release(reserved);
    const admitted = new Set(reserved.map(({ delivery }) => delivery));
    for (const delivery of arrived) if (!admitted.has(delivery)) store(delivery);
    enqueue([...admitted]);
  }

  async function claim(): Promise<void> {
    let isBusy = false;
    for (const step of ['fresh', 'retry'] as const) {
      const { hasMore } = await claimers[step].claim();
      const taken = claimed.splice(0);
      for (const delivery of taken) remove(delivery, step);
      enqueue(taken);
      isBusy ||= taken.length > 0 || hasMore;
    }
    nextClaimAt = time + (isBusy ? CLAIM_MS : POLL_MS);
  }

  const byTime = Map.groupBy(deliveries, ({ at }) => at);
  let nextClaimAt = 0;
  for (; time < endMs; time += 1) {
    arrive(byTime.get(time) ?? []);
    for (const action of timers.get(time) ?? []) action();
    timers.delete(time);
    if (time % TICK_MS === 0) {
      release(scheduler.tick());
      startNext();
    }
    if (time >= nextClaimAt) await claim();
  }
  return { deliveries, peaks };
}

/** Counts the deliveries of an ideal process that uses all fast slots for any deliveries. */
export function countIdeal(arrivals: readonly Arrival[], endMs: number): number {
  const freeAt = new Map<number, number>([[0, POLICY.fastSlots.total]]);
  let earliest = 0;
  let delivered = 0;
  for (const { at, serviceMs } of arrivals) {
    while ((freeAt.get(earliest) ?? 0) === 0) earliest += 1;
    freeAt.set(earliest, (freeAt.get(earliest) ?? 0) - 1);
    const end = Math.max(at, earliest) + serviceMs;
    freeAt.set(end, (freeAt.get(end) ?? 0) + 1);
    if (end < endMs) delivered += 1;
  }
  return delivered;
}

const stepOf = ({ attempts }: SimulatedDelivery): SendStep => (attempts === 0 ? 'fresh' : 'retry');

function replyOf(
  { receiver, serviceMs }: SimulatedDelivery,
  isDown: boolean,
): { readonly ms: number; readonly outcome: Outcome } {
  const { behaviour } = receiver;
  if (behaviour === 'failing') return { ms: serviceMs, outcome: 'bad_status' };
  if (behaviour === 'slow') return { ms: SLOW_REPLY_MS, outcome: 'delivered' };
  if (behaviour === 'hanging' || (behaviour === 'recovering' && isDown)) return { ms: TIMEOUT_MS, outcome: 'no_reply' };
  return { ms: serviceMs, outcome: 'delivered' };
}

function raise(peaks: Peaks, numbers: Readonly<Peaks>): void {
  for (const name of Object.keys(peaks) as (keyof Peaks)[]) peaks[name] = Math.max(peaks[name], numbers[name]);
}
