import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import {
  type ClaimLease,
  claimOldest,
  dueFilter,
  dueIndex,
  measureDue,
  type NewLease,
  releaseUpdate,
} from '@survey/runtime/mongo/claim';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { countSlots, slotIndex, withSlot } from '@survey/runtime/mongo/slots';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, Filter } from 'mongodb';
import type { Canceller, Import, ImportStatus, Job, Progress } from './import.ts';
import { fromDocument, type ImportDocument, toDocument } from './import-document.ts';
import type { Report } from './report.ts';

/** State of a lease: the import runs, a user has cancelled it, or another process has claimed or ended it. */
export type LeaseState = 'running' | 'cancelling' | 'lost';

/** The members of a job are left out for imports within their call. */
export interface StoredProgress extends Pick<Job, 'spool' | 'sent'> {
  readonly progress: Progress;
  readonly questions: number;
}

interface ImportEnd {
  readonly report: Report;
  readonly progress: Progress;
  readonly time: Date;
  readonly events: readonly OutboxEvent[];
}

export type ImportStore = ReturnType<typeof createImportStore>;

interface Dependencies {
  readonly collection: Collection<ImportDocument>;
  /** Called after a write that may have stored events. */
  readonly onEvent: () => void;
}

export const importIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  // Contains only unfinished imports.
  dueIndex(),
  { name: 'unfinished', key: { tenant_id: 1, due_at: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
  slotIndex(),
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
];

const UNFINISHED_STATUSES: readonly ImportStatus[] = ['running', 'cancelling'];
const IS_UNFINISHED = { due_at: { $exists: true } } as const;
const IS_UNCANCELLED_JOB = { status: 'running', job: { $exists: true } } as const;
/** Expression of a pipeline: whether a process has claimed the import. */
const HAS_CLAIM = { $gt: ['$claim', null] };
const PROJECTION = { outbox: 0, job: 0 } as const;
/** Lists leave out the parts of reports that can be large. */
const LIST_PROJECTION = { ...PROJECTION, 'report.warnings': 0, 'report.errors': 0, 'report.omissions': 0 } as const;
/** Time to keep the records of ended imports. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/**
 * Stores imports. A process can claim an unfinished import from the time `due_at` on. It stores its claim, and the end
 * of its lease as `due_at`. All later writes of the process match the claim, so they change nothing after another
 * process has claimed the import.
 */
export function createImportStore({ collection, onEvent }: Dependencies) {
  const importsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  const leaseFilter = ({ id }: Import, claim: string) => ({
    _id: id,
    claim,
    status: { $in: [...UNFINISHED_STATUSES] },
  });

  async function change(item: Import, claim: string, fields: object, unset = {}): Promise<LeaseState> {
    const document = await importsOf(item.tenantId).findOneAndUpdate(leaseFilter(item, claim), {
      $set: fields,
      $unset: unset,
    });
    if (document === null) return 'lost';
    return document.status === 'cancelling' ? 'cancelling' : 'running';
  }

  /** Reads first whether an import is due. Usually none is, and this read is cheaper than a claim. */
  const ifAnyDue = (claimNext: (lease: NewLease) => Promise<Import | undefined>) => async (lease: NewLease) => {
    const due = await systemScope(collection).findOne(dueFilter(lease.now), { projection: { _id: 1 } });
    return due === null ? undefined : claimNext(lease);
  };

  /**
   * Claims a due import. If it still has a claim, the process of that claim has died. `attempts` counts the deaths
   * since the last progress.
   */
  async function claimDue(filter: Filter<ImportDocument>, lease: NewLease): Promise<Import | undefined> {
    const fields = { attempts: { $add: ['$attempts', { $cond: [HAS_CLAIM, 1, 0] }] } };
    const document = await claimOldest(systemScope(collection), lease, { filter, fields });
    return document === null ? undefined : fromDocument(document);
  }

  async function claimOfIdleTenant(lease: NewLease): Promise<Import | undefined> {
    const claimed = { due_at: { $gt: lease.now }, claim: { $exists: true } };
    const busy = await systemScope(collection).distinct('tenant_id', claimed);
    return claimDue({ ...IS_UNCANCELLED_JOB, tenant_id: { $nin: busy } }, lease);
  }

  return {
    /** Stores an import that runs within its call. The process of the call has claimed it. */
    async begin(item: Import, { claim, until }: ClaimLease): Promise<void> {
      const { tenant_id: tenantId, ...document } = toDocument(item);
      await insertOnce(importsOf(tenantId), { ...document, claim, due_at: until });
    },

    /**
     * Stores a job: an import that a runner begins later. If the id exists, returns the existing job. Returns undefined
     * if the tenant has `max` unfinished jobs.
     */
    async beginJob(item: Import, events: readonly OutboxEvent[], max: number): Promise<Import | undefined> {
      const { tenant_id: tenantId, ...document } = toDocument(item);
      const collection = importsOf(tenantId);
      const stored = await withSlot({ collection, max, id: item.id }, (slot) =>
        insertOnce(collection, { ...document, due_at: item.createdAt, slot, outbox: events }),
      );
      if (stored === undefined) return undefined;
      if (events.length > 0) onEvent();
      return fromDocument(stored);
    },

    /**
     * Claims the job that has been due longest. Tenants without a claimed import come first, so that one tenant with
     * many jobs does not delay the others.
     */
    claim: ifAnyDue(async (lease) => (await claimOfIdleTenant(lease)) ?? claimDue(IS_UNCANCELLED_JOB, lease)),

    /** Like `claim`, but only for tenants without a claimed import. So one tenant cannot occupy all runners. */
    claimOfIdleTenant: ifAnyDue(claimOfIdleTenant),

    measureDue: (now: Date) => measureDue(systemScope(collection), now),

    /** Claims an import that only has to be ended: it is cancelled, or the process of its call died. */
    claimEnding: ifAnyDue((lease) => claimDue({ $or: [{ status: 'cancelling' }, { job: { $exists: false } }] }, lease)),

    extend: (item: Import, { claim, until }: ClaimLease) => change(item, claim, { due_at: until }),

    advance: (item: Import, { claim, until }: ClaimLease, { progress, questions, spool, sent }: StoredProgress) => {
      const job = { ...(spool && { 'job.spool': spool }), ...(sent && { 'job.sent': sent }) };
      return change(item, claim, { due_at: until, progress, questions, attempts: 0, ...job }, { failing_since: true });
    },

    /**
     * Lets other processes claim the import from the time `from` on. Without `failingSince`, its stored value stays.
     */
    async release(item: Import, claim: string, from: Date, failingSince?: Date): Promise<void> {
      const failing = failingSince === undefined ? {} : { failing_since: failingSince };
      const { $set, $unset } = releaseUpdate(from);
      await importsOf(item.tenantId).updateOne(leaseFilter(item, claim), { $set: { ...$set, ...failing }, $unset });
    },

    /** Ends the import and stores its events in one write. Returns false if the lease is lost. */
    async end(item: Import, claim: string, { report, progress, time, events }: ImportEnd): Promise<boolean> {
      const { status, questions } = report;
      const { matchedCount } = await importsOf(item.tenantId).updateOne(leaseFilter(item, claim), {
        $set: {
          status,
          report,
          progress,
          questions,
          ended_at: time,
          expires_at: new Date(time.getTime() + KEPT_MS),
        },
        $unset: { job: true, due_at: true, claim: true, slot: true, failing_since: true },
        $push: { outbox: { $each: [...events] } },
      });
      onEvent();
      return matchedCount === 1;
    },

    async find(tenantId: TenantId, id: string): Promise<Import | undefined> {
      const document = await importsOf(tenantId).findOne({ _id: id }, { projection: PROJECTION });
      return document === null ? undefined : fromDocument(document);
    },

    /** Whether an unfinished import needs the file. */
    async needsFile(tenantId: TenantId, fileId: string): Promise<boolean> {
      // A majority read can miss a job that a concurrent call has just stored. So this is a write that changes nothing.
      // The hint bounds the search to unfinished imports.
      const found = await importsOf(tenantId).findOneAndUpdate(
        { ...IS_UNFINISHED, 'job.file.id': fileId },
        { $setOnInsert: {} },
        { hint: { tenant_id: 1, due_at: 1 } },
      );
      return found !== null;
    },

    async list(tenantId: TenantId, query: PageQuery): Promise<Page<Import>> {
      const { items, ...rest } = await findPage(importsOf(tenantId), {}, query, { projection: LIST_PROJECTION });
      return { items: items.map(fromDocument), ...rest };
    },

    /** Cancels a running import. If no process has claimed it, it becomes due now, so that a runner ends it. */
    async cancel(tenantId: TenantId, id: string, caller: Canceller, now: Date): Promise<void> {
      const dueAt = { $cond: [HAS_CLAIM, '$due_at', now] };
      const { actor, requestId } = caller;
      // `$literal`, because a pipeline would evaluate texts with a dollar.
      const cancelledBy = { actor: { $literal: actor }, requestId: { $literal: requestId } };
      await importsOf(tenantId).updateOne({ _id: id, status: 'running' }, [
        { $set: { status: 'cancelling', due_at: dueAt, cancelled_by: cancelledBy } },
      ]);
    },

    /** Counts the unfinished jobs of a tenant, up to `max`. */
    countJobs: (tenantId: TenantId, max: number) => countSlots({ collection: importsOf(tenantId), max }),
  };
}
