import { topics } from '@survey/proto/catalog';
import type { Logger } from 'pino';
import type { TenantId } from '../auth/tenant-id.ts';
import { createPeriodicWorker, type PeriodicWorker } from '../flow/periodic-worker.ts';
import { makeEvent } from '../kafka/make-event.ts';
import type { OutboxEvent } from '../kafka/outbox-event.ts';
import type { Lease } from '../mongo/lease.ts';
import type { DueErasure, TenantStateStore } from './tenant-state-store.ts';

interface Options {
  /** Name of the service whose data are destroyed. */
  readonly service: string;
  readonly states: TenantStateStore;
  /** Makes everything unreadable that is encrypted for a tenant. */
  readonly destroyKeys: (tenantId: TenantId) => Promise<void>;
  /** Gives how many documents there were, or undefined when it was not to go on. */
  readonly destroyData: (tenantId: TenantId, mayGoOn: () => Promise<boolean>) => Promise<number | undefined>;
  /** From the end of one pass to the next one, milliseconds: longer than calls that were under way can take. */
  readonly settleMs: number;
  readonly clock: () => Date;
  readonly lease: Lease;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
  readonly log: Logger;
}

const EVERY_MS = 1_000;
const IDLE_EVERY_MS = 10_000;
const PAGE = 100;
/** The first one finds what there was, the second what calls under way have left. */
const LEAST_PASSES = 2;

/**
 * Destroys what a service has of deleted tenants: the keys of all of them first, so that nothing can be read from then
 * on, then the documents. Then again, until a pass after the first one has found nothing; then an event `tenant.erased`
 * tells so. One that is interrupted, by a kill too, goes on where it was; one that fails holds up no other, and is tried
 * again. A process that stalls beyond its lease does no harm: a deleted tenant does not come back, and its pass counts
 * only if no other process finished one meanwhile.
 */
export function createTenantEraser(options: Options): PeriodicWorker {
  const { service, states, destroyKeys, destroyData, settleMs, clock, lease, onEvent, log } = options;

  async function destroyDocuments(erasure: DueErasure, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { tenantId, passes } = erasure;
    const documents = await destroyData(tenantId, mayGoOn);
    if (documents === undefined) return;
    const pass = passes + 1;
    log.info({ tenant_id: tenantId, pass, documents }, 'destroyed the data of a deleted tenant');
    const time = clock();
    if (pass < LEAST_PASSES || documents > 0) {
      await states.postpone(erasure, pass, new Date(time.getTime() + settleMs));
    } else {
      await states.end(erasure, pass, tenantErased(service, tenantId, pass, time));
      onEvent();
    }
  }

  return createPeriodicWorker({
    everyMs: EVERY_MS,
    idleEveryMs: IDLE_EVERY_MS,
    failure: 'the data of deleted tenants could not be destroyed',
    log,
    lease,
    async work(isStopped) {
      const mayGoOn = async () => !isStopped() && (await lease.acquire());
      const due = await states.findDue(clock(), PAGE);
      const keys = await tryEach(due, mayGoOn, ({ tenantId }) => destroyKeys(tenantId));
      const documents = await tryEach(keys.done, mayGoOn, (erasure) => destroyDocuments(erasure, mayGoOn));
      const [failure] = [...keys.failures, ...documents.failures];
      if (failure !== undefined) throw failure;
      return due.length > 0;
    },
  });
}

/** Does the same for each tenant as long as it may, whatever becomes of the others. */
async function tryEach(
  erasures: readonly DueErasure[],
  mayGoOn: () => Promise<boolean>,
  work: (erasure: DueErasure) => Promise<void>,
): Promise<{ readonly done: readonly DueErasure[]; readonly failures: readonly Error[] }> {
  const done: DueErasure[] = [];
  const failures: Error[] = [];
  for (const erasure of erasures) {
    try {
      if (!(await mayGoOn())) break;
      await work(erasure);
      done.push(erasure);
    } catch (cause) {
      failures.push(new Error(`erasing the tenant ${erasure.tenantId} failed`, { cause }));
    }
  }
  return { done, failures };
}

function tenantErased(service: string, tenantId: TenantId, revision: number, time: Date): OutboxEvent {
  return makeEvent({
    topic: topics.audit,
    // Of this service: the events of the others have other ids.
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
