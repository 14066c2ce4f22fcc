import { describe, expect, it } from 'vitest';
import { createDueClaimer, type OldestDue } from './due-claimer.ts';

const NOW = Date.UTC(2030, 0, 1);

/** Due deliveries of a webhook, oldest first. */
interface DueWebhook {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly count: number;
  /** Time since the oldest delivery became due. Milliseconds. */
  readonly since: number;
  /** Whether its last attempt was slow. */
  readonly isSlow?: boolean;
}

interface Capacity {
  /** Capacity of each claim. */
  readonly capacity: number;
  /** Capacity of each webhook. */
  readonly each?: number;
  readonly times?: number;
}

/** Returns the ids of the claimed deliveries. The store does not change. */
async function claimedOf(webhooks: readonly DueWebhook[], { capacity, each = capacity, times = 1 }: Capacity) {
  const idsOf = ({ webhookId, count }: DueWebhook) => Array.from({ length: count }, (_, n) => `${webhookId} ${n}`);
  const claimed: string[] = [];
  const claimer = createDueClaimer({
    step: 'answers',
    queue: {
      async findOldestDue() {
        const oldest = webhooks.map((webhook): OldestDue => {
          const { tenantId, webhookId, since } = webhook;
          return { id: idsOf(webhook)[0] ?? '', tenantId, webhookId, dueAt: new Date(NOW - since) };
        });
        return { oldest, pendingWebhookIds: oldest.map(({ webhookId }) => webhookId) };
      },
      findDue: async ({ webhookId, limit }) =>
        webhooks
          .filter((webhook) => webhook.webhookId === webhookId)
          .flatMap((webhook) => idsOf(webhook).slice(0, limit)),
      async claim(ids) {
        claimed.push(...ids);
        return [];
      },
    },
    capacity: () => capacity,
    capacityOf: () => each,
    isFast: (oldest) => webhooks.some(({ webhookId, isSlow }) => webhookId === oldest.webhookId && isSlow !== true),
    leaseFrom: () => ({ claim: '1', until: new Date(NOW) }),
    clock: () => new Date(NOW),
  });
  for (let time = 0; time < times; time += 1) await claimer.claim();
  return claimed;
}

const countOf = (claimed: readonly string[], webhookId: string) =>
  claimed.filter((id) => id.startsWith(`${webhookId} `)).length;

describe('due deliveries of few webhooks', () => {
  it('are shared by the tenants, even if one has many old ones', async () => {
    const claimed = await claimedOf(
      [
        { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 },
        { tenantId: 'a', webhookId: 'a2', count: 1_000, since: 50_000 },
        { tenantId: 'b', webhookId: 'b1', count: 1_000, since: 10 },
        { tenantId: 'c', webhookId: 'c1', count: 3, since: 0 },
      ],
      { capacity: 100 },
    );
    expect(['a1', 'a2', 'b1', 'c1'].map((id) => countOf(claimed, id))).toEqual([25, 24, 48, 3]);
  });

  it('fill the free capacity, oldest first', async () => {
    const webhook = { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 };
    const claimed = await claimedOf([{ ...webhook, tenantId: 'b', webhookId: 'b1', count: 2 }, webhook], {
      capacity: 10,
    });
    expect(claimed).toHaveLength(10);
    expect(claimed.filter((id) => id.startsWith('a1 '))).toEqual(Array.from({ length: 8 }, (_, n) => `a1 ${n}`));
  });

  it('stay within the capacity of each webhook', async () => {
    const webhook = { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 };
    expect(await claimedOf([webhook, { ...webhook, webhookId: 'a2' }], { capacity: 100, each: 3 })).toHaveLength(6);
  });
});

it('searches no deliveries if the capacity was used up while it searched webhooks', async () => {
  let capacity = 1;
  const limits: number[] = [];
  const claimer = createDueClaimer({
    step: 'fresh',
    queue: {
      async findOldestDue() {
        capacity = 0;
        return {
          oldest: [{ id: '1', tenantId: 'a', webhookId: 'a1', dueAt: new Date(NOW) }],
          pendingWebhookIds: ['a1'],
        };
      },
      async findDue({ limit }) {
        limits.push(limit);
        return [];
      },
      claim: async () => [],
    },
    capacity: () => capacity,
    capacityOf: () => 1,
    isFast: () => true,
    leaseFrom: () => ({ claim: '1', until: new Date(NOW) }),
    clock: () => new Date(NOW),
  });
  expect(await claimer.claim()).toMatchObject({ claimed: [], webhookIds: ['a1'] });
  expect(limits).toEqual([]);
});

describe('due deliveries of many webhooks', () => {
  it('are claimed one of each, round robin by tenant', async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({
      tenantId: 'a',
      webhookId: `a${n}`,
      count: 5,
      since: 60_000 - n,
    }));
    const claimed = await claimedOf([...many, { tenantId: 'b', webhookId: 'b1', count: 5, since: 0 }], {
      capacity: 10,
    });
    expect(claimed).toEqual(['a0 0', 'b1 0', ...Array.from({ length: 8 }, (_, n) => `a${n + 1} 0`)]);
  });
});

it('half of the claimed deliveries are of healthy webhooks, even if many others are due', async () => {
  const slow = Array.from({ length: 200 }, (_, n) => ({
    tenantId: `s${n}`,
    webhookId: `s${n}`,
    count: 5,
    since: 60_000 - n,
    isSlow: true,
  }));
  const healthy = ['a', 'b'].map((id) => ({ tenantId: id, webhookId: id, count: 5, since: 0 }));
  expect(await claimedOf([...slow, ...healthy], { capacity: 6 })).toEqual([
    'a 0',
    's0 0',
    'b 0',
    's1 0',
    'a 1',
    's2 0',
  ]);
  expect(await claimedOf([...slow, ...healthy], { capacity: 1, times: 3 })).toEqual(['a 0', 's0 0', 'a 0']);
});

it('searches 2,048 webhooks at a time, and all of them in a round', async () => {
  const webhookIds = Array.from({ length: 5_000 }, (_, n) => `w${String(n).padStart(4, '0')}`);
  const sizes: number[] = [];
  const claimer = createDueClaimer({
    step: 'fresh',
    queue: {
      async findOldestDue({ range: { after = '', upTo = 'x' } }) {
        const pendingWebhookIds = webhookIds.filter((id) => id > after && id <= upTo);
        sizes.push(pendingWebhookIds.length);
        const oldest = pendingWebhookIds.map((id) => ({ id, tenantId: id, webhookId: id, dueAt: new Date(NOW) }));
        return { oldest, pendingWebhookIds };
      },
      findDue: async () => [],
      claim: async () => [],
    },
    capacity: () => 100,
    capacityOf: () => 1,
    isFast: () => true,
    leaseFrom: () => ({ claim: '1', until: new Date(NOW) }),
    clock: () => new Date(NOW),
  });
  const found = [await claimer.claim()];
  for (let call = 0; call < 3; call += 1) found.push(await claimer.claim());
  expect(sizes).toEqual([5_000, 2_048, 2_048, 904]);
  expect(found.map(({ hasMore }) => hasMore)).toEqual([false, true, true, false]);
  expect(found.at(-1)?.webhookIds).toEqual(webhookIds);
});
