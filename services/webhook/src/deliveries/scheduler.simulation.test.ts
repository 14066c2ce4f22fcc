import { createRandom, pick, type Random } from '@survey/runtime/testing/seeded-random';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Arrival,
  type Behaviour,
  countIdeal,
  MAX_CONCURRENCY,
  type Receiver,
  type SimulatedDelivery,
  simulate,
} from '../testing/delivery-simulation.ts';
import { POLICY } from './scheduler.ts';

type Simulated = Awaited<ReturnType<typeof simulate>>;

/**
 * All times are milliseconds. At first, each receiver gets one delivery. Later, random receivers get many deliveries,
 * which use about 70 % of the fast slots. The burst exceeds the slots for a while.
 */
const LOAD = { tenants: 10_000, firstMs: 8_000, perSecond: 2_800, lastMs: 12_000, burstMs: 9_500, endMs: 18_000 };
const RECOVER_AT_MS = 6_000;
/** More hanging webhooks than the concurrent attempts of one tenant. */
const NOISY = { tenantId: 'noisy', webhooks: 1_300 };

/** @param noisyWebhooks hanging webhooks of one more tenant, with one delivery each */
function simulateLoad({ noisyWebhooks }: { readonly noisyWebhooks: number }) {
  const random = createRandom(20_300_101);
  const receivers = Array.from({ length: LOAD.tenants }, (_, n): Receiver => {
    const id = String(n);
    return { tenantId: id, webhookId: id, behaviour: behaviourOf(random()) };
  });
  const arrivals = [...noiseOf(noisyWebhooks), ...arrivalsOf(receivers, random), ...burstOf(receivers, random)];
  const sorted = arrivals.toSorted((one, other) => one.at - other.at);
  return simulate({ arrivals: sorted, endMs: LOAD.endMs, recoverAtMs: RECOVER_AT_MS });
}

function behaviourOf(share: number): Behaviour {
  if (share < 0.05) return 'hanging';
  if (share < 0.09) return 'failing';
  if (share < 0.12) return 'recovering';
  return share < 0.15 ? 'slow' : 'healthy';
}

const serviceMsOf = (random: Random) => 20 + Math.floor(random() * 100);

function arrivalsOf(receivers: readonly Receiver[], random: Random): readonly Arrival[] {
  const durationMs = LOAD.lastMs - LOAD.firstMs;
  const first = receivers.map((receiver, n) => ({ receiver, at: Math.floor((n / receivers.length) * LOAD.firstMs) }));
  const later = Array.from({ length: (LOAD.perSecond * durationMs) / 1_000 }, () => ({
    receiver: pick(random, receivers),
    at: LOAD.firstMs + Math.floor(random() * durationMs),
  }));
  return [...first, ...later].map((arrival) => ({ ...arrival, serviceMs: serviceMsOf(random) }));
}

/** Fifty deliveries at once for each of sixty receivers. */
function burstOf(receivers: readonly Receiver[], random: Random): readonly Arrival[] {
  const healthy = receivers.filter(({ behaviour }) => behaviour === 'healthy').slice(0, 60);
  return healthy.flatMap((receiver) =>
    Array.from({ length: 50 }, () => ({ receiver, at: LOAD.burstMs, serviceMs: serviceMsOf(random) })),
  );
}

function noiseOf(webhooks: number): readonly Arrival[] {
  return Array.from({ length: webhooks }, (_, n) => {
    const receiver = { tenantId: NOISY.tenantId, webhookId: `noisy-${n}`, behaviour: 'hanging' } as const;
    return { receiver, at: 0, serviceMs: 1 };
  });
}

const waitMsOf = ({ at, firstAttemptAt = LOAD.endMs }: SimulatedDelivery) => firstAttemptAt - at;
const longestWaitMs = (deliveries: readonly SimulatedDelivery[]) => Math.max(...deliveries.map(waitMsOf));
const deliveriesTo = (behaviour: Behaviour, { deliveries }: Simulated) =>
  deliveries.filter(({ receiver }) => receiver.behaviour === behaviour);

describe('ten thousand tenants, 15 % of whose receivers hang, fail, recover or are slow', () => {
  let simulated: Simulated;
  beforeAll(async () => {
    simulated = await simulateLoad({ noisyWebhooks: 0 });
  });

  it('get 95 % of the throughput that healthy receivers would get from all fast slots alone', () => {
    const healthy = deliveriesTo('healthy', simulated);
    for (let endMs = 1_000; endMs <= LOAD.endMs; endMs += 1_000) {
      const delivered = healthy.filter(({ deliveredAt = endMs }) => deliveredAt < endMs).length;
      expect(delivered, `after ${endMs} ms`).toBeGreaterThan(0.95 * countIdeal(healthy, endMs));
    }
  });
});

describe('ten thousand tenants, and one whose 1,300 receivers hang', () => {
  let simulated: Simulated;
  beforeAll(async () => {
    simulated = await simulateLoad({ noisyWebhooks: NOISY.webhooks });
  });

  it('attempt each healthy delivery, and the first one to each receiver, within 5 s', () => {
    const others = simulated.deliveries.filter(({ receiver }) => receiver.tenantId !== NOISY.tenantId);
    const first = [...Map.groupBy(others, ({ receiver }) => receiver).values()].flatMap(([one]) => one ?? []);
    expect(longestWaitMs(deliveriesTo('healthy', simulated))).toBeLessThan(5_000);
    expect(longestWaitMs(first)).toBeLessThan(5_000);
  });

  it('get all deliveries that their receivers accept, even after a recovery', () => {
    for (const behaviour of ['healthy', 'slow', 'recovering'] as const) {
      expect(deliveriesTo(behaviour, simulated).filter(({ deliveredAt }) => deliveredAt === undefined)).toEqual([]);
    }
  });

  it('never exceed a limit, and reach the limits that the load aims at', () => {
    const { fastSlots, slowSlots, admitted, dueAboveAdmitted } = POLICY;
    const { peaks } = simulated;
    expect(peaks.fast).toBe(fastSlots.total);
    expect(peaks.fastRetries).toBeLessThanOrEqual(fastSlots.retry);
    expect(peaks.running).toBeLessThanOrEqual(fastSlots.total + slowSlots.totalWithReserve);
    expect(peaks.ofTenant).toBeGreaterThanOrEqual(slowSlots.perTenant);
    expect(peaks.ofTenant).toBeLessThanOrEqual(fastSlots.perTenant + slowSlots.perTenant);
    expect(peaks.ofWebhook).toBe(MAX_CONCURRENCY);
    expect(peaks.waiting).toBeLessThanOrEqual(admitted.total + 2 * dueAboveAdmitted.perStep);
  });
});
