import { setTimeout as sleep } from 'node:timers/promises';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { WebhookConfig } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { ReplyEraser } from '../deliveries/delivery-store.ts';
import type { ReplayDocument } from '../replays/replay-store.ts';
import { createDeletion, type Deletion } from './expired-store.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Dependencies {
  readonly config: Pick<WebhookConfig, 'retentionDays'>;
  readonly deliveries: Pick<ReplyEraser, 'removePlaintextReplies'>;
}

/** Deletes old deliveries and replays, and replies that the previous release stored without encryption. */
export function createRetentionModule(
  { collection, lease, log, clock }: Pick<ServiceRuntime, 'collection' | 'lease' | 'log' | 'clock'>,
  { config: { retentionDays }, deliveries: { removePlaintextReplies } }: Dependencies,
): ServiceModule {
  const retention = createRetention({
    deletions: [
      createDeletion(collection<DeliveryDocument>('deliveries')),
      createDeletion(collection<ReplayDocument>('replays')),
      // Needed after the set-up, too: processes of the previous release write plaintext until the upgrade is over.
      removePlaintextReplies,
    ],
    keptMs: retentionDays * DAY_MS,
    lease: lease('retention'),
    clock,
    log,
  });
  return {
    stoppedFirst: [retention],
    async setup() {
      while (await removePlaintextReplies());
    },
  };
}

interface RetentionDependencies {
  readonly deletions: readonly Deletion[];
  readonly keptMs: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const POLL_MS = 60_000;
/** The pause between batches. It limits deletion to some thousand records a second. */
const PAUSE_MS = 100;

/** Deletes expired records on the replica with the lease. The lease only avoids repeated work of other replicas. */
export function createRetention({ deletions, keptMs, lease, clock, log }: RetentionDependencies): Worker {
  return createPeriodicWorker({
    everyMs: POLL_MS,
    failure: 'cannot delete old deliveries',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptMs);
      for (const deleteSome of deletions) {
        while (!isStopped() && (await lease.acquire()) && (await deleteSome(before))) await sleep(PAUSE_MS);
      }
    },
  });
}
