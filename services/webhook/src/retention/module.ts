import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { WebhookConfig } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { ReplayDocument } from '../replays/replay-store.ts';
import { createExpiredStore } from './expired-store.ts';
import { createRetention } from './retention.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Deletes old deliveries and replays. */
export function createRetentionModule(
  { collection, lease, log, clock }: ServiceRuntime,
  { retentionDays }: Pick<WebhookConfig, 'retentionDays'>,
): ServiceModule {
  const retention = createRetention({
    stores: [
      createExpiredStore(collection<DeliveryDocument>('deliveries')),
      createExpiredStore(collection<ReplayDocument>('replays')),
    ],
    keptMs: retentionDays * DAY_MS,
    lease: lease('retention'),
    clock,
    log,
  });
  return { pollers: [retention] };
}
