import { describe, expect, it } from 'vitest';
import type { DueHead } from './delivery-queue.ts';
import { createDueTaker } from './due-taker.ts';

const NOW = Date.UTC(2030, 0, 1);

/** What is due of a webhook, the longest due first. */
interface DueWebhook {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly count: number;
  /** Since when the first one is due. */
  readonly since: number;
  /** Whether it did not answer in time last. */
  readonly isSlow?: boolean;
}

interface Room {
  /** In all, each time. */
  readonly room: number;
  /** Of a webhook. */
  readonly each?: number;
  readonly times?: number;
}

/** Ids of those that are taken, which are due still. */
async function takenOf(webhooks: readonly DueWebhook[], { room, each = room, times = 1 }: Room) {
  const idsOf = ({ webhookId, count }: DueWebhook) => Array.from({ length: count }, (_, n) => `${webhookId} ${n}`);
  const taken: string[] = [];
  const taker = createDueTaker<'answers'>({
    queue: {
      findHeads: async () =>
        webhooks.map((webhook): DueHead => {
          const { tenantId, webhookId, since } = webhook;
          return { id: idsOf(webhook)[0] ?? '', tenantId, webhookId, dueAt: new Date(NOW - since) };
        }),
      findDue: async ({ webhookId, limit }) =>
        webhooks
          .filter((webhook) => webhook.webhookId === webhookId)
          .flatMap((webhook) => idsOf(webhook).slice(0, limit)),
      async claim(ids) {
        taken.push(...ids);
        return [];
      },
    },
    roomFor: () => each,
    isPrompt: (head) => webhooks.some(({ webhookId, isSlow }) => webhookId === head.webhookId && isSlow !== true),
    roomIn: () => room,
    newLease: () => ({ claim: '1', until: new Date(NOW) }),
    clock: () => new Date(NOW),
  });
  for (let time = 0; time < times; time += 1) await taker.take('answers');
  return taken;
}

const countOf = (taken: readonly string[], webhookId: string) =>
  taken.filter((id) => id.startsWith(`${webhookId} `)).length;

describe('what is due of few webhooks', () => {
  it('is shared by the tenants, however much one of them has had due for however long', async () => {
    const taken = await takenOf(
      [
        { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 },
        { tenantId: 'a', webhookId: 'a2', count: 1_000, since: 50_000 },
        { tenantId: 'b', webhookId: 'b1', count: 1_000, since: 10 },
        { tenantId: 'c', webhookId: 'c1', count: 3, since: 0 },
      ],
      { room: 100 },
    );
    expect(['a1', 'a2', 'b1', 'c1'].map((id) => countOf(taken, id))).toEqual([25, 24, 48, 3]);
  });

  it('fills the room that others leave, the longest due first', async () => {
    const webhook = { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 };
    const taken = await takenOf([{ ...webhook, tenantId: 'b', webhookId: 'b1', count: 2 }, webhook], { room: 10 });
    expect(taken).toHaveLength(10);
    expect(taken.filter((id) => id.startsWith('a1 '))).toEqual(Array.from({ length: 8 }, (_, n) => `a1 ${n}`));
  });

  it('is no more of each than there is room for', async () => {
    const webhook = { tenantId: 'a', webhookId: 'a1', count: 1_000, since: 60_000 };
    expect(await takenOf([webhook, { ...webhook, webhookId: 'a2' }], { room: 100, each: 3 })).toHaveLength(6);
  });
});

describe('what is due of many webhooks', () => {
  it('is one of each, and tenants take turns', async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({
      tenantId: 'a',
      webhookId: `a${n}`,
      count: 5,
      since: 60_000 - n,
    }));
    const taken = await takenOf([...many, { tenantId: 'b', webhookId: 'b1', count: 5, since: 0 }], { room: 10 });
    expect(taken).toEqual(['a0 0', 'b1 0', ...Array.from({ length: 8 }, (_, n) => `a${n + 1} 0`)]);
  });
});

it('what is due of webhooks that answered in time last has every second turn', async () => {
  const slow = Array.from({ length: 200 }, (_, n) => ({
    tenantId: `s${n}`,
    webhookId: `s${n}`,
    count: 5,
    since: 60_000 - n,
    isSlow: true,
  }));
  const prompt = ['a', 'b'].map((id) => ({ tenantId: id, webhookId: id, count: 5, since: 0 }));
  expect(await takenOf([...slow, ...prompt], { room: 6 })).toEqual(['a 0', 's0 0', 'b 0', 's1 0', 'a 1', 's2 0']);
  expect(await takenOf([...slow, ...prompt], { room: 1, times: 3 })).toEqual(['a 0', 's0 0', 'a 0']);
});
