import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookDocument } from '../webhooks/webhook-store.ts';
import { createReceiverHealthRegistry } from './receiver-health.ts';
import { createWebhookStateStore } from './webhook-state-store.ts';

let database: TestDatabase;
let store: ReturnType<typeof createWebhookStateStore>;
const tenantId = toTenantId(randomUUID());
const BREAKER = { until: Date.UTC(2030, 0, 1), pauseMs: 5_000 };

beforeAll(async () => {
  database = await createTestDatabase();
  store = createWebhookStateStore(database.db.collection<WebhookDocument>('webhooks'));
});

afterAll(() => database.drop());

const webhooks = () => database.db.collection<{ _id: string }>('webhooks');

async function makeWebhook(revision = 1): Promise<{ tenantId: typeof tenantId; webhookId: string; revision: number }> {
  const webhookId = randomUUID();
  await webhooks().insertOne({ _id: webhookId, tenant_id: tenantId, revision } as { _id: string });
  return { tenantId, webhookId, revision };
}

const stateOf = async (webhookId: string) => (await store.findStates([webhookId]))[0];

describe('tests of a webhook', () => {
  const LIMIT = { max: 5, perMs: 60_000 };
  const other = () => createWebhookStateStore(database.db.collection<WebhookDocument>('webhooks'));

  it('are limited exactly when two replicas get too many at the same time', async () => {
    const { webhookId: id } = await makeWebhook();
    const replicas = [store, other()];
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (replicas[index % 2] ?? store).admitTest({ tenantId, id }, randomUUID(), LIMIT),
      ),
    );
    expect(outcomes.filter((first) => first === undefined)).toHaveLength(5);
    const document = await webhooks().findOne<WebhookDocument>({ _id: id });
    expect(document?.recent_tests).toHaveLength(5);
    expect(await other().admitTest({ tenantId, id }, 'late', LIMIT)).toEqual(document?.recent_tests?.[0]?.at);
  });

  it('count until the period ends, and do not count for a missing webhook', async () => {
    const { webhookId: id } = await makeWebhook();
    for (let count = 0; count < 5; count += 1) await store.admitTest({ tenantId, id }, randomUUID(), LIMIT);
    await webhooks().updateOne({ _id: id }, { $set: { 'recent_tests.0.at': new Date(Date.now() - 60_001) } });
    expect(await store.admitTest({ tenantId, id }, randomUUID(), LIMIT)).toBeUndefined();
    expect(await store.admitTest({ tenantId, id }, randomUUID(), LIMIT)).toBeInstanceOf(Date);
    expect(await store.admitTest({ tenantId, id: 'none' }, randomUUID(), LIMIT)).toBeUndefined();
  });
});

describe('a breaker', () => {
  it('is shared by all replicas while it is open, and removed when it closes', async () => {
    const webhook = await makeWebhook(3);
    await store.write(webhook, BREAKER);
    expect(await stateOf(webhook.webhookId)).toEqual({ id: webhook.webhookId, revision: 3, breaker: BREAKER });
    await store.write(webhook, undefined);
    expect(await stateOf(webhook.webhookId)).toEqual({ id: webhook.webhookId, revision: 3, breaker: undefined });
  });

  it('does not apply to a changed webhook', async () => {
    const webhook = await makeWebhook();
    await store.write(webhook, BREAKER);
    await webhooks().updateOne({ _id: webhook.webhookId }, { $inc: { revision: 1 } });
    expect((await stateOf(webhook.webhookId))?.breaker).toBeUndefined();
  });

  it('is neither opened nor closed by attempts at an earlier revision', async () => {
    const before = await makeWebhook();
    const change = () => webhooks().updateOne({ _id: before.webhookId }, { $inc: { revision: 1 } });
    await change();
    await store.write(before, BREAKER);
    expect((await stateOf(before.webhookId))?.breaker).toBeUndefined();
    await store.write({ ...before, revision: 2 }, BREAKER);
    await store.write(before, undefined);
    expect((await stateOf(before.webhookId))?.breaker).toEqual(BREAKER);
    // A probe of the earlier revision does not change the breaker either.
    await change();
    await store.takeProbe(before, BREAKER, { until: BREAKER.until + 10_000, pauseMs: 10_000 });
    expect((await stateOf(before.webhookId))?.breaker).toBeUndefined();
  });

  it('lets one of several replicas probe, and the others learn how long it is open', async () => {
    const webhook = await makeWebhook();
    await store.write(webhook, BREAKER);
    const next = { until: BREAKER.until + 10_000, pauseMs: 10_000 };
    const taken = await Promise.all([1, 2, 3].map(() => store.takeProbe(webhook, BREAKER, next)));
    expect(taken.filter(({ kind }) => kind === 'mine')).toHaveLength(1);
    expect(taken.filter(({ kind }) => kind === 'theirs')).toEqual(Array(2).fill({ kind: 'theirs', breaker: next }));
  });

  it('that another replica has closed is closed for all', async () => {
    const webhook = await makeWebhook();
    await store.write(webhook, BREAKER);
    await store.write(webhook, undefined);
    expect(await store.takeProbe(webhook, BREAKER, BREAKER)).toEqual({ kind: 'theirs', breaker: undefined });
  });

  it('is not written to a webhook that is deleted', async () => {
    const webhook = await makeWebhook();
    await webhooks().replaceOne({ _id: webhook.webhookId }, { tombstone: true } as never);
    await store.write(webhook, BREAKER);
    expect(await webhooks().findOne({ _id: webhook.webhookId })).toEqual({ _id: webhook.webhookId, tombstone: true });
    expect(await store.findStates([webhook.webhookId])).toEqual([]);
    expect(await store.findAll([webhook.webhookId])).toEqual([]);
  });
});

describe('a replica that starts', () => {
  const clock = () => new Date();
  const start = () => createReceiverHealthRegistry({ store, maxConcurrency: 4, clock, log: testLog });

  it('learns of an open breaker when it first reads the webhook, and keeps it despite an older state', async () => {
    const webhook = await makeWebhook();
    const breaker = { until: Date.now() + 60_000, pauseMs: 60_000 };
    await store.write(webhook, breaker);
    const state = await stateOf(webhook.webhookId);
    if (state === undefined) throw new Error('the webhook is not there');
    const health = start();
    health.adoptState(state);
    expect(health.of(webhook.webhookId).breaker).toEqual(breaker);
    expect(health.count()).toEqual({ open: 1, halfOpen: 0 });
    health.adoptState({ ...state, breaker: undefined });
    expect(health.of(webhook.webhookId).breaker).toEqual(breaker);
    health.adoptState({ ...state, revision: state.revision + 1, breaker: undefined });
    expect(health.of(webhook.webhookId).breaker).toBeUndefined();
  });

  it('sends one probe together with another replica', async () => {
    const webhook = await makeWebhook();
    const breaker = { until: Date.now() - 1, pauseMs: 5_000 };
    await store.write(webhook, breaker);
    const state = await stateOf(webhook.webhookId);
    if (state === undefined) throw new Error('the webhook is not there');
    const replicas = [start(), start()];
    for (const health of replicas) health.adoptState(state);
    expect(replicas.map((health) => health.count().halfOpen)).toEqual([1, 1]);
    const probes = await Promise.all(replicas.map((health) => health.takeProbe(webhook)));
    expect(probes.toSorted()).toEqual([false, true]);
    expect(replicas.map((health) => health.of(webhook.webhookId).breaker?.pauseMs)).toEqual([10_000, 10_000]);
  });
});
