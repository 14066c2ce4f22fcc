import { describe, expect, it } from 'vitest';
import type { SendStep } from './delivery.ts';
import { type ReceiverHealth, UNKNOWN_HEALTH } from './receiver-health.ts';
import { createScheduler, type Job, POLICY } from './scheduler.ts';

const NOW = Date.UTC(2030, 0, 1);
const tenantId = 'tenant-1';
const FAST: ReceiverHealth = { ...UNKNOWN_HEALTH, latency: 'fast' };
const deliveriesOf = (webhookId: string, count: number) =>
  Array.from({ length: count }, () => ({ tenantId, webhookId }));

interface Load {
  /** Health of all webhooks except those whose id begins with `unknown`. */
  readonly health?: Partial<ReceiverHealth>;
  /** Running attempts of the webhook `a`: new deliveries and retries. */
  readonly running?: number;
  readonly retries?: number;
  /** Waiting new deliveries of other tenants: to fast receivers, and to unknown ones. */
  readonly healthy?: number;
  readonly unknown?: number;
  /** Waiting retries of other tenants. */
  readonly due?: number;
  /** Waiting new deliveries of another webhook of the same tenant. */
  readonly ofTenant?: number;
  readonly bytes?: number;
}

function jobsOf(count: number, job: Partial<Job>): readonly Job[] {
  return Array.from({ length: count }, (_, n) => ({
    tenantId: `other-${n}`,
    webhookId: `other-${n}`,
    step: 'fresh',
    bytes: 1,
    ...job,
  }));
}

function schedulerWith(load: Load = {}) {
  const { health = {}, running = 0, retries = 0, healthy = 0, unknown = 0, due = 0, ofTenant = 0, bytes = 0 } = load;
  let ofAll: ReceiverHealth = { ...FAST, concurrency: 100 };
  let time = 0;
  const slow: string[] = [];
  const scheduler = createScheduler<Job>({
    policy: POLICY,
    health: {
      of: (id) => (id.startsWith('unknown') ? UNKNOWN_HEALTH : ofAll),
      markSlow: (id) => void slow.push(id),
    },
    clock: () => new Date(NOW),
    now: () => time,
  });
  const start = (count: number, step: SendStep) => {
    scheduler.enqueue(jobsOf(count, { tenantId, webhookId: 'a', step }));
    for (let n = 0; n < count; n += 1) expect(scheduler.next()).toMatchObject({ webhookId: 'a', step });
  };
  start(running, 'fresh');
  start(retries, 'retry');
  ofAll = { ...FAST, ...health };
  if (bytes > 0) scheduler.enqueue(jobsOf(1, { bytes }));
  scheduler.enqueue(jobsOf(healthy, {}));
  scheduler.enqueue(jobsOf(unknown, {}).map((job) => ({ ...job, webhookId: `unknown-${job.tenantId}` })));
  scheduler.enqueue(jobsOf(due, { step: 'retry' }));
  scheduler.enqueue(jobsOf(ofTenant, { tenantId, webhookId: 'b' }));
  const pass = (ms: number) => {
    time += ms;
    return scheduler.tick();
  };
  return { scheduler, slow, pass };
}

const reserve = (load: Load, webhookId: string, count: number) =>
  schedulerWith(load).scheduler.reserve(deliveriesOf(webhookId, count));
const headDue = (ago: number, webhookId = 'a') => ({ id: '1', webhookId, tenantId, dueAt: new Date(NOW - ago) });
const capacityOf = (load: Load, step: SendStep, ago = 0, webhookId = 'a') =>
  schedulerWith(load).scheduler.capacityOf(headDue(ago, webhookId), step);
const open = (until: number): Partial<ReceiverHealth> => ({
  failureScore: 6,
  breaker: { until: NOW + until, pauseMs: 5_000 },
});

describe('capacity for new deliveries', () => {
  it('is the concurrency of a webhook, plus some waiting deliveries if it is healthy', () => {
    expect(reserve({ health: { concurrency: 4 } }, 'a', 100)).toHaveLength(20);
    expect(reserve({ health: { concurrency: 4 }, running: 3 }, 'a', 100)).toHaveLength(17);
    expect(reserve({ health: { concurrency: 2, failureScore: 1 } }, 'a', 100)).toHaveLength(2);
    expect(reserve({ health: { concurrency: 2, latency: 'slow' } }, 'a', 100)).toHaveLength(2);
    expect(reserve({}, 'unknown', 100)).toHaveLength(1);
  });

  it('stays reserved until it is released', () => {
    const { scheduler } = schedulerWith({ health: { concurrency: 2, failureScore: 1 } });
    const reserved = scheduler.reserve(deliveriesOf('a', 2));
    expect(scheduler.reserve(deliveriesOf('a', 1))).toEqual([]);
    scheduler.release(reserved);
    expect(scheduler.reserve(deliveriesOf('a', 1))).toHaveLength(1);
  });

  it('is limited by the deliveries and bytes in memory', () => {
    for (const load of [{ healthy: 512, unknown: 512 }, { bytes: 300 * 1024 * 1024 }]) {
      const { scheduler } = schedulerWith(load);
      expect(scheduler.isFull()).toBe(true);
      expect(scheduler.reserve(deliveriesOf('a', 1))).toEqual([]);
    }
  });

  it('keeps half for other tenants, and half for fast receivers', () => {
    const ofTenant = schedulerWith({ ofTenant: 512 }).scheduler;
    expect(ofTenant.reserve(deliveriesOf('a', 1))).toEqual([]);
    expect(reserve({ ofTenant: 511 }, 'a', 2)).toHaveLength(1);
    const unknown = schedulerWith({ unknown: 512 }).scheduler;
    expect(unknown.reserve(deliveriesOf('unknown', 1))).toEqual([]);
    expect(unknown.reserve(deliveriesOf('a', 1))).toHaveLength(1);
    expect([ofTenant, unknown].map((scheduler) => scheduler.isFull())).toEqual([false, false]);
  });
});

describe('capacity for due deliveries', () => {
  it('is not used up by new ones', () => {
    expect(schedulerWith({ healthy: 1_024 }).scheduler.capacity('fresh')).toBe(128);
    expect(schedulerWith({ due: 128 }).scheduler.capacity('retry')).toBe(0);
    expect(capacityOf({ unknown: 512 }, 'fresh', 0, 'unknown')).toBe(1);
    expect(capacityOf({ unknown: 576 }, 'fresh', 0, 'unknown')).toBe(0);
    expect(capacityOf({ unknown: 576 }, 'fresh')).toBe(17);
    expect(capacityOf({ ofTenant: 575 }, 'fresh')).toBe(17);
    expect(capacityOf({ ofTenant: 576 }, 'fresh')).toBe(0);
    expect(schedulerWith({ bytes: 300 * 1024 * 1024 }).scheduler.capacity('fresh')).toBe(0);
  });
});

describe('capacity for reading answers', () => {
  const capacityFor = (load: Load, webhookId = 'a') =>
    schedulerWith(load).scheduler.capacityForAnswers(headDue(0, webhookId));

  it('is that of a whole call after a success, even if the receiver is slow', () => {
    expect(capacityFor({})).toBe(50);
    expect(capacityFor({ health: { latency: 'slow' } })).toBe(50);
    expect(capacityFor({ health: { concurrency: 100 } })).toBe(116);
  });

  it('is that for sending if the receiver is unknown, has failed, or holds all that it may', () => {
    expect(capacityFor({}, 'unknown')).toBe(1);
    expect(capacityFor({ health: { concurrency: 2, failureScore: 1 } })).toBe(2);
    expect(capacityFor({ health: open(1) })).toBe(0);
    expect(capacityFor({ running: 17 })).toBe(0);
    expect(capacityFor({ ofTenant: 576 })).toBe(0);
  });
});

describe('while a breaker is open', () => {
  it('there is no capacity for new deliveries, except for a probe', () => {
    expect(reserve({ health: open(1) }, 'a', 3)).toEqual([]);
    expect(reserve({ health: open(0) }, 'a', 3)).toHaveLength(1);
    expect(capacityOf({ health: open(1) }, 'fresh', 1_000)).toBe(0);
    expect(capacityOf({ health: open(0) }, 'fresh', 1_000)).toBe(1);
  });

  it('retries are sent when due, one at a time', () => {
    expect(capacityOf({ health: open(60_000) }, 'retry')).toBe(1);
    expect(capacityOf({ health: open(60_000), running: 1 }, 'retry')).toBe(0);
  });

  it('a new delivery waits at most ten minutes', () => {
    expect(capacityOf({ health: open(60_000) }, 'fresh', 599_999)).toBe(0);
    expect(capacityOf({ health: open(60_000) }, 'fresh', 600_000)).toBe(1);
  });
});

describe('retries', () => {
  const canStart = (load: Load, step: SendStep) => {
    const { scheduler } = schedulerWith(load);
    scheduler.enqueue(jobsOf(1, { tenantId, webhookId: 'a', step }));
    return scheduler.next() !== undefined;
  };

  it('use half of the concurrency of a webhook, at least one', () => {
    expect(canStart({ health: { concurrency: 4 }, retries: 1 }, 'retry')).toBe(true);
    expect(canStart({ health: { concurrency: 4 }, retries: 2 }, 'retry')).toBe(false);
    expect(canStart({ health: { concurrency: 4 }, retries: 2 }, 'fresh')).toBe(true);
    expect(canStart({ health: { concurrency: 1 } }, 'retry')).toBe(true);
  });
});

describe('a search', () => {
  it('does not look at jobs again that wait for a slow slot, while deliveries to fast receivers come and go', () => {
    const waiting = 500;
    let looks = 0;
    const scheduler = createScheduler<Job>({
      policy: { ...POLICY, slowSlots: { ...POLICY.slowSlots, totalWithReserve: 0 } },
      health: {
        of(id) {
          if (id === 'a') return { ...FAST, concurrency: 100 };
          looks += 1;
          return UNKNOWN_HEALTH;
        },
        markSlow: () => undefined,
      },
      clock: () => new Date(NOW),
      now: () => 0,
    });
    scheduler.enqueue(jobsOf(waiting, {}));
    expect(scheduler.next()).toBeUndefined();
    expect(looks).toBeGreaterThanOrEqual(waiting);

    looks = 0;
    for (const job of jobsOf(100, { tenantId, webhookId: 'a' })) {
      scheduler.enqueue([job]);
      expect([scheduler.next(), scheduler.next()]).toEqual([job, undefined]);
      scheduler.finish(job);
      expect(scheduler.next()).toBeUndefined();
    }
    expect(looks).toBe(0);
    scheduler.tick();
    expect(scheduler.next()).toBeUndefined();
    expect(looks).toBeGreaterThanOrEqual(waiting);
  });
});

describe('jobs', () => {
  it('that wait too long are removed, and free their capacity', () => {
    const { scheduler, pass } = schedulerWith({ health: { concurrency: 1 }, running: 1 });
    scheduler.enqueue(jobsOf(2, { tenantId, webhookId: 'a' }));
    expect([scheduler.next(), pass(5_000)]).toEqual([undefined, []]);
    expect(pass(1)).toHaveLength(2);
    expect(scheduler.reserve(deliveriesOf('a', 100))).toHaveLength(16);
    expect(scheduler.isIdle()).toBe(false);
  });

  it('that run long make their webhook slow, and are finished once', () => {
    const { scheduler, slow, pass } = schedulerWith();
    const [job] = jobsOf(1, {});
    if (job !== undefined) scheduler.enqueue([job]);
    expect(scheduler.next()).toBe(job);
    if (job !== undefined) scheduler.waitOf(job).begin();
    pass(251);
    expect([slow, scheduler.countRunning()]).toEqual([['other-0'], { fresh: 0, retry: 0, slow: 1 }]);
    if (job !== undefined) scheduler.finish(job);
    expect([scheduler.isIdle(), scheduler.countRunning().slow]).toEqual([true, 0]);
  });
});
