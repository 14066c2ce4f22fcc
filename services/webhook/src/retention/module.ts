import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { WebhookConfig } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { StoredReplies } from '../deliveries/delivery-store.ts';
import type { ReplayDocument } from '../replays/replay-store.ts';
import { createExpiredStore } from './expired-store.ts';
import { createRetention } from './retention.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Dependencies {
  readonly config: Pick<WebhookConfig, 'retentionDays'>;
  readonly replies: Pick<StoredReplies, 'removePlaintextReplies'>;
}

/** Deletes old deliveries and replays, and replies that the previous release stored without encryption. */
export function createRetentionModule(
  { collection, lease, log, clock }: ServiceRuntime,
  { config: { retentionDays }, replies: { removePlaintextReplies } }: Dependencies,
): ServiceModule {
  const retention = createRetention({
    deletions: [
      createExpiredStore(collection<DeliveryDocument>('deliveries')).deleteSome,
      createExpiredStore(collection<ReplayDocument>('replays')).deleteSome,
      // Processes of the previous release write plaintext until the upgrade is over, after the set-up.
      removePlaintextReplies,
    ],
    keptMs: retentionDays * DAY_MS,
    lease: lease('retention'),
    clock,
    log,
  });
  return {
    pollers: [retention],
    async setup() {
      while (await removePlaintextReplies());
    },
  };
}
