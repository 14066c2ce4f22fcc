import { describe, expect, it } from 'vitest';
import { createPlaces, type PlaceLimits } from './places.ts';
import { SLOW_MS, type Standing, UNKNOWN } from './webhook-standing.ts';

const limits: PlaceLimits = {
  fast: 4,
  fastShare: 2,
  slow: 4,
  slowOfTenant: 2,
  slowReserve: 1,
  slowMost: 5,
  slowOfFailing: 5,
};
const PROVEN: Standing = { ...UNKNOWN, limit: 4, pace: 'prompt' };
const SLOW: Standing = { ...PROVEN, pace: 'slow' };

function placesFor(standings: Readonly<Record<string, Standing>> = {}, more: Partial<PlaceLimits> = {}) {
  let time = 0;
  const slow: string[] = [];
  const places = createPlaces({
    limits: { ...limits, ...more },
    standingOf: (webhookId) => standings[webhookId] ?? PROVEN,
    onSlow: ({ webhookId }) => void slow.push(webhookId),
    now: () => time,
  });
  return {
    places,
    slow,
    take: (tenantId: string, webhookId = `${tenantId}1`, lane: 'fresh' | 'retry' = 'fresh') =>
      places.take({ tenantId, webhookId }, lane),
    pass(ms: number) {
      time += ms;
      places.sweep();
    },
  };
}

describe('the fast places', () => {
  it('are for all tenants, and one has no more than its share', () => {
    const { places, take } = placesFor();
    expect([take('a'), take('a'), take('a')].map((place) => place !== undefined)).toEqual([true, true, false]);
    expect([take('b'), take('c'), take('d')].map((place) => place !== undefined)).toEqual([true, true, false]);
    expect(places.hasFastFor('prompt')).toBe(false);
  });

  it('are left to webhooks that answered in time by those that nobody knows, half of them', () => {
    const { places, take } = placesFor({ a1: UNKNOWN, b1: UNKNOWN, c1: UNKNOWN });
    expect(['a', 'b', 'c'].map((tenantId) => take(tenantId) !== undefined)).toEqual([true, true, false]);
    expect([places.hasFastFor('unproven'), places.hasFastFor('prompt')]).toEqual([false, true]);
    expect(take('d')).toBeDefined();
  });

  it('are counted for a tenant by its id, whatever that is', () => {
    const { take } = placesFor({ a1: UNKNOWN });
    for (const tenantId of ['unknown', 'retry']) expect(take(tenantId)).toBeDefined();
    expect(take('a')).toBeDefined();
    expect(take('b', 'b1', 'retry')).toBeDefined();
  });

  it('are left to what is new by retries, half of them', () => {
    const { places, take } = placesFor();
    const taken = ['a', 'b', 'c'].map((tenantId) => take(tenantId, `${tenantId}1`, 'retry') !== undefined);
    expect(taken).toEqual([true, true, false]);
    expect([places.hasFastFor('retry'), places.hasFastFor('unproven')]).toEqual([false, true]);
    expect(take('c')).toBeDefined();
  });

  it('are free again after the attempt', () => {
    const { places, take } = placesFor();
    take('a')?.end();
    expect(places.count()).toEqual({ fresh: 0, retry: 0, slow: 0 });
    expect(places.running('a1', 'fresh')).toEqual({ all: 0, lane: 0 });
  });
});

describe('an attempt that takes long', () => {
  it('gives its fast place up, and its webhook is slow', () => {
    const { places, take, pass, slow } = placesFor();
    const place = take('a');
    take('a');
    pass(SLOW_MS + 1);
    expect(slow).toEqual(['a1', 'a1']);
    expect(places.count()).toEqual({ fresh: 0, retry: 0, slow: 2 });
    expect(places.running('a1', 'fresh').all).toBe(2);
    place?.end();
    expect(places.count().slow).toBe(1);
  });

  it('keeps its fast place when its tenant has enough slow ones, which others do not feel', () => {
    const { places, take, pass } = placesFor();
    for (let n = 0; n < 2; n += 1) take('a');
    pass(SLOW_MS + 1);
    for (let n = 0; n < 2; n += 1) take('a');
    pass(SLOW_MS + 1);
    expect(places.count()).toEqual({ fresh: 2, retry: 0, slow: 2 });
    expect(take('a')).toBeUndefined();
    expect(take('b')).toBeDefined();
  });
});

describe('a webhook that was slow', () => {
  it('takes slow places alone, and no more than there are for its tenant', () => {
    const { places, take } = placesFor({ a1: SLOW });
    expect([take('a'), take('a'), take('a')].map((place) => place !== undefined)).toEqual([true, true, false]);
    expect(places.count()).toEqual({ fresh: 0, retry: 0, slow: 2 });
  });

  it('of another tenant finds one though some tenants have taken all', () => {
    const { take } = placesFor({ a1: SLOW, b1: SLOW, c1: SLOW, d1: SLOW });
    for (const tenantId of ['a', 'a', 'b', 'b']) take(tenantId);
    expect([take('c'), take('c')].map((place) => place !== undefined)).toEqual([true, false]);
    // Memory has an end.
    expect(take('d')).toBeUndefined();
  });
});

it('a webhook that nobody knows has to wait while its tenant has no slow place left for it', () => {
  const { take } = placesFor({ a1: SLOW, a2: UNKNOWN, b1: UNKNOWN });
  for (let n = 0; n < 2; n += 1) take('a');
  expect(take('a', 'a2')).toBeUndefined();
  expect(take('a', 'a3')).toBeDefined();
  expect(take('b')).toBeDefined();
});

describe('webhooks that fail', () => {
  it('leave some slow places to those that answer, though late, and to new ones', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const failing = Object.fromEntries(names.map((name) => [`${name}1`, { ...SLOW, limit: 1, points: 2 }]));
    const { take } = placesFor({ ...failing, f1: SLOW, g1: UNKNOWN }, { slowOfFailing: 3 });
    expect(names.map((name) => take(name) !== undefined)).toEqual([true, true, true, false, false]);
    expect(take('f')).toBeDefined();
    expect(take('g')).toBeDefined();
    expect(take('d')).toBeUndefined();
  });
});
