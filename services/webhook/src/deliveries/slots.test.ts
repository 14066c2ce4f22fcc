import { describe, expect, it } from 'vitest';
import type { SendStep } from './delivery.ts';
import { type ReceiverHealth, SLOW_MS, UNKNOWN_HEALTH } from './receiver-health.ts';
import { createScheduler, type Job, POLICY, type SchedulerPolicy } from './scheduler.ts';

const NOW = Date.UTC(2030, 0, 1);
type SlowSlots = SchedulerPolicy['slowSlots'];

const fastSlots = { total: 4, perTenant: 2, unknown: 2, retry: 2 };
const slowSlots: SlowSlots = { total: 4, perTenant: 2, reservePerTenant: 1, totalWithReserve: 5, failing: 5 };
/** The concurrency of this receiver is no limit here. */
const FAST: ReceiverHealth = { ...UNKNOWN_HEALTH, concurrency: 20, latency: 'fast' };
const SLOW: ReceiverHealth = { ...FAST, latency: 'slow' };

function slotsFor(health: Readonly<Record<string, ReceiverHealth>> = {}, more: Partial<SlowSlots> = {}) {
  let time = 0;
  const slow: string[] = [];
  const healthOf = (webhookId: string) =>
    webhookId === 'never-attempted' ? UNKNOWN_HEALTH : (health[webhookId] ?? FAST);
  const scheduler = createScheduler<Job>({
    policy: { ...POLICY, fastSlots, slowSlots: { ...slowSlots, ...more } },
    health: { of: (webhookId) => healthOf(webhookId), markSlow: (webhookId) => void slow.push(webhookId) },
    clock: () => new Date(NOW),
    now: () => time,
  });
  /** Starts an attempt. Undefined if no slot is free for it. */
  function acquire(tenantId: string, webhookId = `${tenantId}1`, step: SendStep = 'fresh') {
    const job: Job = { tenantId, webhookId, step, bytes: 1 };
    scheduler.enqueue([job]);
    const started = scheduler.next();
    scheduler.remove(() => true);
    if (started === undefined) return undefined;
    expect(started).toBe(job);
    return { ...scheduler.waitOf(job), release: () => scheduler.finish(job) };
  }
  return {
    slots: {
      count: scheduler.countRunning,
      running: scheduler.running,
      /** Whether a new tenant could start an attempt of the queue. */
      hasFastFor(queue: 'healthy' | 'unknown' | 'retry') {
        const slot = acquire(
          'new',
          queue === 'unknown' ? 'never-attempted' : 'new1',
          queue === 'retry' ? 'retry' : 'fresh',
        );
        slot?.release();
        return slot !== undefined;
      },
    },
    slow,
    acquire,
    send(tenantId: string) {
      const slot = acquire(tenantId);
      slot?.begin();
      return slot;
    },
    pass(ms: number) {
      time += ms;
      scheduler.tick();
    },
  };
}

describe('fast slots', () => {
  it('serve all tenants, each up to its share', () => {
    const { slots, acquire } = slotsFor();
    expect([acquire('a'), acquire('a'), acquire('a')].map((slot) => slot !== undefined)).toEqual([true, true, false]);
    expect([acquire('b'), acquire('c'), acquire('d')].map((slot) => slot !== undefined)).toEqual([true, true, false]);
    expect(slots.hasFastFor('healthy')).toBe(false);
  });

  it('keep half for known receivers', () => {
    const { slots, acquire } = slotsFor({ a1: UNKNOWN_HEALTH, b1: UNKNOWN_HEALTH, c1: UNKNOWN_HEALTH });
    expect(['a', 'b', 'c'].map((tenantId) => acquire(tenantId) !== undefined)).toEqual([true, true, false]);
    expect([slots.hasFastFor('unknown'), slots.hasFastFor('healthy')]).toEqual([false, true]);
    expect(acquire('d')).toBeDefined();
  });

  it('count a tenant whose id is the name of a queue', () => {
    const { acquire } = slotsFor({ a1: UNKNOWN_HEALTH });
    for (const tenantId of ['unknown', 'retry']) expect(acquire(tenantId)).toBeDefined();
    expect(acquire('a')).toBeDefined();
    expect(acquire('b', 'b1', 'retry')).toBeDefined();
  });

  it('keep half for new deliveries, apart from retries', () => {
    const { slots, acquire } = slotsFor();
    const taken = ['a', 'b', 'c'].map((tenantId) => acquire(tenantId, `${tenantId}1`, 'retry') !== undefined);
    expect(taken).toEqual([true, true, false]);
    expect([slots.hasFastFor('retry'), slots.hasFastFor('unknown')]).toEqual([false, true]);
    expect(acquire('c')).toBeDefined();
  });

  it('are free again after the attempt', () => {
    const { slots, acquire } = slotsFor();
    acquire('a')?.release();
    expect(slots.count()).toEqual({ fresh: 0, retry: 0, slow: 0 });
    expect(slots.running('a1')).toEqual({ all: 0, retries: 0 });
  });
});

describe('an attempt that takes long', () => {
  it('moves to a slow slot, and its webhook is slow', () => {
    const { slots, send, pass, slow } = slotsFor();
    const slot = send('a');
    send('a');
    pass(SLOW_MS + 1);
    expect(slow).toEqual(['a1', 'a1']);
    expect(slots.count()).toEqual({ fresh: 0, retry: 0, slow: 2 });
    expect(slots.running('a1').all).toBe(2);
    slot?.release();
    expect(slots.count().slow).toBe(1);
  });

  it('keeps its fast slot when its tenant has all its slow slots; other tenants are not affected', () => {
    const { slots, acquire, send, pass } = slotsFor();
    for (let n = 0; n < 2; n += 1) send('a');
    pass(SLOW_MS + 1);
    for (let n = 0; n < 2; n += 1) send('a');
    pass(SLOW_MS + 1);
    expect(slots.count()).toEqual({ fresh: 2, retry: 0, slow: 2 });
    expect(acquire('a')).toBeUndefined();
    expect(acquire('b')).toBeDefined();
  });

  it('for another reason than its receiver does not make its webhook slow', () => {
    const { slots, acquire, pass, slow } = slotsFor();
    const slot = acquire('a');
    // A slow read of the webhook.
    pass(SLOW_MS + 1);
    slot?.begin();
    pass(SLOW_MS - 1);
    slot?.end();
    // A slow write of the result.
    pass(SLOW_MS + 1);
    expect(slow).toEqual([]);
    slot?.release();
    expect(slots.count()).toEqual({ fresh: 0, retry: 0, slow: 0 });
  });
});

describe('a slow receiver', () => {
  it('gets only slots for slow receivers, up to the limit of its tenant', () => {
    const { slots, acquire } = slotsFor({ a1: SLOW });
    expect([acquire('a'), acquire('a'), acquire('a')].map((slot) => slot !== undefined)).toEqual([true, true, false]);
    expect(slots.count()).toEqual({ fresh: 0, retry: 0, slow: 2 });
  });

  it('of another tenant gets a reserved slot when some tenants hold all others', () => {
    const { acquire } = slotsFor({ a1: SLOW, b1: SLOW, c1: SLOW, d1: SLOW });
    for (const tenantId of ['a', 'a', 'b', 'b']) acquire(tenantId);
    expect([acquire('c'), acquire('c')].map((slot) => slot !== undefined)).toEqual([true, false]);
    expect(acquire('d')).toBeUndefined();
  });
});

it('an unknown receiver waits while its tenant has no free slow slot for it', () => {
  const { acquire } = slotsFor({ a1: SLOW, a2: UNKNOWN_HEALTH, b1: UNKNOWN_HEALTH });
  for (let n = 0; n < 2; n += 1) acquire('a');
  expect(acquire('a', 'a2')).toBeUndefined();
  expect(acquire('a', 'a3')).toBeDefined();
  expect(acquire('b')).toBeDefined();
});

describe('failing receivers', () => {
  it('leave some slow slots to slow and unknown receivers', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const failing = Object.fromEntries(names.map((name) => [`${name}1`, { ...SLOW, concurrency: 1, failureScore: 2 }]));
    const { acquire } = slotsFor({ ...failing, f1: SLOW, g1: UNKNOWN_HEALTH }, { failing: 3 });
    expect(names.map((name) => acquire(name) !== undefined)).toEqual([true, true, true, false, false]);
    expect(acquire('f')).toBeDefined();
    expect(acquire('g')).toBeDefined();
    expect(acquire('d')).toBeUndefined();
  });
});
