import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Attempt, Delivery, DeliveryStatus, ReplyText } from './delivery.ts';
import { type DeliveryBodies, fromBody } from './delivery-body.ts';

export interface DeliveryStore {
  find(tenantId: TenantId, id: string): Promise<Delivery | undefined>;
  list(tenantId: TenantId, filter: DeliveryFilter, query: PageQuery): Promise<Page<Delivery>>;
}

/** Matches deliveries that meet all given conditions. */
export interface DeliveryFilter {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Only deliveries that failed and will not be retried. */
  readonly failedForGood?: boolean;
  /** Only deliveries that failed and will be retried. */
  readonly retrying?: boolean;
}

/** A delivery with its payload and the replies to its attempts, without answers if the reader may not read them. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly payload: JsonObject;
  readonly attempts: readonly ShownAttempt[];
}

interface ShownAttempt {
  readonly attempt: Attempt;
  /** Undefined if there is none, or if it may repeat answers that the reader may not read. */
  readonly reply: ReplyText | undefined;
}

export interface Reader {
  readonly tenantId: TenantId;
  readonly mayReadAnswers: boolean;
}

interface Dependencies {
  readonly store: DeliveryStore;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly bodies: DeliveryBodies;
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;

export function createDeliveryService({ store, webhooks, bodies }: Dependencies) {
  async function show(delivery: Delivery, { mayReadAnswers }: Reader): Promise<ShownDelivery> {
    const payload = fromBody(await bodies.open(delivery));
    // Every payload has an object `data`.
    const { answers, ...data } = payload['data'] as JsonObject;
    const isReduced = !mayReadAnswers && answers !== undefined;
    const attempts = delivery.attempts.map(async (attempt) => {
      return { attempt, reply: isReduced ? undefined : await bodies.openReply(delivery, attempt) };
    });
    return {
      delivery,
      payload: isReduced ? { ...payload, data } : payload,
      attempts: await Promise.all(attempts),
    };
  }

  return {
    show,

    /** Throws `WEBHOOK_NOT_FOUND`, also after the webhook was deleted. */
    async list(reader: Reader, filter: DeliveryFilter, query: PageQuery) {
      const { tenantId } = reader;
      await webhooks.get(tenantId, filter.webhookId);
      const { items, ...rest } = await store.list(tenantId, filter, query);
      return { items: await Promise.all(items.map((delivery) => show(delivery, reader))), ...rest };
    },

    /** Works also after the webhook was deleted. Throws `DELIVERY_NOT_FOUND`. */
    async get(reader: Reader, id: string): Promise<ShownDelivery> {
      const delivery = await store.find(reader.tenantId, id);
      if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
      return show(delivery, reader);
    },
  };
}
