import { setTimeout as sleep } from 'node:timers/promises';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Collection } from 'mongodb';
import type { Logger } from 'pino';
import type { WebhookConfig } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { ReplyEraser } from '../deliveries/delivery-store.ts';
import type { ReplayDocument } from '../replays/replay-store.ts';

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
      // Again after the set-up: processes of the previous release write plaintext until the upgrade is over.
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

/** Deletes a batch of records from before a time. Returns whether more may be left. */
type Deletion = (before: Date) => Promise<boolean>;

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

/**
 * Deletes expired records on one replica at a time. The lease only saves work: two replicas would delete the same
 * records.
 */
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

interface AgedDocument extends TenantDocument {
  readonly created_at: Date;
  /** Absent once the record is finished. */
  readonly due_at?: Date;
}

/** Small, so that writes of other processes to the collection do not wait long. */
const MAX_BATCH = 500;

/**
 * Deletes old finished records of all tenants.
 *
 * @param collection needs an index that begins with `created_at`
 */
export function createDeletion<D extends AgedDocument>(collection: Collection<D>): Deletion {
  // Queries use only fields of `AgedDocument`.
  const all = systemScope(collection as unknown as Collection<AgedDocument>);
  return async (before) => {
    const finished = { created_at: { $lt: before }, due_at: { $exists: false } };
    const options = { sort: { created_at: 1 }, limit: MAX_BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
    const found = await all.find(finished, options).toArray();
    if (found.length === 0) return false;
    // A record may have become due again.
    await all.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, due_at: { $exists: false } });
    return found.length === MAX_BATCH;
  };
}
