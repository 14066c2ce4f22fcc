import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { expect, it } from 'vitest';
import { type Delivery, makeDelivery, type Settlement } from '../deliveries/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createAnswerWorker } from './answer-worker.ts';

const tenantId = toTenantId('tenant-1');

/** A delivery of a new response. */
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
  const filled: string[] = [];
  const isDue = new Map(due.map((delivery) => [delivery.id, delivery]));
  const worker = createAnswerWorker({
    queue: {
      async findOldestDue() {
        const oldest = [...isDue.values()].map(({ id, webhookId }) => ({ id, tenantId, webhookId, dueAt: new Date() }));
        return { oldest, pendingWebhookIds: oldest.map(({ webhookId }) => webhookId) };
      },
      findDue: async ({ webhookId }) => due.filter((one) => one.webhookId === webhookId).map(({ id }) => id),
      claim: async (ids) => ids.flatMap((id) => isDue.get(id) ?? []),
      async settle(delivery, _claim, settlement) {
        const isStored = await parts.settle(delivery, settlement);
        isDue.delete(delivery.id);
        return isStored;
      },
      release: async () => undefined,
    },
    deliveries: {
      async fill(all) {
        for (const { id } of all) {
          filled.push(id);
          isDue.delete(id);
        }
      },
      postpone: async () => undefined,
    },
    // No other members are read.
    webhooks: { findAll: async () => [{ id: 'active', tenantId, active: true, includeAnswers: true } as Webhook] },
    answers: {
      async find(_tenantId, ids) {
        await parts.untilFound;
        return { answers: new Map(ids.map((id) => [id, undefined])), postponed: new Set<string>() };
      },
    },
    bodies: { seal: async () => ({ ct: {} }) as never },
    onFilled: () => undefined,
    clock: () => new Date(),
    newId: randomUUID,
    log: testLog,
  });
  worker.start();
  return { worker, filled };
}

it('a result that cannot be stored while answers are read is no unhandled rejection, and is tried again', async () => {
  const due = [awaiting('deleted'), awaiting('active')];
  const found = Promise.withResolvers<void>();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  const tries: Settlement[] = [];
  process.on('unhandledRejection', note);
  const { worker, filled } = startWorker(due, {
    async settle(_delivery, settlement) {
      tries.push(settlement);
      if (tries.length === 1) throw new Error('the primary stepped down');
      return true;
    },
    untilFound: found.promise,
  });
  await poll(() => tries.length >= 2);
  found.resolve();
  await poll(() => filled.length > 0);
  await worker.stop();
  process.off('unhandledRejection', note);
  expect(tries[1]).toEqual({ status: 'failed', failureReason: 'webhook_deleted' });
  expect(unhandled).toEqual([]);
});
