import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import type { Worker } from '../flow/loop.ts';
import { readEvent } from '../kafka/event-message.ts';
import { toMessage } from '../kafka/outbox-event.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { createLease, type LeaseDocument } from '../mongo/lease.ts';
import type { TenantDocument } from '../mongo/tenant-collection.ts';
import { poll } from '../testing/poll.ts';
import { createScripts } from '../testing/processes/start-script.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testLog } from '../testing/test-log.ts';
import { createTenantEraser, destroyTenantData, measureTenantErasures } from './tenant-eraser.ts';
import {
  createTenantStateStore,
  type TenantStateDocument,
  type TenantStateStore,
  tenantStateIndexes,
} from './tenant-state-store.ts';

let database: TestDatabase;
let states: TenantStateStore;
let tenantId: TenantId;
const erasers: Worker[] = [];
const scripts = createScripts();

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.dropDatabase();
  await ensureIndexes(database.db, { tenant_states: tenantStateIndexes, surveys: [byTenant] });
  states = createTenantStateStore(stored());
  tenantId = toTenantId(randomUUID());
});
afterEach(async () => {
  await Promise.all(erasers.splice(0).map((eraser) => eraser.stop()));
  await scripts.killAll();
});
afterAll(() => database.drop());

const byTenant = { name: 'tenant', key: { tenant_id: 1 } };
const stored = () => database.db.collection<TenantStateDocument>('tenant_states');
const surveys = () => database.db.collection<TenantDocument>('surveys');
const write = (count: number, owner = tenantId) =>
  surveys().insertMany(Array.from({ length: count }, () => ({ _id: randomUUID(), tenant_id: owner })));
const countLeft = () => surveys().countDocuments({ tenant_id: tenantId });
const remove = () => states.save({ tenantId, status: 'deleted', revision: 2, time: new Date() });

/** The event that reports the end, if there is one. */
async function report() {
  const [event] = (await stored().findOne({ _id: tenantId }))?.outbox ?? [];
  return event && { topic: event.topic, ...readEvent(toMessage(event)) };
}

interface Differently {
  readonly destroyDataKeys?: (id: TenantId) => Promise<void>;
  readonly destroyData?: (id: TenantId) => Promise<number>;
  readonly betweenPassesMs?: number;
}

function start({ destroyDataKeys = async () => {}, destroyData, betweenPassesMs = 1 }: Differently = {}): Worker {
  const leases = database.db.collection<LeaseDocument>('leases');
  const eraser = createTenantEraser({
    service: 'survey',
    states,
    destroyDataKeys,
    destroyData:
      destroyData ?? ((id, mayContinue) => destroyTenantData(database.db, id, { keptCollections: [], mayContinue })),
    betweenPassesMs,
    clock: () => new Date(),
    lease: createLease({ collection: leases, name: 'erasure', owner: randomUUID(), ttlMs: 1_000 }),
    onEvent: () => {},
    log: testLog,
  });
  erasers.push(eraser);
  eraser.start();
  return eraser;
}

describe('an eraser of tenants', () => {
  it('destroys keys first, then documents, and publishes an event', async () => {
    const leftAtKeys: number[] = [];
    await write(700);
    await write(1, toTenantId('other'));
    await remove();
    start({ destroyDataKeys: async () => void leftAtKeys.push(await countLeft()) });
    expect(await poll(report)).toMatchObject({
      topic: 'audit.events',
      type: 'tenant.erased',
      tenantId,
      data: { service: 'survey' },
    });
    expect(leftAtKeys).toEqual([700, 0]);
    expect([await countLeft(), await surveys().countDocuments()]).toEqual([0, 1]);
  });

  it('continues after a tenant that it cannot erase, and reports the number of those', async () => {
    const [keyless, stuck] = [toTenantId(randomUUID()), toTenantId(randomUUID())];
    for (const [index, id] of [keyless, stuck, tenantId].entries()) {
      await states.save({ tenantId: id, status: 'deleted', revision: 2, time: new Date(1_000 * index) });
    }
    const registry = new Registry();
    measureTenantErasures({
      states,
      clock: () => new Date(60_000),
      registry,
      log: testLog,
      isReporter: async () => true,
    });
    const [withKeys, withDocuments] = [new Set<TenantId>([keyless, stuck, tenantId]), new Set<TenantId>()];
    start({
      destroyDataKeys: async (id) => {
        if (id === keyless) throw new Error('of the keys');
        withKeys.delete(id);
      },
      destroyData: async (id) => {
        withDocuments.add(id);
        if (id === stuck) throw new Error('of the documents');
        return 0;
      },
    });
    expect(await poll(report)).toMatchObject({ type: 'tenant.erased', tenantId });
    expect([[...withKeys], [...withDocuments]]).toEqual([[keyless], [stuck, tenantId]]);
    expect(await registry.metrics()).toMatch(/^tenant_erasures_due 2$.*^tenant_oldest_erasure_due_seconds 60$/ms);
  });

  it('destroys the keys of all tenants before the documents of any', async () => {
    const others = [toTenantId(randomUUID()), toTenantId(randomUUID())];
    for (const id of [...others, tenantId]) {
      await states.save({ tenantId: id, status: 'deleted', revision: 2, time: new Date(0) });
    }
    const steps: string[] = [];
    start({
      destroyDataKeys: async () => void steps.push('keys'),
      destroyData: async () => steps.push('documents'),
      betweenPassesMs: 60_000,
    });
    await poll(() => steps.length === 6);
    expect(steps).toEqual([...Array(3).fill('keys'), ...Array(3).fill('documents')]);
  });

  it('does not erase tenants that are not deleted', async () => {
    await write(1);
    await states.save({ tenantId, status: 'suspended', revision: 2, time: new Date() });
    const deleted = toTenantId(randomUUID());
    await states.save({ tenantId: deleted, status: 'deleted', revision: 2, time: new Date() });
    start();
    await poll(async () => (await stored().findOne({ _id: deleted }))?.outbox);
    expect(await countLeft()).toBe(1);
  });

  it('finishes only after the settle time, and finds data that was written meanwhile', async () => {
    await write(1);
    await remove();
    start({ betweenPassesMs: 60_000 });
    await poll(async () => (await stored().findOne({ _id: tenantId }))?.passes === 1);
    await write(3);
    expect([await report(), await countLeft()]).toEqual([undefined, 3]);
    await stored().updateOne({ _id: tenantId }, { $set: { erase_at: new Date() } });
    await poll(async () => (await stored().findOne({ _id: tenantId }))?.passes === 2);
    // A pass that found data is followed by another one.
    expect([await report(), await countLeft()]).toEqual([undefined, 0]);
    await stored().updateOne({ _id: tenantId }, { $set: { erase_at: new Date() } });
    expect(await poll(report)).toBeDefined();
  });

  it('is replaced by another replica when it is stopped', async () => {
    await remove();
    const first = start({ betweenPassesMs: 60_000 });
    await poll(async () => (await stored().findOne({ _id: tenantId }))?.passes === 1);
    start({ betweenPassesMs: 60_000 });
    await first.stop();
    await stored().updateOne({ _id: tenantId }, { $set: { erase_at: new Date() } });
    expect(await poll(report)).toBeDefined();
  });

  it('continues in another process if one is killed', async () => {
    const many = 30_000;
    await write(many);
    await remove();
    const startProcess = () =>
      scripts.start('eraser-under-test', inject('mongodbUri'), database.db.databaseName, randomUUID());
    const victim = startProcess();
    await poll(async () => (await countLeft()) < many, { intervalMs: 5 });
    victim.kill('SIGKILL');
    const left = await countLeft();
    expect([left > 0, await report()]).toEqual([true, undefined]);
    startProcess();
    expect(await poll(report)).toMatchObject({ data: { service: 'under-test' } });
    expect(await countLeft()).toBe(0);
  });
});
