import type { MessageHandler } from '@survey/runtime/kafka/batch-handler';
import type { OccurredEvent } from '@survey/runtime/kafka/read-event';
import { patternsOf } from '../events/event-catalog.ts';
import type { WebhookStore } from '../webhooks/webhook-service.ts';
import { type Delivery, makeDelivery, withoutAttempt } from './delivery.ts';
import { decodeEvent } from './event-decoder.ts';

/** Where new deliveries go. */
export interface NewDeliveries {
  /** Resolves when all are stored durably; those that are there already stay as they are. */
  insertNew(deliveries: readonly Delivery[]): Promise<void>;
}

interface Dependencies {
  readonly webhooks: Pick<WebhookStore, 'findSubscribed'>;
  readonly deliveries: NewDeliveries;
  readonly clock: () => Date;
  /** Called when there are new deliveries. */
  readonly onDeliveries: () => void;
}

/**
 * Makes a delivery of each event for each webhook that asks for it and was there when the event happened. What a
 * webhook misses while it is disabled is kept for it, as failed.
 */
export function createFanOut({
  webhooks,
  deliveries,
  clock,
  onDeliveries,
}: Dependencies): MessageHandler<OccurredEvent> {
  async function deliveriesOf(events: readonly OccurredEvent[]): Promise<readonly Delivery[]> {
    const [first] = events;
    if (first === undefined) return [];
    const subscribers = await webhooks.findSubscribed(first.tenantId, patternsOf(first.type));
    const time = clock();
    return events.flatMap((event) =>
      subscribers
        .filter(({ createdAt }) => createdAt <= event.time)
        .map(({ id, active }) => {
          const delivery = makeDelivery(event, id, time);
          return active ? delivery : withoutAttempt(delivery);
        }),
    );
  }

  return {
    decode: decodeEvent,
    async handle(events) {
      const alike = Map.groupBy(events, ({ tenantId, type }) => `${tenantId} ${type}`);
      const found = (await Promise.all([...alike.values()].map(deliveriesOf))).flat();
      await deliveries.insertNew(found);
      if (found.length > 0) onDeliveries();
    },
  };
}
