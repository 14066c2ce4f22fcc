import type { Client, Delivery } from '@survey/client';
import { expect, it } from 'vitest';
import { pollDeliveries } from './poll-deliveries.ts';

const since = new Date('2026-01-31T12:00:00Z');
const delivery = (id: string, seconds: number): Delivery => ({
  id,
  webhook_id: 'w',
  event_id: id,
  event_type: 'survey.closed',
  payload: { data: {} },
  status: 'pending',
  created_at: new Date(since.getTime() + seconds * 1000).toISOString(),
  attempts: [],
});

/** A platform with these lists of deliveries, one for each poll, and the times that are asked for. */
function start(lists: readonly (readonly Delivery[])[]) {
  const rest = [...lists];
  const asked: (string | undefined)[] = [];
  const webhooks = {
    listDeliveries: (_id: string, query?: { readonly since?: string }) => {
      asked.push(query?.since);
      return (rest.shift() ?? []) as unknown as AsyncIterable<Delivery>;
    },
  } as unknown as Client['webhooks'];
  return { client: { webhooks }, asked };
}

/** The ids of the deliveries up to one. */
async function read(client: Pick<Client, 'webhooks'>, last: string, withAnswers = false) {
  const { signal } = new AbortController();
  const ids: string[] = [];
  for await (const { id } of pollDeliveries(client, 'w', { since, withAnswers, signal })) {
    ids.push(id);
    if (id === last) break;
  }
  return ids;
}

it('yields each delivery once and in order, also one that becomes visible late', async () => {
  const { client, asked } = start([
    [delivery('b', 2), delivery('a', 1)],
    [delivery('d', 90), delivery('b', 2), delivery('a', 1)],
    [delivery('d', 90), delivery('late', 40)],
    [delivery('e', 91), delivery('d', 90), delivery('late', 40)],
  ]);
  expect(await read(client, 'e')).toEqual(['a', 'b', 'd', 'late', 'e']);
  const from = since.toISOString();
  expect(asked).toEqual([from, from, '2026-01-31T12:00:30.000Z', '2026-01-31T12:00:30.000Z']);
});

it('yields a delivery when it has its answers, or was sent without', async () => {
  const submitted = (id: string, seconds: number, status: Delivery['status'], data: object): Delivery => ({
    ...delivery(id, seconds),
    event_type: 'response.submitted',
    status,
    payload: { data },
  });
  const { client, asked } = start([
    [delivery('other', 90), submitted('sent', 2, 'pending', {}), submitted('filled', 1, 'pending', {})],
    [submitted('sent', 2, 'pending', {}), submitted('filled', 1, 'pending', { answers: null })],
    [submitted('sent', 2, 'failed', {})],
  ]);
  expect(await read(client, 'sent', true)).toEqual(['other', 'filled', 'sent']);
  expect(asked.slice(1)).toEqual(['2026-01-31T12:00:01.000Z', '2026-01-31T12:00:02.000Z']);
});
