import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../deliveries/delivery.ts';
import { testWebhook } from '../testing/test-webhook.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createFanOut } from './fan-out.ts';

const time = new Date();
const eventOf = (tenant: string, id: string) => ({
  id,
  type: 'survey.created',
  tenantId: toTenantId(tenant),
  time,
  data: {},
  traceparent: '',
});

const webhookOf = (tenant: string, id: string, more: Partial<Webhook> = {}) =>
  testWebhook({ id, tenantId: toTenantId(tenant), ...more });

/** A fan-out whose store has some deliveries, or is down. */
function fanningOut({
  webhooks,
  isStored = () => false,
  isAway = false,
  isRejected = () => false,
  isReserved = () => true,
}: {
  readonly webhooks: readonly Webhook[];
  readonly isStored?: (delivery: Delivery) => boolean;
  readonly isAway?: boolean;
  readonly isRejected?: (delivery: Delivery) => boolean;
  /** Whether the worker has capacity for a delivery. */
  readonly isReserved?: (delivery: Delivery) => boolean;
}) {
  const seen = {
    looks: 0,
    wakes: 0,
    reserved: [] as Delivery[],
    stored: [] as Delivery[],
    begun: [] as string[],
    duplicates: 0,
  };
  const calls: string[] = [];
  const handler = createFanOut({
    webhooks: {
      async findSubscribed(tenantIds) {
        seen.looks += 1;
        const wanted = new Set(tenantIds);
        return webhooks.filter(({ tenantId }) => wanted.has(tenantId));
      },
    },
    deliveries: {
      eraseReplies: async () => undefined,
      async insertNew(deliveries) {
        if (isAway) throw new AppError('UNAVAILABLE');
        if (deliveries.some(isRejected)) throw new Error('rejected');
        calls.push('stored');
        seen.stored.push(...deliveries);
        return new Set(deliveries.filter((delivery) => !isStored(delivery)).map(({ id }) => id));
      },
    },
    clock: () => time,
    worker: {
      ready: async () => undefined,
      reserve(wanted) {
        const deliveries = wanted.filter(isReserved);
        seen.reserved.push(...deliveries);
        return {
          ids: new Set(deliveries.map(({ id }) => id)),
          lease: { claim: 'claim', until: time },
          commit(storedIds) {
            calls.push('begun');
            seen.begun.push(...deliveries.map(({ id }) => id).filter((id) => storedIds.has(id)));
          },
          abandon: () => void calls.push('given up'),
        };
      },
      wake() {
        seen.wakes += 1;
      },
    },
    onDuplicates(count) {
      seen.duplicates += count;
    },
  });
  return { handler, seen, calls };
}

describe('events of several tenants', () => {
  it('go to the webhooks of their tenants, which are read once', async () => {
    const webhooks = [webhookOf('a', 'a1'), webhookOf('a', 'a2'), webhookOf('b', 'b1'), webhookOf('c', 'c1')];
    const { handler, seen, calls } = fanningOut({ webhooks });
    await handler.handle([eventOf('a', '1'), eventOf('b', '2')]);
    const pairs = seen.stored.map(({ tenantId, webhookId, eventId }) => [tenantId, webhookId, eventId]);
    expect(pairs).toEqual([
      ['a', 'a1', '1'],
      ['a', 'a2', '1'],
      ['b', 'b1', '2'],
    ]);
    expect([seen.looks, calls]).toEqual([1, ['stored', 'begun']]);
    expect(seen.begun).toEqual(seen.stored.map(({ id }) => id));
  });
});

describe('an event from before the creation of a webhook', () => {
  const makeAt = (createdAt: Date) => fanningOut({ webhooks: [webhookOf('a', 'a1', { createdAt })] });
  const after = (ms: number) => new Date(time.getTime() + ms);

  it('goes to it within the tolerance for clock differences', async () => {
    const { handler, seen } = makeAt(after(1_000));
    await handler.handle([eventOf('a', '1')]);
    expect(seen.stored).toHaveLength(1);
  });

  it('does not go to it otherwise', async () => {
    const { handler, seen } = makeAt(after(1_001));
    await handler.handle([eventOf('a', '1')]);
    expect(seen.stored).toEqual([]);
  });
});

describe('a repeated event', () => {
  it('is not sent again, and is counted', async () => {
    const webhooks = [webhookOf('a', 'a1'), webhookOf('a', 'a2')];
    const { handler, seen } = fanningOut({ webhooks, isStored: ({ webhookId }) => webhookId === 'a1' });
    await handler.handle([eventOf('a', '1')]);
    expect(seen.begun).toEqual(seen.stored.filter(({ webhookId }) => webhookId === 'a2').map(({ id }) => id));
    expect(seen.duplicates).toBe(1);
  });

  it('within one batch makes one delivery', async () => {
    const { handler, seen } = fanningOut({ webhooks: [webhookOf('a', 'a1')] });
    await handler.handle([eventOf('a', '1'), eventOf('a', '1')]);
    expect([seen.stored.length, seen.begun.length, seen.duplicates]).toEqual([1, 1, 1]);
  });
});

describe('the worker', () => {
  const webhooks = [webhookOf('a', 'a1'), webhookOf('a', 'a2')];

  it('searches for new deliveries without capacity, also if others existed', async () => {
    const isFirst = ({ webhookId }: Delivery) => webhookId === 'a1';
    const { handler, seen } = fanningOut({ webhooks, isStored: isFirst, isReserved: isFirst });
    await handler.handle([eventOf('a', '1')]);
    expect([seen.begun.length, seen.duplicates, seen.wakes]).toEqual([0, 1, 1]);
  });

  it('does not search if all new deliveries have capacity, or are not to be sent', async () => {
    const disabled = webhookOf('a', 'a3', { active: false, disabledReason: 'gone' });
    const { handler, seen } = fanningOut({ webhooks: [...webhooks, disabled] });
    await handler.handle([eventOf('a', '1')]);
    expect([seen.stored.length, seen.begun.length, seen.wakes]).toEqual([3, 2, 0]);
  });
});

describe('deliveries that cannot be stored', () => {
  it('are abandoned without being sent, and the event is handled again', async () => {
    const { handler, calls } = fanningOut({ webhooks: [webhookOf('a', 'a1')], isAway: true });
    await expect(handler.handle([eventOf('a', '1')])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls).toEqual(['given up']);
  });
});

describe('concurrent events of several partitions', () => {
  it('are stored together', async () => {
    const { handler, seen } = fanningOut({ webhooks: [webhookOf('a', 'a1'), webhookOf('b', 'b1')] });
    await Promise.all([handler.handle([eventOf('a', '1')]), handler.handle([eventOf('b', '2')])]);
    expect([seen.looks, seen.stored.length, seen.begun.length]).toEqual([1, 2, 2]);
  });

  it('are stored together, whatever their number', async () => {
    const { handler, seen } = fanningOut({ webhooks: [webhookOf('a', 'a1')] });
    const chunkOf = (chunk: number) => Array.from({ length: 100 }, (_, index) => eventOf('a', `${chunk}-${index}`));
    await Promise.all([1, 2, 3].map((chunk) => handler.handle(chunkOf(chunk))));
    expect([seen.looks, seen.stored.length, seen.begun.length]).toEqual([1, 300, 300]);
  });

  it('are stored one by one if one of them cannot be stored', async () => {
    const webhooks = [webhookOf('a', 'a1'), webhookOf('b', 'b1')];
    const { handler, seen } = fanningOut({ webhooks, isRejected: ({ tenantId }) => tenantId === 'a' });
    const [one, other] = await Promise.allSettled([
      handler.handle([eventOf('a', '1')]),
      handler.handle([eventOf('b', '2')]),
    ]);
    expect([one.status, other.status]).toEqual(['rejected', 'fulfilled']);
    expect(seen.begun).toEqual(seen.stored.map(({ id }) => id));
  });

  it('are not retried one by one if the database is down', async () => {
    const { handler, seen, calls } = fanningOut({
      webhooks: [webhookOf('a', 'a1'), webhookOf('b', 'b1')],
      isAway: true,
    });
    const results = await Promise.allSettled([
      handler.handle([eventOf('a', '1')]),
      handler.handle([eventOf('b', '2')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([seen.looks, calls]).toEqual([1, ['given up']]);
  });
});

describe('a disabled webhook', () => {
  it('gets no deliveries if its tenant disabled it', async () => {
    const { handler, seen } = fanningOut({ webhooks: [webhookOf('a', 'a1', { active: false })] });
    await handler.handle([eventOf('a', '1')]);
    expect(seen.stored).toEqual([]);
  });

  it('gets its deliveries stored, and uses no capacity', async () => {
    const webhooks = [webhookOf('a', 'a1', { active: false, disabledReason: 'gone' })];
    const { handler, seen } = fanningOut({ webhooks });
    await handler.handle([eventOf('a', '1')]);
    expect(seen.stored).toMatchObject([{ status: 'failed', failureReason: 'webhook_disabled' }]);
    expect(seen.reserved).toEqual([]);
  });
});
