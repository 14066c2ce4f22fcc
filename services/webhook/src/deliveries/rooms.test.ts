import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { makeDelivery } from './delivery.ts';
import { createRooms } from './rooms.ts';
import { type Standing, UNKNOWN } from './webhook-standing.ts';

const NOW = Date.UTC(2030, 0, 1);
const tenantId = toTenantId('tenant-1');
const event = { id: '1', type: 'survey.created', tenantId, time: new Date(NOW), data: {}, traceparent: '' };
const deliveriesOf = (webhookId: string, count: number) =>
  Array.from({ length: count }, (_, n) => makeDelivery({ ...event, id: String(n) }, webhookId, new Date(NOW)));

interface Load {
  /** Of all webhooks but `unknown`. */
  readonly standing?: Partial<Standing>;
  readonly running?: number;
  readonly retries?: number;
  /** New ones of others, of webhooks that answered in time and of those that did not. */
  readonly prompt?: number;
  readonly unproven?: number;
  /** Due ones. */
  readonly due?: number;
  /** New ones of the same tenant. */
  readonly ofTenant?: number;
  readonly bytes?: number;
}

function roomsWith(load: Load = {}) {
  const { standing = {}, running = 0, retries = 0, prompt = 0, unproven = 0, due = 0, ofTenant = 0, bytes = 0 } = load;
  const lineWith = (size: number, own = 0) => ({
    size: () => size,
    sizeOf: () => 0,
    sizeOfTenant: (id: string) => (id === tenantId ? own : 0),
  });
  return createRooms({
    places: { running: (_id, lane) => ({ all: running, lane: lane === 'retry' ? retries : running - retries }) },
    standings: { of: (id) => (id === 'unknown' ? UNKNOWN : { ...UNKNOWN, pace: 'prompt', ...standing }) },
    lines: { prompt: lineWith(prompt, ofTenant), unproven: lineWith(unproven), retry: lineWith(due) },
    heldBytes: () => bytes,
    clock: () => new Date(NOW),
  });
}

const headDue = (ago: number, webhookId = 'a') => ({ id: '1', webhookId, tenantId, dueAt: new Date(NOW - ago) });
const open = (until: number): Partial<Standing> => ({ points: 6, breaker: { until: NOW + until, pauseMs: 5_000 } });

describe('room for new deliveries', () => {
  it('is for those that a webhook may have at a time and a few that wait, while it answers well', () => {
    expect(roomsWith({ standing: { limit: 4 } }).reserve(deliveriesOf('a', 100))).toHaveLength(20);
    expect(roomsWith({ standing: { limit: 4 }, running: 3 }).reserve(deliveriesOf('a', 100))).toHaveLength(17);
    expect(roomsWith({ standing: { limit: 2, points: 1 } }).reserve(deliveriesOf('a', 100))).toHaveLength(2);
    expect(roomsWith({ standing: { limit: 2, pace: 'slow' } }).reserve(deliveriesOf('a', 100))).toHaveLength(2);
    expect(roomsWith().reserve(deliveriesOf('unknown', 100))).toHaveLength(1);
  });

  it('that was kept is taken until it is released', () => {
    const rooms = roomsWith({ standing: { limit: 2, points: 1 } });
    const reserved = rooms.reserve(deliveriesOf('a', 2));
    expect(rooms.reserve(deliveriesOf('a', 1))).toEqual([]);
    rooms.release(reserved);
    expect(rooms.reserve(deliveriesOf('a', 1))).toHaveLength(1);
  });

  it('ends with what waits in memory, and with its bytes, for everybody', () => {
    for (const rooms of [roomsWith({ prompt: 512, unproven: 512 }), roomsWith({ bytes: 300 * 1024 * 1024 })]) {
      expect(rooms.isFull()).toBe(true);
      expect(rooms.reserve(deliveriesOf('a', 1))).toEqual([]);
    }
  });

  it('is left to others by a tenant, and by webhooks that may turn out to take long', () => {
    const ofTenant = roomsWith({ prompt: 512, ofTenant: 512 });
    expect(ofTenant.reserve(deliveriesOf('a', 1))).toEqual([]);
    expect(roomsWith({ prompt: 512, ofTenant: 511 }).reserve(deliveriesOf('a', 2))).toHaveLength(1);
    const unproven = roomsWith({ unproven: 512 });
    expect(unproven.reserve(deliveriesOf('unknown', 1))).toEqual([]);
    expect(unproven.reserve(deliveriesOf('a', 1))).toHaveLength(1);
    expect([ofTenant, unproven].map((rooms) => rooms.isFull())).toEqual([false, false]);
  });

  it('of due ones is not taken up by new ones', () => {
    expect(roomsWith({ prompt: 1_024 }).inLane('fresh')).toBe(128);
    expect(roomsWith({ due: 128 }).inLane('retry')).toBe(0);
    expect(roomsWith({ unproven: 512 }).forDue(headDue(0, 'unknown'), 'fresh')).toBe(1);
    expect(roomsWith({ unproven: 576 }).forDue(headDue(0, 'unknown'), 'fresh')).toBe(0);
    expect(roomsWith({ unproven: 576 }).forDue(headDue(0), 'fresh')).toBe(17);
    expect(roomsWith({ ofTenant: 575 }).forDue(headDue(0), 'fresh')).toBe(17);
    expect(roomsWith({ ofTenant: 576 }).forDue(headDue(0), 'fresh')).toBe(0);
    expect(roomsWith({ bytes: 300 * 1024 * 1024 }).inLane('fresh')).toBe(0);
  });
});

describe('room while a breaker is open', () => {
  it('is for nothing new, and for one when somebody has to see', () => {
    expect(roomsWith({ standing: open(1) }).reserve(deliveriesOf('a', 3))).toEqual([]);
    expect(roomsWith({ standing: open(0) }).reserve(deliveriesOf('a', 3))).toHaveLength(1);
    expect(roomsWith({ standing: open(1) }).forDue(headDue(1_000), 'fresh')).toBe(0);
    expect(roomsWith({ standing: open(0) }).forDue(headDue(1_000), 'fresh')).toBe(1);
  });

  it('is for a retry whose time has come, one at a time: the breaker makes none of them late', () => {
    expect(roomsWith({ standing: open(60_000) }).forDue(headDue(0), 'retry')).toBe(1);
    expect(roomsWith({ standing: open(60_000), running: 1 }).forDue(headDue(0), 'retry')).toBe(0);
  });

  it('is for what has waited for ten minutes', () => {
    expect(roomsWith({ standing: open(60_000) }).forDue(headDue(599_999), 'fresh')).toBe(0);
    expect(roomsWith({ standing: open(60_000) }).forDue(headDue(600_000), 'fresh')).toBe(1);
  });
});

describe('retries', () => {
  it('run in half of what a webhook may have at a time, or alone', () => {
    const webhook = { tenantId, webhookId: 'a' };
    expect(roomsWith({ standing: { limit: 4 }, running: 1, retries: 1 }).canBegin(webhook, 'retry')).toBe(true);
    expect(roomsWith({ standing: { limit: 4 }, running: 2, retries: 2 }).canBegin(webhook, 'retry')).toBe(false);
    expect(roomsWith({ standing: { limit: 4 }, running: 2, retries: 2 }).canBegin(webhook, 'fresh')).toBe(true);
    expect(roomsWith({ standing: { limit: 1 } }).canBegin(webhook, 'retry')).toBe(true);
  });
});
