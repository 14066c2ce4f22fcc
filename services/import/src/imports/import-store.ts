import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { measureDue } from '@survey/runtime/mongo/measure-due';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { countSlots, slotIndex, withSlot } from '@survey/runtime/mongo/slots';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, Filter } from 'mongodb';
import type { StagedFile } from '../staging/staged-file.ts';
import type { Canceller, Import, ImportPlan, ImportStatus, Progress } from './import.ts';
import type { Report } from './report.ts';

/** Ids, counts and reasons; nothing of the file's contents. */
export interface ImportDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly source: string;
  readonly format: string;
  readonly dry_run: boolean;
  readonly status: ImportStatus;
  readonly size: number;
  readonly progress: Progress;
  readonly questions: number;
  readonly report: Report | null;
  readonly attempts: number;
  readonly failing_since?: Date;
  readonly cancelled_by?: Canceller;
  readonly started_by: string;
  readonly request_id: string;
  readonly traceparent: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  /** There until it is over. */
  readonly job?: { readonly plan: ImportPlan; readonly file: StagedFile };
  /** From when on another process may have it. There until it is over. */
  readonly due_at?: Date;
  /** The fencing token of the process that has it. */
  readonly claim?: string;
  /** Of a job, until it is over: limits the jobs of a tenant. */
  readonly slot?: number;
  /** When the record of one that is over is forgotten. */
  readonly expires_at?: Date;
  readonly outbox: readonly OutboxEvent[];
}

/** The hold that one process has on an import. */
export interface Lease {
  readonly claim: string;
  readonly until: Date;
}

/** How an import stands for the process that has it: it goes on, is to end, or is another one's. */
export type Standing = 'running' | 'cancelling' | 'lost';

/** How far it is. */
export interface Step {
  readonly progress: Progress;
  readonly questions: number;
}

export type ImportStore = ReturnType<typeof createImportStore>;

interface Dependencies {
  readonly collection: Collection<ImportDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export const importIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  // Holds only what is not over yet, so it stays small.
  { name: 'due', key: { due_at: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
  { name: 'unfinished', key: { tenant_id: 1, due_at: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
  slotIndex(),
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
];

const UNFINISHED: readonly ImportStatus[] = ['running', 'cancelling'];
const NOT_OVER = { due_at: { $exists: true } } as const;
const SHOWN = { outbox: 0, job: 0 } as const;
/** A page of reports is more than anybody lists imports for. */
const LISTED = { ...SHOWN, 'report.warnings': 0, 'report.errors': 0 } as const;
/** For how long the record of an import that is over is kept, with what was refused. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

export function createImportStore({ collection, onEvent }: Dependencies) {
  const of = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  const held = ({ id }: Import, claim: string) => ({ _id: id, claim, status: { $in: [...UNFINISHED] } });

  async function change(item: Import, claim: string, fields: object, unset = {}): Promise<Standing> {
    const document = await of(item.tenantId).findOneAndUpdate(held(item, claim), { $set: fields, $unset: unset });
    if (document === null) return 'lost';
    return document.status === 'cancelling' ? 'cancelling' : 'running';
  }

  /** Asked often, and nearly always there is nothing: this costs less than trying to take it. */
  async function isAnyDue(now: Date): Promise<boolean> {
    const due = await systemScope(collection).findOne({ due_at: { $lte: now } }, { projection: { _id: 1 } });
    return due !== null;
  }

  /** A lease that was not let go tells of a process that has died with it. */
  async function takeOf(
    filter: Filter<ImportDocument>,
    { claim, until, now }: Lease & { readonly now: Date },
  ): Promise<Import | undefined> {
    const died = { $cond: [{ $gt: ['$claim', null] }, 1, 0] };
    const document = await systemScope(collection).findOneAndUpdate(
      { ...filter, due_at: { $lte: now } },
      [{ $set: { attempts: { $add: ['$attempts', died] }, claim, due_at: until } }],
      { sort: { due_at: 1 }, returnDocument: 'after' },
    );
    return document === null ? undefined : fromDocument(document);
  }

  return {
    /** Stores an import that lives and dies with its call. */
    async begin(item: Import, { claim, until }: Lease): Promise<void> {
      const { tenant_id: tenantId, ...document } = toDocument(item);
      await insertOnce(of(tenantId), { ...document, due_at: until, claim });
    },

    /**
     * Gives the job that is stored: of an id that comes again the one of the first time. Undefined when the tenant has
     * `max` jobs that are not over.
     */
    async beginJob(item: Import, events: readonly OutboxEvent[], max: number): Promise<Import | undefined> {
      const { tenant_id: tenantId, ...document } = toDocument(item);
      const collection = of(tenantId);
      const stored = await withSlot({ collection, max, id: item.id }, (slot) =>
        insertOnce(collection, { ...document, due_at: item.createdAt, slot, outbox: events }),
      );
      if (stored === undefined) return undefined;
      if (events.length > 0) onEvent();
      return fromDocument(stored);
    },

    /**
     * Takes the job that waits for longest, until the lease ends: of a tenant of which none is run, if there is one, so
     * that many of one tenant do not keep the others waiting.
     */
    async take(lease: Lease & { readonly now: Date }): Promise<Import | undefined> {
      if (!(await isAnyDue(lease.now))) return undefined;
      const running = { due_at: { $gt: lease.now }, claim: { $exists: true } };
      const busy = await systemScope(collection).distinct('tenant_id', running);
      const job = { status: 'running', job: { $exists: true } } as const;
      return (await takeOf({ ...job, tenant_id: { $nin: busy } }, lease)) ?? takeOf(job, lease);
    },

    measureDue: (now: Date) => measureDue(systemScope(collection), now),

    /** Takes one that is only to be ended: it was cancelled while nobody had it, or has died with its call. */
    async takeEnding(lease: Lease & { readonly now: Date }): Promise<Import | undefined> {
      if (!(await isAnyDue(lease.now))) return undefined;
      return takeOf({ $or: [{ status: 'cancelling' }, { job: { $exists: false } }] }, lease);
    },

    /** Makes the lease longer. */
    extend: (item: Import, { claim, until }: Lease) => change(item, claim, { due_at: until }),

    /** Writes down how far it is, and makes the lease longer. */
    advance: (item: Import, { claim, until }: Lease, { progress, questions }: Step) =>
      change(item, claim, { due_at: until, progress, questions, attempts: 0 }, { failing_since: true }),

    /** Lets another process go on, from a time on; with since when it breaks off each time. */
    async release(item: Import, claim: string, from: Date, failingSince?: Date): Promise<void> {
      const failing = failingSince === undefined ? {} : { failing_since: failingSince };
      await of(item.tenantId).updateOne(held(item, claim), {
        $set: { due_at: from, ...failing },
        $unset: { claim: true },
      });
    },

    /** The events go in with the write that they tell of. False when it is another one's, or over. */
    async end(
      item: Import,
      claim: string,
      { report, bytes, time, events }: { report: Report; bytes: number; time: Date; events: readonly OutboxEvent[] },
    ): Promise<boolean> {
      const { status, total: rows, imported, skipped, failed, questions } = report;
      const progress = { rows, imported, skipped, failed, bytes };
      const { matchedCount } = await of(item.tenantId).updateOne(held(item, claim), {
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
      const document = await of(tenantId).findOne({ _id: id }, { projection: SHOWN });
      return document === null ? undefined : fromDocument(document);
    },

    /** Whether an import that is not over yet reads that file; it may have begun this moment. */
    async hasFile(tenantId: TenantId, fileId: string): Promise<boolean> {
      // A write, though it changes nothing: what it finds a read may not see yet.
      const found = await of(tenantId).findOneAndUpdate({ ...NOT_OVER, 'job.file.id': fileId }, { $setOnInsert: {} });
      return found !== null;
    },

    async list(tenantId: TenantId, query: PageQuery): Promise<Page<Import>> {
      const { items, ...rest } = await findPage(of(tenantId), {}, query, LISTED);
      return { items: items.map(fromDocument), ...rest };
    },

    /** Has one that is not over end; if nobody has it, it is due to be ended now. */
    async cancel(tenantId: TenantId, id: string, by: Canceller, now: Date): Promise<void> {
      const dueAt = { $cond: [{ $gt: ['$claim', null] }, '$due_at', now] };
      const { actor, requestId } = by;
      const cancelledBy = { actor: { $literal: actor }, requestId: { $literal: requestId } };
      await of(tenantId).updateOne({ _id: id, status: 'running' }, [
        { $set: { status: 'cancelling', due_at: dueAt, cancelled_by: cancelledBy } },
      ]);
    },

    /** How many jobs of a tenant are not over. */
    countJobs: (tenantId: TenantId, max: number) => countSlots({ collection: of(tenantId), max }),
  };
}

function toDocument(item: Import): ImportDocument {
  return {
    _id: item.id,
    tenant_id: item.tenantId,
    survey_id: item.surveyId,
    source: item.source,
    format: item.format,
    dry_run: item.dryRun,
    status: item.status,
    size: item.size,
    progress: item.progress,
    questions: item.questions,
    report: item.report ?? null,
    attempts: item.attempts,
    started_by: item.actor,
    request_id: item.requestId,
    traceparent: item.traceparent,
    created_at: item.createdAt,
    ended_at: item.finishedAt ?? null,
    ...(item.job === undefined ? {} : { job: item.job }),
    outbox: [],
  };
}

function fromDocument(document: Omit<ImportDocument, 'outbox'>): Import {
  const { job } = document;
  return {
    id: document._id,
    tenantId: document.tenant_id,
    surveyId: document.survey_id,
    source: document.source,
    format: document.format,
    dryRun: document.dry_run,
    status: document.status,
    size: document.size,
    progress: document.progress,
    questions: document.questions,
    report: document.report ?? undefined,
    attempts: document.attempts,
    failingSince: document.failing_since,
    cancelledBy: document.cancelled_by,
    actor: document.started_by,
    requestId: document.request_id,
    traceparent: document.traceparent,
    createdAt: document.created_at,
    finishedAt: document.ended_at ?? undefined,
    // The driver stores nothing for what is undefined, or null.
    job: job && { ...job, plan: { ...job.plan, unmask: job.plan.unmask ?? undefined } },
  };
}
