import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { makeEvent } from '../kafka/outbox-event.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { TenantState, TenantStatus } from './tenant-state.ts';
import {
  createTenantStateStore,
  type TenantStateDocument,
  type TenantStateStore,
  tenantStateIndexes,
} from './tenant-state-store.ts';

const time = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T00:05:00Z');

let database: TestDatabase;
let states: TenantStateStore;
let tenantId: TenantId;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { tenant_states: tenantStateIndexes });
  states = createTenantStateStore(database.db.collection<TenantStateDocument>('tenant_states'));
});
beforeEach(() => {
  tenantId = toTenantId(randomUUID());
});
afterAll(() => database.drop());

const erased = makeEvent({
  topic: 'audit.events',
  recordId: 'erased',
  revision: 2,
  type: 'tenant.erased',
  source: '/tenants',
  tenantId: toTenantId('t'),
  time,
  data: { service: 'test' },
  traceparent: '',
});
const stateOf = (status: TenantStatus, revision: number): TenantState => ({ tenantId, status, revision, time });
const due = async (now: Date) => (await states.findDue(now, 100)).filter((erasure) => erasure.tenantId === tenantId);

describe('the states of tenants', () => {
  it('are active by default', async () => {
    expect(await states.statusOf(tenantId)).toBe('active');
    await states.save(stateOf('suspended', 2));
    expect(await states.statusOf(tenantId)).toBe('suspended');
    await states.save(stateOf('active', 3));
    expect(await states.statusOf(tenantId)).toBe('active');
  });

  it('ignore late and repeated events', async () => {
    await states.save(stateOf('suspended', 4));
    await states.save(stateOf('active', 3));
    await states.save(stateOf('active', 4));
    expect(await states.statusOf(tenantId)).toBe('suspended');
  });

  it('are the latest ones after concurrent events', async () => {
    const revisions = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(revisions.map((one) => states.save(stateOf(one === 20 ? 'suspended' : 'active', one))));
    expect(await states.statusOf(tenantId)).toBe('suspended');
  });
});

describe('an erasure', () => {
  it('is due after the deletion, and again after it was postponed', async () => {
    await states.save(stateOf('active', 1));
    expect(await due(later)).toEqual([]);
    await states.save(stateOf('deleted', 2));
    expect(await due(new Date(time.getTime() - 1))).toEqual([]);
    const erasure = { tenantId, passes: 0, dueAt: time };
    expect(await due(time)).toEqual([erasure]);
    await states.scheduleNextPass(erasure, 1, later);
    expect(await due(time)).toEqual([]);
    expect(await due(later)).toEqual([{ tenantId, passes: 1, dueAt: later }]);
  });

  it('restarts when the tenant is deleted again', async () => {
    await states.save(stateOf('deleted', 2));
    await states.scheduleNextPass({ tenantId, passes: 0, dueAt: time }, 2, later);
    await states.save(stateOf('deleted', 3));
    expect(await due(time)).toEqual([{ tenantId, passes: 0, dueAt: time }]);
  });

  it('is counted when it is due, with the time since then', async () => {
    const long = new Date('1970-01-01T00:00:10Z');
    expect(await states.measureDue(new Date('1970-01-01T00:00:09Z'))).toEqual({ count: 0, oldestSeconds: 0 });
    await states.save({ ...stateOf('deleted', 2), time: long });
    await states.save({ ...stateOf('deleted', 2), tenantId: toTenantId(randomUUID()), time: later });
    expect(await states.measureDue(new Date('1970-01-01T00:00:25Z'))).toEqual({ count: 1, oldestSeconds: 15 });
  });

  it('is not changed by a process that stalled while another one continued', async () => {
    await states.save(stateOf('deleted', 2));
    const [stalled] = await due(time);
    if (stalled === undefined) throw new Error('nothing is due');
    await states.scheduleNextPass(stalled, 1, later);
    await states.finish(stalled, 2, erased);
    await states.scheduleNextPass(stalled, 1, time);
    const [next] = await due(later);
    expect(next).toEqual({ tenantId, passes: 1, dueAt: later });
    if (next !== undefined) await states.finish(next, 2, erased);
    await states.scheduleNextPass(next ?? stalled, 2, time);
    expect(await due(later)).toEqual([]);
    const { outbox } =
      (await database.db.collection<TenantStateDocument>('tenant_states').findOne({ _id: tenantId })) ?? {};
    expect(outbox).toHaveLength(1);
  });

  it('does not restart after a repeated event of the deletion', async () => {
    await states.save(stateOf('deleted', 2));
    await states.scheduleNextPass({ tenantId, passes: 0, dueAt: time }, 1, later);
    await states.save(stateOf('deleted', 2));
    expect(await due(later)).toEqual([{ tenantId, passes: 1, dueAt: later }]);
  });
});
