import { randomUUID } from 'node:crypto';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { testWebhook } from '../testing/test-webhook.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Delivery } from './delivery.ts';
import { createTestCall } from './delivery-service.ts';
import type { PostDelivery, Posted } from './post-delivery.ts';

const webhook = (revision: number) => testWebhook({ revision });

const delivered: Posted = {
  attempt: {
    number: 1,
    trigger: 'test',
    startedAt: new Date(),
    durationMs: 1,
    statusCode: 200,
    reply: undefined,
    error: undefined,
  },
  reply: undefined,
};

interface Parts {
  /** The webhook as read before and after the test is stored. */
  readonly before?: Webhook | undefined;
  readonly after?: Webhook | undefined;
  readonly reply?: () => Promise<Posted | undefined>;
  /** The number of failed tries to store the result. */
  readonly settleErrors?: number;
}

function startTests(parts: Parts = {}) {
  const { before = webhook(1), reply = async () => delivered } = parts;
  const after = 'after' in parts ? parts.after : before;
  const stored: Delivery[] = [];
  const posted: Parameters<PostDelivery>[] = [];
  const settled: string[] = [];
  let { settleErrors = 0 } = parts;
  const testCall = createTestCall({
    webhooks: {
      async get() {
        const found = stored.length === 0 ? before : after;
        if (found === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
        return found;
      },
    },
    testLimit: { admitTest: async () => undefined },
    deliveries: {
      async insertNew(deliveries) {
        stored.push(...deliveries);
        return new Set(deliveries.map(({ id }) => id));
      },
      async settle(_delivery, _claim, { status }) {
        settleErrors -= 1;
        if (settleErrors >= 0) throw new Error('the database is away');
        settled.push(status);
        return true;
      },
    },
    failures: { reset: async () => undefined },
    post(...args) {
      posted.push(args);
      return reply();
    },
    clock: () => new Date(),
    newId: randomUUID,
    timeoutMs: 30_000,
    leaseMs: 60_000,
  });
  const test = (tenantId: TenantId = toTenantId('tenant-1'), webhookId = 'webhook-1') =>
    testCall.test({ tenantId, traceparent: '' }, webhookId);
  return { test, stored, posted, settled };
}

describe('a test', () => {
  it('uses the URL and secret that the webhook has after the test was stored', async () => {
    const { test, posted } = startTests({ before: webhook(1), after: webhook(2) });
    expect((await test()).status).toBe('delivered');
    expect(posted.map(([{ revision }]) => revision)).toEqual([2]);
  });

  it('waits for the receiver as long as an attempt of any delivery', async () => {
    const { test, posted } = startTests();
    await test();
    expect(posted[0]?.[2]).toMatchObject({ timeoutMs: 30_000 });
  });

  it('of a webhook that is deleted before the attempt sends nothing', async () => {
    const { test, stored, posted } = startTests({ after: undefined });
    await expect(test()).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    expect([stored.length, posted.length]).toEqual([1, 0]);
  });

  it('whose lease is too short is left to a worker', async () => {
    const { test, stored, settled } = startTests({ reply: async () => undefined });
    await expect(test()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([stored.length, settled.length]).toEqual([1, 0]);
  });
});

describe('the result of a test', () => {
  it('is stored again after an error, so that no worker sends the test twice', async () => {
    const { test, settled, posted } = startTests({ settleErrors: 1 });
    expect((await test()).status).toBe('delivered');
    expect([settled, posted.length]).toEqual([['delivered'], 1]);
  });
});

describe('running tests', () => {
  it('are limited to 16 of a tenant and 64 in total', async () => {
    const end = Promise.withResolvers<Posted>();
    const { test } = startTests({ reply: () => end.promise });
    const run = (tenant: string, count: number) =>
      Array.from({ length: count }, (_, n) => test(toTenantId(tenant), `${tenant}-${n}`));
    const rejection = { code: 'OVERLOADED', retryAfterSeconds: 1 };
    const running = run('a', 16);
    await expect(test(toTenantId('a'), 'one more')).rejects.toMatchObject(rejection);
    running.push(...['b', 'c', 'd'].flatMap((tenant) => run(tenant, 16)));
    await expect(test(toTenantId('e'))).rejects.toMatchObject(rejection);
    end.resolve(delivered);
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(64).fill('delivered'));
    await expect(Promise.all(run('a', 16))).resolves.toHaveLength(16);
  });
});
