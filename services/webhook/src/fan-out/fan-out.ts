import { createBatcher } from '@survey/runtime/flow/batcher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { MessageHandler } from '@survey/runtime/kafka/batch-handler';
import { type EventMessage, type ReceivedEvent, readEvent } from '@survey/runtime/kafka/event-message';
import { maySucceedLater } from '@survey/runtime/mongo/mongo-errors';
import { applySettlement, type Delivery, makeDelivery, rejectionOf } from '../deliveries/delivery.ts';
import type { DeliveryInserter } from '../deliveries/delivery-service.ts';
import type { ReplyEraser } from '../deliveries/delivery-store.ts';
import type { Admission, DeliveryWorker } from '../deliveries/delivery-worker.ts';
import type { Subscribers } from '../deliveries/webhook-state-store.ts';
import { DISABLED_EVENT, patternsOf } from '../events/event-catalog.ts';
import { RESPONSE_DELETED, typesWithAnswers } from '../events/response-event-types.ts';
import type { Webhook } from '../webhooks/webhook.ts';

interface Dependencies {
  readonly webhooks: Subscribers;
  readonly deliveries: DeliveryInserter & Pick<ReplyEraser, 'eraseReplies'>;
  readonly clock: () => Date;
  readonly worker: Admission & Pick<DeliveryWorker, 'wake'>;
  /** Called with the number of deliveries that already existed. */
  readonly onDuplicates: (count: number) => void;
}

type Events = readonly ReceivedEvent[];

/** The error of events whose deliveries could not be stored. */
interface Failed {
  readonly error: unknown;
}

/** Events of several partitions are stored in one batch. */
const BATCHING = { batch: { maxItems: 8 }, concurrency: 4 };
/** Event times come from other clocks. A webhook also gets events from up to this time before its creation. */
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

/**
 * Consumes events from Kafka. Creates a delivery for each webhook that subscribes to an event and existed when the
 * event occurred. Kafka can hand over an event twice, so the id of a delivery depends only on the event and the
 * webhook.
 */
export function createFanOut({
  webhooks,
  deliveries,
  clock,
  worker,
  onDuplicates,
}: Dependencies): MessageHandler<ReceivedEvent> {
  async function deliveriesOf(events: Events): Promise<readonly Delivery[]> {
    const tenantIds = new Set(events.map(({ tenantId }) => tenantId));
    const patterns = new Set(events.flatMap(({ type }) => patternsOf(type)));
    const found = Map.groupBy(await webhooks.findSubscribed(tenantIds, patterns), ({ tenantId }) => tenantId);
    const time = clock();
    return events.flatMap((event) =>
      (found.get(event.tenantId) ?? [])
        .filter((webhook) => isSubscribed(event, webhook))
        .flatMap((webhook) => {
          const rejection = rejectionOf(webhook, event);
          // If the tenant disabled the webhook, there is no delivery. If the platform disabled it, the delivery is
          // stored as failed, so that the tenant can send it later.
          if (rejection?.isStored === false) return [];
          // Events have no answers. A worker adds the answers before it sends the delivery.
          const awaitsAnswers = webhook.includeAnswers && typesWithAnswers.has(event.type);
          const delivery = { ...makeDelivery(event, webhook.id, time), awaitsAnswers };
          if (rejection === undefined) return delivery;
          return applySettlement(delivery, rejection.settlement);
        }),
    );
  }

  /**
   * Stores the deliveries of events. The worker first reserves capacity for deliveries that it can send soon. These are
   * stored as claimed, and sent from memory. All others are stored as due for the worker of any process.
   */
  async function store(events: Events): Promise<void> {
    const found = await deliveriesOf(events);
    if (found.length === 0) return;
    // A batch may contain an event twice.
    const unique = [...new Map(found.map((delivery) => [delivery.id, delivery])).values()];
    const isReady = ({ status, awaitsAnswers }: Delivery) => status === 'pending' && !awaitsAnswers;
    const reservation = worker.reserve(unique.filter(isReady));
    const storedIds = await deliveries.insertNew(unique, reservation).catch((error: unknown) => {
      reservation.abandon();
      throw error;
    });
    // Send only inserted deliveries. Existing deliveries have been sent, or will be.
    reservation.commit(storedIds);
    // Repeated deliveries in the batch count, too: Kafka handed over their events twice.
    if (storedIds.size < found.length) onDuplicates(found.length - storedIds.size);
    const isUnreserved = ({ id, status }: Delivery) =>
      status === 'pending' && storedIds.has(id) && !reservation.ids.has(id);
    // Let the worker search for the deliveries that were stored as due.
    if (unique.some(isUnreserved)) worker.wake();
  }

  /** If a batch fails, stores each chunk alone, so that an invalid event does not block others. */
  async function storeTogether(chunks: readonly Events[]): Promise<readonly (Failed | undefined)[]> {
    try {
      await store(chunks.flat());
      return chunks.map(() => undefined);
    } catch (error) {
      if (chunks.length === 1 || maySucceedLater(error)) throw error;
      const stored = await Promise.allSettled(chunks.map(store));
      return stored.map((one) => (one.status === 'rejected' ? { error: one.reason } : undefined));
    }
  }

  /** Erases the replies to deliveries about deleted responses, because replies may repeat answers. */
  async function eraseReplies(events: Events): Promise<void> {
    const deleted = events.filter(({ type }) => type === RESPONSE_DELETED);
    for (const [tenantId, ofTenant] of Map.groupBy(deleted, (event) => event.tenantId)) {
      await deliveries.eraseReplies(
        tenantId,
        ofTenant.map(({ data }) => String(data['response_id'])),
      );
    }
  }

  const storeBatcher = createBatcher({ ...BATCHING, flush: storeTogether });

  return {
    decode: decodeEvent,
    async handle(events) {
      // Erase before the wait for capacity, so that a full worker delays no erasure.
      await eraseReplies(events);
      await worker.ready();
      const failed = await storeBatcher.add(events);
      if (failed !== undefined) throw failed.error;
      // Erase again: deliveries that were stored after the first call are not marked as deleted yet.
      await eraseReplies(events);
    },
  };
}

/** Whether the webhook subscribes to the event and existed before it. No webhook gets its own `webhook.disabled`. */
function isSubscribed({ type, time, data }: ReceivedEvent, { id, eventTypes, surveyIds, createdAt }: Webhook): boolean {
  if (type === DISABLED_EVENT && data['webhook_id'] === id) return false;
  const surveyId = data['survey_id'];
  const isFilteredBySurvey = surveyIds.length > 0 && typeof surveyId === 'string';
  const isEventBeforeWebhook = time.getTime() + MAX_CLOCK_DIFFERENCE_MS < createdAt.getTime();
  if (isEventBeforeWebhook || (isFilteredBySurvey && !surveyIds.includes(surveyId))) return false;
  return patternsOf(type).some((pattern) => eventTypes.includes(pattern));
}

/** Throws if the message is not an event, or if its data cannot be JSON. */
export function decodeEvent(message: Pick<EventMessage, 'value' | 'headers'>): ReceivedEvent {
  const event = readEvent(message);
  toCanonicalJson(event.data);
  return event;
}
