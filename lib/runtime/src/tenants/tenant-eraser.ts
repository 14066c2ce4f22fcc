import { topics } from '@survey/proto/catalog';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import type { TenantId } from '../auth/tenant-id.ts';
import { createPeriodicWorker, type PeriodicWorker } from '../flow/loop.ts';
import { makeEvent, type OutboxEvent } from '../kafka/outbox-event.ts';
import type { Lease } from '../mongo/lease.ts';
import { type TenantDocument, tenantCollection } from '../mongo/tenant-collection.ts';
import { measureBacklog, type Reporting } from '../telemetry/reported-gauge.ts';
import type { DueErasure, TenantStateStore } from './tenant-state-store.ts';

interface Options {
  readonly service: string;
  readonly states: TenantStateStore;
  /** Destroys the data keys of a tenant, so that its encrypted data is unreadable. */
  readonly destroyDataKeys: (tenantId: TenantId) => Promise<void>;
  /** Returns the number of deleted documents, or undefined if it was stopped. */
  readonly destroyData: (tenantId: TenantId, mayContinue: () => Promise<boolean>) => Promise<number | undefined>;
  /** Pause between two passes, in milliseconds: longer than running calls can take. */
  readonly betweenPassesMs: number;
  readonly clock: () => Date;
  readonly lease: Lease;
  /** Called after a write that stored an event. */
  readonly onEvent: () => void;
  readonly log: Logger;
}

const EVERY_MS = 1_000;
const IDLE_EVERY_MS = 30_000;
const PAGE = 100;
/** The first pass deletes the data, the second one data of calls that were still running. */
const MIN_PASSES = 2;

/**
 * Destroys a service's data of deleted tenants: first the keys of all due tenants, and then their documents. Passes are
 * repeated until the second or a later pass finds no documents; this last pass publishes `tenant.erased`. An
 * interrupted erasure continues later. A failing erasure is retried, and does not block others. If two processes run
 * the same pass, only the first to finish it counts the pass.
 */
export function createTenantEraser(options: Options): PeriodicWorker {
  const { service, states, destroyDataKeys, destroyData, betweenPassesMs, clock, lease, onEvent, log } = options;

  async function destroyDocuments(erasure: DueErasure, mayContinue: () => Promise<boolean>): Promise<void> {
    const { tenantId, passes } = erasure;
    const deletedCount = await destroyData(tenantId, mayContinue);
    if (deletedCount === undefined) return;
    const pass = passes + 1;
    log.info({ tenant_id: tenantId, pass, documents: deletedCount }, 'destroyed the data of a deleted tenant');
    const time = clock();
    if (pass < MIN_PASSES || deletedCount > 0) {
      await states.scheduleNextPass(erasure, pass, new Date(time.getTime() + betweenPassesMs));
    } else {
      await states.finish(erasure, pass, tenantErased(service, tenantId, pass, time));
      onEvent();
    }
  }

  return createPeriodicWorker({
    everyMs: EVERY_MS,
    idleEveryMs: IDLE_EVERY_MS,
    failure: 'cannot destroy the data of deleted tenants',
    log,
    lease,
    async work(isStopped) {
      const mayContinue = async () => !isStopped() && (await lease.acquire());
      const due = await states.findDue(clock(), PAGE);
      const keyOutcome = await tryEach(due, mayContinue, ({ tenantId }) => destroyDataKeys(tenantId));
      const dataOutcome = await tryEach(keyOutcome.done, mayContinue, (erasure) =>
        destroyDocuments(erasure, mayContinue),
      );
      const [failure] = [...keyOutcome.failures, ...dataOutcome.failures];
      if (failure !== undefined) throw failure;
      return due.length > 0;
    },
  });
}

/** Runs the work for each tenant, even after failures, while `mayContinue` allows it. */
async function tryEach(
  erasures: readonly DueErasure[],
  mayContinue: () => Promise<boolean>,
  work: (erasure: DueErasure) => Promise<void>,
): Promise<{ readonly done: readonly DueErasure[]; readonly failures: readonly Error[] }> {
  const done: DueErasure[] = [];
  const failures: Error[] = [];
  for (const erasure of erasures) {
    try {
      if (!(await mayContinue())) break;
      await work(erasure);
      done.push(erasure);
    } catch (cause) {
      failures.push(new Error(`cannot erase the tenant ${erasure.tenantId}`, { cause }));
    }
  }
  return { done, failures };
}

function tenantErased(service: string, tenantId: TenantId, revision: number, time: Date): OutboxEvent {
  return makeEvent({
    topic: topics.audit,
    // Makes the event id unique per service.
    recordId: `${tenantId} ${service}`,
    revision,
    type: 'tenant.erased',
    source: '/tenants',
    tenantId,
    time,
    data: { service },
    traceparent: '',
  });
}

const BATCH = 500;

/**
 * Deletes all documents of a tenant in a database, in batches. Returns their number, or undefined if it was stopped.
 *
 * @param options.keptCollections names of collections that are skipped
 * @param options.mayContinue checked before each batch
 */
export async function destroyTenantData(
  db: Db,
  tenantId: TenantId,
  {
    keptCollections,
    mayContinue,
  }: { readonly keptCollections: readonly string[]; readonly mayContinue: () => Promise<boolean> },
): Promise<number | undefined> {
  let count = 0;
  for (const name of await collectionsOf(db)) {
    if (keptCollections.includes(name)) continue;
    const collection = tenantCollection(db.collection<TenantDocument>(name), tenantId);
    for (;;) {
      if (!(await mayContinue())) return undefined;
      const batch = await collection.find<{ _id: string }>({}, { projection: { _id: 1 }, limit: BATCH }).toArray();
      if (batch.length === 0) break;
      const { deletedCount } = await collection.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
      count += deletedCount;
    }
  }
  return count;
}

async function collectionsOf(db: Db): Promise<readonly string[]> {
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

interface Dependencies extends Reporting {
  readonly states: Pick<TenantStateStore, 'measureDue'>;
  readonly clock: () => Date;
}

/** Registers gauges of due erasures of deleted tenants. An erasure that stays due for long is failing. */
export function measureTenantErasures({ states, clock, ...reporting }: Dependencies): void {
  measureBacklog({
    measure: () => states.measureDue(clock()),
    count: { name: 'tenant_erasures_due', help: 'Deleted tenants whose data is due to be destroyed' },
    oldest: {
      name: 'tenant_oldest_erasure_due_seconds',
      help: 'Longest time that an erasure of a deleted tenant has been due',
    },
    ...reporting,
  });
}
