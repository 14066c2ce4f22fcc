import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { Binary } from 'mongodb';
import { expect, it } from 'vitest';
import { testWebhook } from '../testing/test-webhook.ts';
import { createAddAnswers } from './answers.ts';
import { type Delivery, makeDelivery, type Settlement } from './delivery.ts';
import { createDeliveryWorker, type DeliveryJob } from './delivery-worker.ts';
import { createReceiverHealthRegistry } from './receiver-health.ts';
import { createScheduler, POLICY } from './scheduler.ts';

const tenantId = toTenantId('tenant-1');

function awaiting(webhookId: string): Delivery {
  const data = { response_id: randomUUID() };
  const event = { id: randomUUID(), type: 'response.submitted', tenantId, time: new Date(), data, traceparent: '' };
  return { ...makeDelivery(event, webhookId, new Date()), awaitsAnswers: true };
}

/** A worker with these due deliveries. Of the webhooks, only `active` exists. */
function startWorker(
  due: readonly Delivery[],
  parts: {
    readonly settle: (delivery: Delivery, settlement: Settlement) => Promise<boolean>;
    readonly untilFound: Promise<void>;
  },
) {
  const sent: string[] = [];
  const isDue = new Map(due.map((delivery) => [delivery.id, delivery]));
  const clock = () => new Date();
  const breakers = { write: async () => undefined, takeProbe: async () => ({ kind: 'mine' as const }) };
  const health = createReceiverHealthRegistry({ store: breakers, maxConcurrency: 4, clock, log: testLog });
  const worker = createDeliveryWorker({
    queue: {
      async findOldestDue({ step }) {
        const waiting = step === 'answers' ? [...isDue.values()] : [];
        const oldest = waiting.map(({ id, webhookId }) => ({ id, tenantId, webhookId, dueAt: new Date() }));
        return { oldest, pendingWebhookIds: oldest.map(({ webhookId }) => webhookId) };
      },
      findDue: async ({ webhookId }) => due.filter((one) => one.webhookId === webhookId).map(({ id }) => id),
      async claim(ids) {
        const claimed = ids.flatMap((id) => isDue.get(id) ?? []);
        for (const { id } of claimed) isDue.delete(id);
        return claimed;
      },
      storeAnswerResults: async (results) => new Set(results.map(({ delivery }) => delivery.id)),
      settle: (delivery, _claim, settlement) => parts.settle(delivery, settlement),
      release: async () => undefined,
    },
    scheduler: createScheduler<DeliveryJob>({ policy: POLICY, health, clock, now: () => performance.now() }),
    addAnswers: createAddAnswers({
      source: {
        async find(_tenantId, ids) {
          await parts.untilFound;
          return { answers: new Map(ids.map((id) => [id, undefined])), postponed: new Set<string>() };
        },
      },
      webhooks: { findAll: async () => [testWebhook({ id: 'active', tenantId, includeAnswers: true })] },
      encryption: { seal: async () => ({ ct: new Binary() }) as never },
      clock,
      log: testLog,
    }),
    async attemptDelivery({ id }) {
      sent.push(id);
      return undefined;
    },
    health,
    metrics: { leaseExpired: () => undefined },
    clock,
    newId: randomUUID,
    leaseMs: 60_000,
    log: testLog,
  });
  worker.start();
  return { worker, sent };
}

it('a result that cannot be stored while answers are read is no unhandled rejection, and is tried again', async () => {
  const due = [awaiting('deleted'), awaiting('active')];
  const found = Promise.withResolvers<void>();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  const tries: Settlement[] = [];
  process.on('unhandledRejection', note);
  const { worker, sent } = startWorker(due, {
    async settle(_delivery, settlement) {
      tries.push(settlement);
      if (tries.length === 1) throw new Error('the primary stepped down');
      return true;
    },
    untilFound: found.promise,
  });
  found.resolve();
  await poll(() => sent.length > 0);
  await poll(() => tries.length >= 2);
  await worker.stop();
  process.off('unhandledRejection', note);
  expect(tries[1]).toEqual({ status: 'failed', failureReason: 'webhook_deleted' });
  expect(unhandled).toEqual([]);
});
