import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Delivery } from '@survey/client';
import { MAX_OUTAGE_RETRIES } from './outage.ts';

/** Deliveries may become visible later than newer ones, so each poll looks back this far. */
const OVERLAP_MS = 60_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
/** Event types with answers. If the webhook includes answers, each delivery gets them before its first attempt. */
const TYPES_WITH_ANSWERS = ['response.submitted', 'response.updated'];

interface Selection {
  /** Only deliveries created at this time or later. */
  readonly since: Date;
  /** Whether the webhook includes answers. */
  readonly withAnswers: boolean;
  readonly signal: AbortSignal;
}

/** Yields new deliveries of a webhook, oldest first and each once, until the signal is aborted. */
export async function* pollDeliveries(
  { webhooks }: Pick<Client, 'webhooks'>,
  webhookId: string,
  { since, withAnswers, signal }: Selection,
): AsyncGenerator<Delivery, void, undefined> {
  // Times of creation of the yielded deliveries, by their ids.
  let seen = new Map<string, number>();
  let from = since.getTime();
  let newest = from;
  let pauseMs = SHORTEST_PAUSE_MS;
  while (!signal.aborted) {
    const query = { since: new Date(from).toISOString(), limit: 100 };
    const options = { signal, maxRetries: MAX_OUTAGE_RETRIES };
    const found: Delivery[] = [];
    let oldestIncomplete = Number.POSITIVE_INFINITY;
    // The list begins with the newest delivery.
    for await (const delivery of webhooks.listDeliveries(webhookId, query, options)) {
      if (seen.has(delivery.id)) continue;
      if (withAnswers && isIncomplete(delivery)) oldestIncomplete = Date.parse(delivery.created_at);
      else found.push(delivery);
    }
    for (const delivery of found.reverse()) {
      const createdAt = Date.parse(delivery.created_at);
      newest = Math.max(newest, createdAt);
      seen.set(delivery.id, createdAt);
      yield delivery;
    }
    from = Math.max(since.getTime(), Math.min(newest - OVERLAP_MS, oldestIncomplete));
    seen = new Map([...seen].filter(([, createdAt]) => createdAt >= from));
    pauseMs = found.length > 0 ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Whether the delivery waits for the answers to its response. */
function isIncomplete({ status, event_type, payload }: Delivery): boolean {
  const data = payload['data'] as object;
  return status === 'pending' && TYPES_WITH_ANSWERS.includes(event_type) && !('answers' in data);
}
