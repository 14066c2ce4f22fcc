import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Delivery } from '@survey/client';

/** Deliveries may become visible later than newer ones, so each poll looks back this far. */
const OVERLAP_MS = 60_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;

/** Yields new deliveries of a webhook, oldest first and each once, until the signal is aborted. */
export async function* pollDeliveries(
  { webhooks }: Pick<Client, 'webhooks'>,
  webhookId: string,
  { since, signal }: { readonly since: Date; readonly signal: AbortSignal },
): AsyncGenerator<Delivery, void, undefined> {
  // Ids and times of creation of deliveries in the overlap.
  let seen = new Map<string, number>();
  let newest = since.getTime();
  let pauseMs = SHORTEST_PAUSE_MS;
  while (!signal.aborted) {
    const from = Math.max(since.getTime(), newest - OVERLAP_MS);
    const found: Delivery[] = [];
    const query = { since: new Date(from).toISOString(), limit: 100 };
    for await (const delivery of webhooks.listDeliveries(webhookId, query, { signal }))
      if (!seen.has(delivery.id)) found.push(delivery);
    for (const delivery of found.reverse()) {
      const createdAt = Date.parse(delivery.created_at);
      newest = Math.max(newest, createdAt);
      seen.set(delivery.id, createdAt);
      yield delivery;
    }
    seen = new Map([...seen].filter(([, createdAt]) => createdAt >= newest - OVERLAP_MS));
    pauseMs = found.length > 0 ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
    await sleep(pauseMs, undefined, { signal });
  }
}
