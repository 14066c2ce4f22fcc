import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Delivery } from './delivery.ts';

/** What a tenant may read of its deliveries. */
export interface DeliveryStore {
  find(tenantId: TenantId, id: string): Promise<Delivery | undefined>;
  list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Delivery>>;
}

interface Dependencies {
  readonly store: DeliveryStore;
  readonly webhooks: Pick<WebhookService, 'get'>;
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;

export function createDeliveryService({ store, webhooks }: Dependencies) {
  return {
    /** Throws `WEBHOOK_NOT_FOUND` also for a deleted webhook. */
    async list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Delivery>> {
      await webhooks.get(tenantId, webhookId);
      return store.list(tenantId, webhookId, query);
    },

    /** A delivery can be read after its webhook was deleted, too. */
    async get(tenantId: TenantId, id: string): Promise<Delivery> {
      const delivery = await store.find(tenantId, id);
      if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
      return delivery;
    },
  };
}
