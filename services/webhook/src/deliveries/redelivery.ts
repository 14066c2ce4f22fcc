import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import { type Delivery, revisionOf } from './delivery.ts';
import type { DeliveryStore } from './delivery-service.ts';

export interface RedeliveryStore {
  /**
   * Makes a delivery due now. A delivery that is over starts a new retry schedule. Returns undefined if it is being
   * sent or its revision has changed.
   */
  sendAgain(delivery: Delivery, now: Date): Promise<Delivery | undefined>;
}

interface Dependencies {
  readonly store: RedeliveryStore;
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly clock: () => Date;
  /** Called when a delivery is due. */
  readonly onDue: () => void;
}

interface Found {
  readonly delivery: Delivery;
  readonly revision: number;
}

export type Redelivery = ReturnType<typeof createRedelivery>;

export function createRedelivery({ store, deliveries, webhooks, clock, onDue }: Dependencies) {
  async function find(tenantId: TenantId, id: string): Promise<Found> {
    const delivery = await deliveries.find(tenantId, id);
    if (delivery === undefined) throw new AppError('DELIVERY_NOT_FOUND');
    return { delivery, revision: revisionOf(delivery) };
  }

  return {
    /** Throws `DELIVERY_NOT_FOUND`, and `STATE_CONFLICT` if it is being sent or its webhook is disabled. */
    async redeliver({ caller: { tenantId }, id, ifMatch }: Edit): Promise<Delivery> {
      const read = () => find(tenantId, id);
      const write = async ({ delivery, revision }: Found) => {
        await requireActive(webhooks, tenantId, delivery.webhookId);
        const due = await store.sendAgain(delivery, clock());
        if (due !== undefined) onDue();
        else if ((await read()).revision === revision)
          throw new AppError('STATE_CONFLICT', { detail: 'The delivery is being sent; try again later' });
        return due;
      };
      return changeLatest({ ifMatch }, { read, write });
    },
  };
}

/** Throws `WEBHOOK_NOT_FOUND`, or `STATE_CONFLICT` if the webhook is disabled. */
export async function requireActive(webhooks: Pick<WebhookService, 'get'>, tenantId: TenantId, id: string) {
  const { active } = await webhooks.get(tenantId, id);
  if (!active) throw new AppError('STATE_CONFLICT', { detail: 'The webhook is disabled; set active to true first' });
}
