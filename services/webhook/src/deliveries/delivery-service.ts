import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Delivery, DeliveryStatus } from './delivery.ts';
import { type DeliveryBodies, fromBody } from './delivery-body.ts';

/** What a tenant may read of its deliveries. */
export interface DeliveryStore {
  find(tenantId: TenantId, id: string): Promise<Delivery | undefined>;
  list(tenantId: TenantId, filter: DeliveryFilter, query: PageQuery): Promise<Page<Delivery>>;
}

/** Which deliveries to a webhook are meant: those that fit every member that is there. */
export interface DeliveryFilter {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  /** Made at this time or later. */
  readonly since?: Date | undefined;
  /** Made before this time. */
  readonly until?: Date | undefined;
}

/** A delivery, and what the reader may see of what is sent. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly payload: JsonObject;
}

/** Who reads, and whether they may read answers. */
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
    return mayReadAnswers ? { delivery, payload } : withoutAnswers({ delivery, payload });
  }

  return {
    show,

    /** Throws `WEBHOOK_NOT_FOUND` also for a deleted webhook. */
    async list(reader: Reader, filter: DeliveryFilter, query: PageQuery) {
      const { tenantId } = reader;
      await webhooks.get(tenantId, filter.webhookId);
      const { items, ...rest } = await store.list(tenantId, filter, query);
      return { items: await Promise.all(items.map((delivery) => show(delivery, reader))), ...rest };
    },

    /** A delivery can be read after its webhook was deleted, too. */
    async get(reader: Reader, id: string): Promise<ShownDelivery> {
      const delivery = await store.find(reader.tenantId, id);
      if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
      return show(delivery, reader);
    },
  };
}

function withoutAnswers({ delivery, payload }: ShownDelivery): ShownDelivery {
  // Every body has an object of data.
  const { answers, ...data } = payload['data'] as JsonObject;
  if (answers === undefined) return { delivery, payload };
  // A reply may repeat the answers.
  const attempts = delivery.attempts.map((attempt) => ({ ...attempt, responseExcerpt: undefined }));
  return { delivery: { ...delivery, attempts }, payload: { ...payload, data } };
}
