import type { Client, Delivery } from '@survey/client';
import { expect, it } from 'vitest';
import { pollDeliveries } from './poll-deliveries.ts';

const since = new Date('2026-01-31T12:00:00Z');
const delivery = (id: string, seconds: number) =>
  ({ id, created_at: new Date(since.getTime() + seconds * 1000).toISOString() }) as Delivery;

it('yields each delivery once and in order, also one that becomes visible late', async () => {
  const lists = [
    [delivery('b', 2), delivery('a', 1)],
    [delivery('d', 90), delivery('b', 2), delivery('a', 1)],
    [delivery('d', 90), delivery('late', 40)],
    [delivery('e', 91), delivery('d', 90), delivery('late', 40)],
  ];
  const asked: (string | undefined)[] = [];
  const webhooks = {
    listDeliveries: (_id: string, query?: { readonly since?: string }) => {
      asked.push(query?.since);
      return (lists.shift() ?? []) as unknown as AsyncIterable<Delivery>;
    },
  } as unknown as Client['webhooks'];
  const { signal } = new AbortController();
  const ids: string[] = [];
  for await (const { id } of pollDeliveries({ webhooks }, 'w', { since, signal })) {
    ids.push(id);
    if (id === 'e') break;
  }
  expect(ids).toEqual(['a', 'b', 'd', 'late', 'e']);
  const from = since.toISOString();
  expect(asked).toEqual([from, from, '2026-01-31T12:00:30.000Z', '2026-01-31T12:00:30.000Z']);
});
