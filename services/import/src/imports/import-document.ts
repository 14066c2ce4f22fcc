import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { DueDocument } from '@survey/runtime/mongo/claim';
import type { ImportOptions } from '../reading/read-import.ts';
import { type Canceller, type Import, type ImportStatus, type Job, NO_PROGRESS, type Progress } from './import.ts';
import { defaultPolicy } from './import-mapper.ts';
import type { Report } from './report.ts';

type StoredPlan = Omit<ImportOptions, 'location' | 'answers' | 'table'> & {
  /** `location`, under its name in earlier releases. */
  readonly place: string;
  /** Jobs of earlier releases lack it. */
  readonly answers?: ImportOptions['answers'];
  /** Jobs of earlier releases lack it. */
  readonly table?: ImportOptions['table'];
  /** Jobs of earlier releases lack it. */
  readonly requestedAt?: ImportOptions['requestedAt'];
};

/** Members that reports of the previous release lack. */
type NewMember = 'importedInPart' | 'leftOut' | 'omissions';
type StoredReport = Omit<Report, NewMember> & Partial<Pick<Report, NewMember>>;

/** The record of an import. The imported file is stored in pieces: see `StagedFile`. */
export interface ImportDocument extends DueDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly source: string;
  readonly format: string;
  readonly dry_run: boolean;
  readonly status: ImportStatus;
  readonly size: number;
  /** Imports of earlier releases lack `importedInPart`, `leftOut` and `read`. */
  readonly progress: Omit<Progress, 'importedInPart' | 'leftOut' | 'read'> & Partial<Progress>;
  readonly questions: number;
  readonly report: StoredReport | null;
  /** `deaths`, under its name in earlier releases. */
  readonly attempts: number;
  readonly failing_since?: Date;
  readonly cancelled_by?: Canceller;
  readonly started_by: string;
  readonly request_id: string;
  readonly traceparent: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  /** Removed when the import ends. `plan` has the options. */
  readonly job?: Omit<Job, 'options'> & { readonly plan: StoredPlan };
  /** Unique among the unfinished jobs of the tenant, which limits their number. Removed when the job ends. */
  readonly slot?: number;
  /** Time at which the record of an ended import is deleted. */
  readonly expires_at?: Date;
  /** Events that are not published to Kafka yet. */
  readonly outbox: readonly OutboxEvent[];
}

const MISSING_IN_OLD_REPORTS = { importedInPart: 0, leftOut: 0, omissions: [] } as const;

/** The document of a new import, which is neither failing nor cancelled. */
export function toDocument(item: Import): ImportDocument {
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
    attempts: item.deaths,
    started_by: item.actor,
    request_id: item.requestId,
    traceparent: item.traceparent,
    created_at: item.createdAt,
    ended_at: item.finishedAt ?? null,
    ...(item.job === undefined ? {} : { job: toStoredJob(item.job) }),
    outbox: [],
  };
}

function toStoredJob({ options: { location, ...plan }, ...job }: Job): NonNullable<ImportDocument['job']> {
  return { ...job, plan: { ...plan, place: location } };
}

function fromStoredJob({ plan, ...job }: NonNullable<ImportDocument['job']>): Job {
  return { ...job, options: fromStoredPlan(plan) };
}

function fromStoredPlan({ place, ...plan }: StoredPlan): ImportOptions {
  // In documents, members without a value can be missing or null.
  const { encoding, separator, locale, dateFormat, decimal, timeZone, columns } = plan.table ?? {};
  return {
    ...plan,
    location: place,
    unmask: plan.unmask ?? undefined,
    requestedAt: plan.requestedAt ?? undefined,
    answers: plan.answers ?? defaultPolicy(plan.source),
    table: {
      encoding: encoding ?? undefined,
      separator: separator ?? undefined,
      locale: locale ?? undefined,
      dateFormat: dateFormat ?? undefined,
      decimal: decimal ?? undefined,
      timeZone: timeZone ?? undefined,
      columns: columns ?? [],
    },
  };
}

export function fromDocument(document: Omit<ImportDocument, 'outbox'>): Import {
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
    progress: { ...NO_PROGRESS, read: document.progress.rows, ...document.progress },
    questions: document.questions,
    report: document.report === null ? undefined : { ...MISSING_IN_OLD_REPORTS, ...document.report },
    deaths: document.attempts,
    failingSince: document.failing_since,
    cancelledBy: document.cancelled_by,
    actor: document.started_by,
    requestId: document.request_id,
    traceparent: document.traceparent,
    createdAt: document.created_at,
    finishedAt: document.ended_at ?? undefined,
    job: job && fromStoredJob(job),
  };
}
