import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore } from './delivery-service.ts';

export interface RedeliveryStore {
  /**
   * Makes a delivery due: one that is over for a schedule that begins anew, one that waits ahead of its time. Undefined
   * when it is being sent.
   */
  sendAgain(tenantId: TenantId, id: string, now: Date): Promise<Delivery | undefined>;
}

interface Dependencies {
  readonly store: RedeliveryStore;
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly clock: () => Date;
  /** Called when there is something to send. */
  readonly onDue: () => void;
}

export type Redelivery = ReturnType<typeof createRedelivery>;

export function createRedelivery({ store, deliveries, webhooks, clock, onDue }: Dependencies) {
  return {
    /** Throws `STATE_CONFLICT` while it is being sent, and when its webhook is switched off. */
    async redeliver(tenantId: TenantId, id: string): Promise<Delivery> {
      const delivery = await deliveries.find(tenantId, id);
      if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
      await demandActive(webhooks, tenantId, delivery.webhookId);
      const due = await store.sendAgain(tenantId, id, clock());
      if (due === undefined) throw new AppError('STATE_CONFLICT', { detail: 'The delivery is being sent right now' });
      onDue();
      return due;
    },
  };
}

/** Throws `WEBHOOK_NOT_FOUND`, or `STATE_CONFLICT` for a webhook that nothing is sent to. */
export async function demandActive(webhooks: Pick<WebhookService, 'get'>, tenantId: TenantId, id: string) {
  const { active } = await webhooks.get(tenantId, id);
  if (!active) throw new AppError('STATE_CONFLICT', { detail: 'The webhook is switched off' });
}
