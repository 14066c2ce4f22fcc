import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { Worker } from '@survey/runtime/flow/loop';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import type { WalkLimits } from '@survey/runtime/mongo/walk';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import { createDeliveryStore, deliveryIndexes } from '../deliveries/delivery-store.ts';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { testWebhook } from '../testing/test-webhook.ts';
import { createReplayRunner } from './replay-runner.ts';
import { createReplayService } from './replay-service.ts';
import { createReplayDeliveryStore, createReplayStore, type ReplayDocument, replayIndexes } from './replay-store.ts';

/** Deliveries of a large replay. */
const LARGE = inject('testScope') === 'all' ? 10_050 : 2_050;

let database: TestDatabase;
const workers: Worker[] = [];
const tenantId = toTenantId(randomUUID());
const clock = () => new Date();
const ACTIVE = testWebhook({ tenantId });
const webhooks = { find: async () => ACTIVE, get: async () => ACTIVE };

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes, replays: replayIndexes });
});

afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

afterAll(() => database.drop());

const deliveries = () => database.db.collection<DeliveryDocument>('deliveries');
const replays = () => createReplayStore(database.db.collection<ReplayDocument>('replays'));
const again = (limits?: WalkLimits) => createReplayDeliveryStore(deliveries(), limits);

function runnerWith(more: Partial<Parameters<typeof createReplayRunner>[0]> = {}): Worker {
  const runner = createReplayRunner({
    replays: replays(),
    deliveries: again(),
    webhooks,
    onReplayed: () => {},
    clock,
    newId: randomUUID,
    leaseMs: 30_000,
    log: testLog,
    ...more,
  });
  workers.push(runner);
  runner.start();
  return runner;
}

async function startReplay(webhookId: string, limits?: WalkLimits) {
  const service = createReplayService({
    store: replays(),
    deliveries: again(limits),
    webhooks,
    clock,
    onDue: () => {},
  });
  const asked = { webhookId, since: undefined, until: undefined, statuses: ['failed' as const], eventTypes: [] };
  return service.start(tenantId, randomUUID(), asked);
}

async function storeMissed(webhookId: string, count: number): Promise<void> {
  // Many deliveries have the same time.
  const times = Array.from({ length: count }, (_, index) => minutesAgo(60 - Math.floor(index / 150) / 10));
  await createDeliveryStore(deliveries()).insertNew(missedDeliveries(tenantId, webhookId, times), NOTHING_RESERVED);
}

/** Delivers all due deliveries, like a worker. */
async function deliverDue(webhookId: string): Promise<number> {
  const due = { webhook_id: webhookId, due_at: { $exists: true } };
  const update = {
    $set: { status: 'delivered' as const },
    $unset: { due_at: '' as const, next_attempt_at: '' as const },
  };
  // Update by id: an update by condition would include deliveries that become due meanwhile.
  const ids = (
    await deliveries()
      .find(due, { projection: { _id: 1 } })
      .toArray()
  ).map(({ _id }) => _id);
  return (await deliveries().updateMany({ _id: { $in: ids } }, update)).modifiedCount;
}

const isOver = async (id: string) => {
  const replay = await replays().find(tenantId, id);
  return replay?.status === 'running' ? undefined : replay;
};

describe('a replay', () => {
  it('of thousands makes each due once, with at most 250 waiting', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, LARGE);
    const { id, total } = await startReplay(webhookId);
    expect(total).toBe(LARGE);
    runnerWith();
    let delivered = 0;
    let most = 0;
    const over = await poll(
      async () => {
        const count = await deliverDue(webhookId);
        most = Math.max(most, count);
        delivered += count;
        return isOver(id);
      },
      { timeoutMs: 120_000, intervalMs: 1 },
    );
    delivered += await deliverDue(webhookId);
    expect(over).toMatchObject({ status: 'completed', replayed: LARGE });
    expect(delivered).toBe(LARGE);
    expect(most).toBeLessThanOrEqual(250);
    expect(await deliveries().countDocuments({ webhook_id: webhookId, redeliveries: { $ne: 1 } })).toBe(0);
  });

  it('of very many starts at once, is counted in steps, and then passes those that do not match in steps', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 100);
    // Only the last deliveries match.
    await deliveries().updateMany({ webhook_id: webhookId }, { $set: { status: 'delivered' } });
    const last = await deliveries().find({ webhook_id: webhookId }).sort({ created_at: 1, _id: 1 }).skip(90).toArray();
    await deliveries().updateMany({ _id: { $in: last.map(({ _id }) => _id) } }, { $set: { status: 'failed' } });
    const limits = { singleReadMs: 0, timeMs: 0, slice: 20 };
    const { id, total } = await startReplay(webhookId, limits);
    expect(total).toBe(0);
    const found: number[] = [];
    const slow = again(limits);
    runnerWith({
      deliveries: {
        ...slow,
        async findFinished(...asked) {
          const part = await slow.findFinished(...asked);
          found.push(part.ids.length);
          return part;
        },
      },
    });
    const over = await poll(async () => {
      await deliverDue(webhookId);
      return isOver(id);
    });
    expect(over).toMatchObject({ status: 'completed', total: 10, replayed: 10, countedUpTo: undefined });
    expect(found.slice(0, 5)).toEqual([0, 0, 0, 0, 10]);
  });

  it('that is cancelled while it is counted stops', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 50);
    const { id } = await startReplay(webhookId, { singleReadMs: 0, timeMs: 0, slice: 20 });
    const replay = await replays().find(tenantId, id);
    expect(replay?.countedUpTo).toBeDefined();
    if (replay !== undefined) await replays().cancel(replay, new Date());
    runnerWith();
    const isReleased = { _id: id, due_at: { $exists: false } };
    await poll(() => database.db.collection<ReplayDocument>('replays').findOne(isReleased));
    expect(await replays().find(tenantId, id)).toMatchObject({ status: 'cancelled', replayed: 0 });
  });

  it('of a process that died within a batch is continued by another, with an exact count', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 60);
    const { id } = await startReplay(webhookId);
    const died = Promise.withResolvers<void>();
    const dying = again();
    runnerWith({
      leaseMs: 500,
      deliveries: {
        ...dying,
        async replay(replay, now) {
          await dying.replay({ ...replay, foundIds: replay.foundIds.slice(0, 25) }, now);
          died.resolve();
          // Simulates a dead process: it stores nothing and keeps the lease.
          await new Promise(() => undefined);
        },
      },
    });
    workers.splice(0);
    await died.promise;
    await poll(async () => (await deliverDue(webhookId)) > 0);
    runnerWith();
    const over = await poll(() => isOver(id));
    expect(over).toMatchObject({ status: 'completed', total: 60, replayed: 60 });
    expect(await deliveries().countDocuments({ webhook_id: webhookId, redeliveries: 1 })).toBe(60);
  });

  it('whose lease was lost stores nothing', async () => {
    const webhookId = randomUUID();
    const { id } = await startReplay(webhookId);
    const now = new Date();
    const first = await replays().claimNext({ claim: 'first', now, until: now });
    expect(first?.id).toBe(id);
    await replays().claimNext({ claim: 'second', now, until: new Date(now.getTime() + 60_000) });
    const step = { replayed: 1, now, next: { status: 'completed' as const } };
    if (first === undefined) throw new Error('there is no replay');
    expect(await replays().advance(first, 'first', step)).toBe(false);
    expect(await replays().advance(first, 'second', step)).toBe(true);
  });

  it('keeps its revision while it waits for its receiver, and while it only finds a batch', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 1);
    const { id, revision } = await startReplay(webhookId);
    const now = new Date();
    const waiting = { foundIds: [], foundUpTo: undefined, dueAt: now };
    const position = { id: randomUUID(), time: now };
    const steps = [
      [{ replayed: 0, now, next: waiting }, 0],
      [{ replayed: 0, now, next: { foundIds: [position.id], foundUpTo: position, dueAt: now } }, 0],
      [{ replayed: 1, now, next: waiting }, 1],
      [{ replayed: 0, now, next: { status: 'completed' } }, 2],
    ] as const;
    for (const [step, changes] of steps) {
      const claim = randomUUID();
      await replays().claimNext({ claim, now: new Date(), until: new Date(Date.now() + 30_000) });
      const replay = await replays().find(tenantId, id);
      if (replay === undefined) throw new Error('there is no replay');
      expect(await replays().advance(replay, claim, step)).toBe(true);
      expect((await replays().find(tenantId, id))?.revision).toBe(revision + changes);
    }
  });

  it('that was cancelled stops, and counts the deliveries that it made due', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 600);
    const { id } = await startReplay(webhookId);
    const cancelling = again();
    runnerWith({
      deliveries: {
        ...cancelling,
        async replay(replay, now) {
          await cancelling.replay(replay, now);
          const running = await replays().find(tenantId, id);
          if (running !== undefined) await replays().cancel(running, now);
        },
      },
    });
    const over = await poll(async () => {
      const replay = await replays().find(tenantId, id);
      return replay !== undefined && replay.replayed > 0 ? replay : undefined;
    });
    expect(over).toMatchObject({ status: 'cancelled', replayed: 250, foundIds: [] });
    expect(await deliverDue(webhookId)).toBe(250);
    const queue = replays();
    expect(await queue.claimNext({ claim: 'none', now: new Date(), until: new Date() })).toBeUndefined();
  });

  it('that waits for its receiver does not delay new ones', async () => {
    const webhookId = randomUUID();
    await storeMissed(webhookId, 10);
    const { id } = await startReplay(webhookId);
    runnerWith();
    await poll(() => isOver(id));
    const store = createDeliveryStore(deliveries());
    const now = new Date();
    expect(await store.findDue({ step: 'fresh', webhookId, now, limit: 100 })).toEqual([]);
    expect(await store.findDue({ step: 'retry', webhookId, now, limit: 100 })).toHaveLength(10);
  });
});
