import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testEncryption } from '../testing/test-deliveries.ts';
import { testWebhook } from '../testing/test-webhook.ts';
import { type AttemptDelivery, createAttemptDelivery } from './attempt.ts';
import { createRetrySchedule, type Delivery, makeDelivery, type Settlement } from './delivery.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { createDeliveryStore, deliveryIndexes } from './delivery-store.ts';
import { createDeliveryWorker, type DeliveryJob, type DeliveryWorker } from './delivery-worker.ts';
import { createWebhookRanges, type DeliveryQueue, type WebhookRange } from './due-claimer.ts';
import { createPostDelivery } from './post-delivery.ts';
import { createReceiverHealthRegistry } from './receiver-health.ts';
import { createScheduler, POLICY, type SchedulerPolicy } from './scheduler.ts';

let database: TestDatabase;
let store: ReturnType<typeof createDeliveryStore>;
const workers: DeliveryWorker[] = [];
const tenantId = toTenantId(randomUUID());

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes });
  store = createDeliveryStore(database.db.collection<DeliveryDocument>('deliveries'));
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await database.db.collection('deliveries').deleteMany({});
});

afterAll(() => database.drop());

function newDelivery(webhookId: string): Delivery {
  const time = new Date();
  const event = { id: randomUUID(), type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
  return makeDelivery(event, webhookId, time);
}

async function storeDelivery(webhookId: string): Promise<Delivery> {
  const delivery = newDelivery(webhookId);
  await store.insertNew([delivery], NOTHING_RESERVED);
  return delivery;
}

const countWaiting = () => database.db.collection('deliveries').countDocuments({ due_at: { $exists: true } });

const NOTHING_DUE = { oldest: [], pendingWebhookIds: [] };
const ALL_WEBHOOKS = { after: undefined, upTo: undefined };
const findOldestDue = (range: WebhookRange = ALL_WEBHOOKS) =>
  store.findOldestDue({ step: 'fresh', now: new Date(), range });

const NOTHING_RESERVED = { ids: new Set<string>(), lease: { claim: '', until: new Date(0) } };

let expiredLeases = 0;

interface Parts {
  readonly queue?: DeliveryQueue;
  readonly clock?: () => Date;
  readonly policy?: SchedulerPolicy;
}

type Settle = (...args: Parameters<AttemptDelivery>) => Promise<Settlement | undefined>;

function startWorker(settle: Settle, leaseMs = 60_000, parts: Parts = {}): DeliveryWorker {
  const { queue = store, clock = () => new Date(), policy = POLICY } = parts;
  const breakers = { write: async () => undefined, takeProbe: async () => ({ kind: 'mine' as const }) };
  const health = createReceiverHealthRegistry({ store: breakers, maxConcurrency: 4, clock, log: testLog });
  const worker = createDeliveryWorker({
    queue,
    addAnswers: () => Promise.reject(new Error('No delivery waits for answers')),
    async attemptDelivery(...args) {
      const settlement = await settle(...args);
      return settlement && { settlement, revision: 1 };
    },
    scheduler: createScheduler<DeliveryJob>({ policy, health, clock, now: () => performance.now() }),
    health,
    metrics: {
      leaseExpired: () => {
        expiredLeases += 1;
      },
    },
    clock,
    newId: randomUUID,
    leaseMs,
    log: testLog,
  });
  worker.start();
  workers.push(worker);
  return worker;
}

function delivered({ attempts }: Delivery, statusCode = 200): Extract<Settlement, { status: 'delivered' }> {
  const rest = {
    trigger: 'schedule',
    durationMs: 1,
    reply: undefined,
    error: undefined,
  } as const;
  return { status: 'delivered', attempt: { number: attempts.length + 1, startedAt: new Date(), statusCode, ...rest } };
}

/** The result of an attempt without a reply, which is retried later. */
function withoutReply(delivery: Delivery, clock = () => new Date()): Settlement {
  const { attempt } = delivered(delivery);
  const nextAttemptAt = new Date(clock().getTime() + 600_000);
  return { status: 'failed', attempt: { ...attempt, statusCode: undefined, error: 'timeout' }, nextAttemptAt };
}

/** Real attempts, but reading the webhook waits, and sending succeeds immediately. */
function attemptBy(clock: () => Date, parts: { untilRead: () => Promise<void>; onSent: () => void }): Settle {
  const metrics = { attempted: () => undefined, ended: () => undefined };
  const attemptDelivery = createAttemptDelivery({
    webhooks: {
      async find() {
        await parts.untilRead();
        return testWebhook({ tenantId });
      },
    },
    disable: async () => false,
    failures: { succeeded: async () => undefined, failed: async () => undefined },
    post: createPostDelivery({
      secrets: { signingAt: async () => ['a secret'] },
      headers: { open: async () => ({}) },
      encryption: testEncryption,
      async send() {
        parts.onSent();
        return { statusCode: 200, contentType: undefined, excerpt: '', endedNormally: true, retryAfter: undefined };
      },
      metrics,
      clock,
      headerPrefix: 'X-Service',
    }),
    schedule: createRetrySchedule({ seconds: [], random: () => 0.5, clock }),
    metrics,
    clock,
    timeoutMs: 30_000,
    disableOnGone: true,
    log: testLog,
  });
  return async (...args) => (await attemptDelivery(...args))?.settlement;
}

const statusOf = async ({ id }: Delivery) => (await store.find(tenantId, id))?.status;

describe('a delivery', () => {
  it('is claimed by one of several workers', async () => {
    const attempted: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      startWorker(async (delivery) => {
        attempted.push(delivery.id);
        return delivered(delivery);
      });
    }
    const stored = await Promise.all(Array.from({ length: 30 }, () => storeDelivery(randomUUID())));
    await poll(async () => (await Promise.all(stored.map(statusOf))).every((status) => status === 'delivered'));
    expect(attempted.sort()).toEqual(stored.map(({ id }) => id).sort());
  });

  it('of a worker that is lost is delivered by another when the lease ends, and the late result is rejected', async () => {
    const late = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    startWorker(async (delivery) => {
      first.resolve();
      await late.promise;
      return delivered(delivery, 299);
    }, 300);
    const delivery = await storeDelivery(randomUUID());
    await first.promise;
    // Simulates a dead process: it claims and releases nothing.
    const [killed] = workers.splice(0);
    const stopping = killed?.stop();
    startWorker(async (again) => delivered(again, 200));
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    const before = expiredLeases;
    late.resolve();
    await stopping;
    expect(expiredLeases).toBe(before + 1);
    expect((await store.find(tenantId, delivery.id))?.attempts.map(({ statusCode }) => statusCode)).toEqual([200]);
  });

  it('whose webhook could not be read before its lease ended is not sent while another worker attempts it', async () => {
    let minutes = 0;
    const clock = () => new Date(Date.now() + minutes * 60_000);
    const sentBy: string[] = [];
    const attemptOf = (worker: string, untilRead: () => Promise<void>) =>
      attemptBy(clock, { untilRead, onSent: () => sentBy.push(worker) });
    const began = Promise.withResolvers<void>();
    const stalled = Promise.withResolvers<void>();
    const stall = () => {
      began.resolve();
      return stalled.promise;
    };
    // This worker finds no more deliveries, so the other one sends them.
    const queue: DeliveryQueue = {
      ...store,
      findOldestDue: async (query) => (minutes > 0 ? NOTHING_DUE : store.findOldestDue(query)),
    };
    const late = startWorker(attemptOf('late', stall), 60_000, { queue, clock });
    const delivery = await storeDelivery(randomUUID());
    await began.promise;
    minutes = 2;
    startWorker(
      attemptOf('other', async () => undefined),
      60_000,
      { clock },
    );
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    stalled.resolve();
    await late.stop();
    expect(sentBy).toEqual(['other']);
    expect((await store.find(tenantId, delivery.id))?.attempts).toHaveLength(1);
  });

  it('that is retried is not claimed before its time', async () => {
    const nextAttemptAt = new Date(Date.now() + 3_000);
    const times: number[] = [];
    startWorker(async (delivery) => {
      times.push(Date.now());
      const settlement = delivered(delivery);
      return times.length === 1 ? { ...settlement, status: 'failed', nextAttemptAt } : settlement;
    });
    const delivery = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(delivery)) === 'failed');
    expect((await store.find(tenantId, delivery.id))?.nextAttemptAt).toEqual(nextAttemptAt);
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    expect(times[1]).toBeGreaterThanOrEqual(nextAttemptAt.getTime());
    expect((await store.find(tenantId, delivery.id))?.attempts.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('whose attempt fails in the platform is due after the lease, and counts no attempt', async () => {
    let attempted = 0;
    startWorker(async (delivery) => {
      attempted += 1;
      if (attempted === 1) throw new Error('the database is away');
      return delivered(delivery);
    }, 200);
    const delivery = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    expect((await store.find(tenantId, delivery.id))?.attempts).toHaveLength(1);
  });
});

describe('a worker', () => {
  it('runs one attempt of an unknown webhook and four of a healthy one, concurrently with others', async () => {
    const hanging = randomUUID();
    const release = Promise.withResolvers<void>();
    let isHanging = true;
    let running = 0;
    let most = 0;
    startWorker(async (delivery) => {
      if (delivery.webhookId === hanging) {
        running += 1;
        most = Math.max(most, running);
        if (isHanging) await release.promise;
        else await setImmediate();
        running -= 1;
      }
      return delivered(delivery);
    });
    const held = Array.from({ length: 300 }, () => newDelivery(hanging));
    await store.insertNew(held, NOTHING_RESERVED);
    const other = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(other)) === 'delivered');
    expect(most).toBe(1);
    isHanging = false;
    release.resolve();
    await poll(async () => (await countWaiting()) === 0);
    expect(most).toBe(4);
  });

  it('gives freed slots to unknown webhooks too', async () => {
    const [known, unknown] = [randomUUID(), randomUUID()];
    const sent: string[] = [];
    const settle: Settle = async (delivery) => {
      sent.push(delivery.webhookId);
      await setImmediate();
      return delivered(delivery);
    };
    const worker = startWorker(settle, 60_000, {
      policy: { ...POLICY, fastSlots: { total: 1, perTenant: 1, unknown: 1, retry: 1 } },
    });
    const first = await storeDelivery(known);
    worker.wake();
    await poll(async () => (await statusOf(first)) === 'delivered');
    const deliveries = [...Array.from({ length: 12 }, () => newDelivery(known)), newDelivery(unknown)];
    const reservation = worker.reserve(deliveries);
    reservation.commit(await store.insertNew(deliveries, reservation));
    await poll(async () => (await countWaiting()) === 0);
    expect(sent).toHaveLength(14);
    expect(sent.indexOf(unknown)).toBeLessThan(4);
  });

  it('that stops finishes attempts that end soon', async () => {
    const began = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const worker = startWorker(async (delivery) => {
      began.resolve();
      await release.promise;
      return delivered(delivery);
    });
    const delivery = await storeDelivery(randomUUID());
    await began.promise;
    const stopping = worker.stop();
    release.resolve();
    await stopping;
    expect(await statusOf(delivery)).toBe('delivered');
  });

  it('that stops releases other attempts immediately, and does not count them', async () => {
    const began = Promise.withResolvers<void>();
    const worker = startWorker(async (_delivery, { stop }) => {
      began.resolve();
      await new Promise((resolve) => stop.addEventListener('abort', resolve));
      return undefined;
    });
    const delivery = await storeDelivery(randomUUID());
    await began.promise;
    await worker.stop();
    expect((await findOldestDue()).oldest).toMatchObject([{ id: delivery.id }]);
    expect(await store.find(tenantId, delivery.id)).toMatchObject({ status: 'pending', attempts: [] });
  });
});

describe('a new delivery', () => {
  it('within the capacity is sent as soon as it is stored, without a search', async () => {
    let claims = 0;
    const queue: DeliveryQueue = {
      ...store,
      claim(...args) {
        claims += 1;
        return store.claim(...args);
      },
    };
    const worker = startWorker(async (delivery) => delivered(delivery), 60_000, { queue });
    const deliveries = Array.from({ length: 40 }, () => newDelivery(randomUUID()));
    const reservation = worker.reserve(deliveries);
    reservation.commit(await store.insertNew(deliveries, reservation));
    await poll(async () => (await countWaiting()) === 0);
    expect(claims).toBe(0);
  });

  it('above the capacity is stored as due, and sent later', async () => {
    const attempted: string[] = [];
    const worker = startWorker(async (delivery) => {
      attempted.push(delivery.id);
      return delivered(delivery);
    });
    const webhookId = randomUUID();
    const deliveries = Array.from({ length: 100 }, () => newDelivery(webhookId));
    const reservation = worker.reserve(deliveries);
    expect(reservation.ids.size).toBeLessThan(100);
    reservation.commit(await store.insertNew(deliveries, reservation));
    worker.wake();
    await poll(async () => (await countWaiting()) === 0);
    expect(attempted.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
  });

  it('that already existed is not sent again', async () => {
    const attempted: string[] = [];
    const worker = startWorker(async (delivery) => {
      attempted.push(delivery.id);
      return delivered(delivery);
    });
    const delivery = newDelivery(randomUUID());
    for (let n = 0; n < 2; n += 1) {
      const reservation = worker.reserve([delivery]);
      reservation.commit(await store.insertNew([delivery], reservation));
      await poll(async () => (await countWaiting()) === 0);
    }
    expect(attempted).toEqual([delivery.id]);
  });

  it('whose write failed but was stored is sent immediately, not after the lease', async () => {
    const worker = startWorker(async (delivery) => delivered(delivery));
    const delivery = newDelivery(randomUUID());
    const reservation = worker.reserve([delivery]);
    await store.insertNew([delivery], reservation);
    reservation.abandon();
    await poll(async () => (await statusOf(delivery)) === 'delivered');
  });

  it('that is stored while its worker stops is released immediately', async () => {
    const attempted: string[] = [];
    const worker = startWorker(async (delivery) => {
      attempted.push(delivery.id);
      return delivered(delivery);
    });
    const delivery = newDelivery(randomUUID());
    const reservation = worker.reserve([delivery]);
    const stopping = worker.stop();
    reservation.commit(await store.insertNew([delivery], reservation));
    await stopping;
    expect(attempted).toEqual([]);
    expect((await findOldestDue()).oldest).toMatchObject([{ id: delivery.id }]);
  });

  it('that waited too long for its lease is released, and not sent twice', async () => {
    let minutes = 0;
    let isHolding = true;
    const release = Promise.withResolvers<void>();
    const attempted: string[] = [];
    const worker = startWorker(
      async (delivery) => {
        attempted.push(delivery.id);
        if (isHolding) await release.promise;
        return delivered(delivery);
      },
      60_000,
      { clock: () => new Date(Date.now() + minutes * 60_000) },
    );
    const webhookId = randomUUID();
    const [first, second] = [newDelivery(webhookId), newDelivery(webhookId)];
    const reservation = worker.reserve([first, second]);
    reservation.commit(await store.insertNew([first, second], reservation));
    await poll(() => attempted.length === 1);
    // The process is suspended. When it continues, another one may have claimed its delivery.
    minutes = 2;
    const claim = {
      claim: 'of another worker',
      now: new Date(Date.now() + 120_000),
      until: new Date(Date.now() + 600_000),
    };
    expect(await store.claim([second.id], claim)).toHaveLength(1);
    isHolding = false;
    release.resolve();
    await poll(async () => (await countWaiting()) === 1);
    expect(attempted).toEqual([first.id]);
    expect(await store.settle(second, claim.claim, delivered(second))).toBe(true);
  });

  it('does not wait for the retries of its webhook', async () => {
    const webhookId = randomUUID();
    const release = Promise.withResolvers<void>();
    let isHolding = false;
    let retries = 0;
    const worker = startWorker(async (delivery) => {
      if (isHolding && delivery.attempts.length > 0) {
        retries += 1;
        await release.promise;
      }
      return delivered(delivery);
    });
    for (let n = 0; n < 3; n += 1) {
      const known = newDelivery(webhookId);
      const reservation = worker.reserve([known]);
      reservation.commit(await store.insertNew([known], reservation));
      await poll(async () => (await statusOf(known)) === 'delivered');
    }
    isHolding = true;
    const { attempt } = delivered(newDelivery(webhookId), 500);
    const failed = Array.from({ length: 50 }, () => newDelivery(webhookId));
    const ids = failed.map(({ id }) => id);
    await store.insertNew(failed, {
      ids: new Set(ids),
      lease: { claim: 'held', until: new Date(Date.now() + 600_000) },
    });
    const attempts = [{ number: 1, started_at: attempt.startedAt }];
    await database.db
      .collection<{ _id: string }>('deliveries')
      .updateMany({ _id: { $in: ids } }, { $set: { lane: 'retry', due_at: new Date(), attempts } });
    await poll(() => retries === 2);
    const fresh = newDelivery(webhookId);
    const reservation = worker.reserve([fresh]);
    reservation.commit(await store.insertNew([fresh], reservation));
    await poll(async () => (await statusOf(fresh)) === 'delivered');
    expect(retries).toBe(2);
    release.resolve();
    await poll(async () => (await countWaiting()) === 0);
  });
});

describe('a webhook that does not reply', () => {
  it('gets no new deliveries for a while, then one probe, and all others after its success', async () => {
    const webhookId = randomUUID();
    // Set the clock before the test stores its deliveries.
    let now = Date.now() + 60_000;
    let isUp = false;
    const clock = () => new Date(now);
    const attempted: string[] = [];
    const worker = startWorker(
      async (delivery) => {
        attempted.push(delivery.id);
        return isUp ? delivered(delivery) : withoutReply(delivery, clock);
      },
      60_000,
      { clock },
    );
    const deliveries = Array.from({ length: 20 }, () => newDelivery(webhookId));
    await store.insertNew(deliveries, NOTHING_RESERVED);
    worker.wake();
    await poll(() => attempted.length === 3);
    const other = await storeDelivery(randomUUID());
    await poll(async () => (await store.find(tenantId, other.id))?.attempts.length === 1);
    expect(attempted.length).toBe(4);
    isUp = true;
    // The breaker is open for some seconds. Waiting deliveries have used no attempt.
    now += 360_000;
    await poll(async () => (await countWaiting()) === 4);
    const stored = await Promise.all(deliveries.map(({ id }) => store.find(tenantId, id)));
    expect(stored.filter((delivery) => delivery?.status === 'delivered')).toHaveLength(17);
    expect(stored.every((delivery) => delivery?.attempts.length === 1)).toBe(true);
  });
});

describe('a result', () => {
  it('is stored when the database is available again, and the delivery is not sent twice', async () => {
    let failures = 2;
    let attempted = 0;
    const queue: DeliveryQueue = {
      ...store,
      settle: async (...args) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        return store.settle(...args);
      },
    };
    const before = expiredLeases;
    startWorker(
      async (delivery) => {
        attempted += 1;
        return delivered(delivery);
      },
      60_000,
      { queue },
    );
    const delivery = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    expect([attempted, expiredLeases]).toEqual([1, before]);
  });

  it('that was stored although its write failed is not a lost lease', async () => {
    const delivery = newDelivery(randomUUID());
    const reserved = { ids: new Set([delivery.id]), lease: { claim: 'claim-1', until: new Date(Date.now() + 60_000) } };
    await store.insertNew([delivery], reserved);
    const settlement = delivered(delivery);
    expect(await store.settle(delivery, 'claim-1', settlement)).toBe(true);
    expect(await store.settle(delivery, 'claim-1', settlement)).toBe(true);
    expect(await store.settle(delivery, 'claim-1', delivered(delivery, 299))).toBe(false);
    expect((await store.find(tenantId, delivery.id))?.attempts).toHaveLength(1);
  });
});

describe('two replicas', () => {
  it('share the work, and when one is killed the other sends its deliveries after the lease', async () => {
    const LEASE_MS = 2_000;
    const attempted = { first: new Set<string>(), second: new Set<string>() };
    let isDead = false;
    const dead = Promise.withResolvers<never>();
    const unlessDead = <T>(work: () => Promise<T>) => (isDead ? dead.promise : work());
    // A killed worker cannot write to the store.
    const queue: DeliveryQueue = {
      findOldestDue: (query) => unlessDead(() => store.findOldestDue(query)),
      findDue: (query) => unlessDead(() => store.findDue(query)),
      claim: (ids, lease) => unlessDead(() => store.claim(ids, lease)),
      storeAnswerResults: (...args) => unlessDead(() => store.storeAnswerResults(...args)),
      settle: (...args) => unlessDead(() => store.settle(...args)),
      release: (...args) => unlessDead(() => store.release(...args)),
    };
    // Each worker waits until both have deliveries, so that neither claims all.
    const both = Promise.withResolvers<void>();
    const take = (by: Set<string>) => async (delivery: Delivery) => {
      by.add(delivery.id);
      if (attempted.first.size > 20 && attempted.second.size > 20) both.resolve();
      await both.promise;
      return delivered(delivery);
    };
    const killed = startWorker(take(attempted.first), LEASE_MS, { queue });
    startWorker(take(attempted.second), LEASE_MS);
    const webhooks = Array.from({ length: 60 }, () => randomUUID());
    const deliveries = webhooks.flatMap((webhookId) => Array.from({ length: 10 }, () => newDelivery(webhookId)));
    await store.insertNew(deliveries, NOTHING_RESERVED);
    await both.promise;
    isDead = true;
    await poll(async () => (await countWaiting()) === 0);
    expect(new Set([...attempted.first, ...attempted.second]).size).toBe(deliveries.length);
    workers.splice(workers.indexOf(killed), 1);
    dead.reject(new Error('it is dead'));
    await killed.stop();
  });
});

describe('the search for due deliveries', () => {
  /** Finds the oldest due deliveries of a range. Returns them with the statistics of the query. */
  async function readOldest(range?: WebhookRange) {
    await database.db.collection('system.profile').drop();
    await database.db.command({ profile: 2 });
    const found = await findOldestDue(range);
    await database.db.command({ profile: 0 });
    const [read] = await database.db.collection('system.profile').find({ 'command.aggregate': 'deliveries' }).toArray();
    return { ...found, docs: read?.['docsExamined'], keys: read?.['keysExamined'] };
  }

  it('reads one index entry for each webhook, even if one has many deliveries', async () => {
    const busy = randomUUID();
    const deliveries = [
      ...Array.from({ length: 3_000 }, () => newDelivery(busy)),
      ...Array.from({ length: 20 }, () => newDelivery(randomUUID())),
    ];
    await store.insertNew(deliveries, NOTHING_RESERVED);
    const { oldest, docs, keys } = await readOldest();
    expect(oldest).toHaveLength(21);
    expect(docs).toBe(0);
    expect(keys).toBeLessThan(50);
  });

  it('reads a bounded number of index entries, even if many webhooks have pending deliveries', async () => {
    const SIZE = 100;
    const later = new Date(Date.now() + 600_000);
    const webhooks = Array.from({ length: 5_000 }, () => randomUUID());
    const [dueIds, pendingIds] = [webhooks.slice(0, 500), webhooks.slice(500)];
    const pending = pendingIds.map((id) => ({ ...newDelivery(id), nextAttemptAt: later }));
    const busy = Array.from({ length: 1_000 }, () => newDelivery(dueIds[0] ?? ''));
    await store.insertNew([...dueIds.map((id) => newDelivery(id)), ...busy, ...pending], NOTHING_RESERVED);
    const ranges = createWebhookRanges(SIZE);
    ranges.advance((await findOldestDue(ranges.current())).pendingWebhookIds);
    const found: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const read = await readOldest(ranges.current());
      expect(read.docs).toBe(0);
      expect(read.keys).toBeLessThanOrEqual(SIZE + 2);
      found.push(...read.oldest.map(({ webhookId }) => webhookId));
      hasMore = ranges.advance(read.pendingWebhookIds);
    }
    expect(found.toSorted()).toEqual(dueIds.toSorted());
  });
});
