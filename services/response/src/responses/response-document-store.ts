import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantDocument, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { WALK_LIMITS, type Walk, type WalkLimits } from '@survey/runtime/mongo/walk';
import { type Collection, type Filter, Timestamp } from 'mongodb';
import type { CorrectionRecord, ResponseStatus, SealedExternalId, SealedResponse } from './response.ts';
import { type ResponseFilter, toCondition } from './response-filter.ts';
import type { SamplingKey } from './sample-store.ts';

/** A stored response. The collection also contains tombstones (`Tombstone`) and carriers (`insertWithEvents`). */
export interface ResponseDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly survey_version: number;
  readonly status: ResponseStatus;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly language: string | null;
  readonly link_id: string | null;
  /** Absent in responses that earlier releases stored. */
  readonly invitation_id?: string | null;
  /** Plain text in responses of earlier releases, until it is sealed in the background. */
  readonly external_id?: string | null;
  readonly sealed_external_id?: SealedExternalId;
  readonly revision: number;
  /** Cluster time of the last write. Absent in responses that earlier releases stored. */
  readonly changed?: Timestamp;
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | null;
  readonly request_hash: KeyedHash | null;
  /** Sampling key: the position of the response in the sample index. */
  readonly draw: SamplingKey;
  readonly outbox: readonly OutboxEvent[];
  /** The last corrections, oldest first. Absent if there are none. */
  readonly corrections?: readonly CorrectionDocument[];
  /** Ids of the ledger entries (`LedgerEntry`) of the writes that took or freed the seat of the response. */
  readonly ledger_entries?: readonly string[];
}

export interface CorrectionDocument {
  readonly revision: number;
  readonly at: Date;
  readonly by: string;
  readonly questions: readonly string[];
  readonly metadata: boolean;
  readonly from: ResponseStatus;
  readonly to: ResponseStatus;
}

/** MongoDB replaces this value with its cluster time during an insert. */
const STAMPED_ON_INSERT = new Timestamp(0n);

export const NEWEST_FIRST_INDEX = 'by_creation';
export const CHANGE_INDEX = 'by_change';
export const EXTERNAL_ID_INDEX = 'by_external_id';

export const DELETION_INDEX = 'by_deletion';
export const TEMPORARY_INDEX = 'temporary';

/** Empty once the background has sealed all external ids of earlier releases. The next release does not need it. */
export const PLAINTEXT_EXTERNAL_IDS = {
  name: 'plaintext_external_ids',
  key: { tenant_id: 1, survey_id: 1, external_id: 1 },
  partialFilterExpression: { external_id: { $gte: '' } },
} as const;

/**
 * `NEWEST_FIRST_INDEX` serves lists, counts and exports. It has all fields of filters, so a count reads only the index.
 * `CHANGE_INDEX` and `DELETION_INDEX` serve the change feed. `EXTERNAL_ID_INDEX` serves filters by external id.
 */
export const responseIndexes: IndexSpecs[string] = [
  {
    name: NEWEST_FIRST_INDEX,
    key: {
      tenant_id: 1,
      survey_id: 1,
      created_at: -1,
      _id: -1,
      status: 1,
      link_id: 1,
      language: 1,
      updated_at: 1,
      survey_version: 1,
      completed_at: 1,
    },
  },
  { name: CHANGE_INDEX, key: { tenant_id: 1, survey_id: 1, changed: 1, _id: 1 } },
  {
    name: EXTERNAL_ID_INDEX,
    key: { tenant_id: 1, survey_id: 1, 'sealed_external_id.tag': 1, created_at: -1, _id: -1 },
    partialFilterExpression: { 'sealed_external_id.tag': { $exists: true } },
  },
  PLAINTEXT_EXTERNAL_IDS,
  {
    name: DELETION_INDEX,
    key: { tenant_id: 1, deleted_from: 1, changed: 1, _id: 1 },
    partialFilterExpression: { deleted_from: { $exists: true } },
  },
  { name: TEMPORARY_INDEX, key: { created_at: 1 }, partialFilterExpression: { temporary: true } },
];

export const NEWEST_FIRST_HINT = { hint: NEWEST_FIRST_INDEX } as const;

/** The index for lists, counts and exports. For alternatives that include plain text, MongoDB uses no partial index. */
export function hintFor(filter: ResponseFilter): { readonly hint: string } {
  return isIndexed(filter) ? { hint: EXTERNAL_ID_INDEX } : NEWEST_FIRST_HINT;
}

function isIndexed({ externalId }: ResponseFilter): boolean {
  return externalId !== undefined && externalId.text === undefined;
}

/**
 * Limits of walks (queries in the order of the index) that read all responses of a survey. They divide a read into
 * slices of the index later than walks with `WALK_LIMITS`.
 */
export const SCAN_LIMITS: WalkLimits = { ...WALK_LIMITS, singleReadMs: 10_000 };

/** A walk through the responses that match a filter, in the order of creation. */
export function toWalk(collection: Collection<ResponseDocument>, tenantId: TenantId, filter: ResponseFilter) {
  const { surveyId, since, until, externalId } = filter;
  return {
    collection: tenantCollection(collection, tenantId),
    by: 'created_at',
    within: toCondition({ surveyId, since, until, ...(isIndexed(filter) && { externalId }) }),
    filter: toCondition(filter),
  } as const satisfies Walk<ResponseDocument>;
}

export function toDocument(
  response: SealedResponse,
  events: readonly OutboxEvent[],
  samplingKey: SamplingKey,
): ResponseDocument {
  return {
    _id: response.id,
    tenant_id: response.tenantId,
    survey_id: response.surveyId,
    survey_version: response.surveyVersion,
    created_at: response.createdAt,
    started_at: response.startedAt ?? null,
    link_id: response.linkId ?? null,
    invitation_id: response.invitationId ?? null,
    ...toExternalIdFields(response.externalId),
    request_hash: response.requestHash ?? null,
    draw: samplingKey,
    ...toFields(response),
    changed: STAMPED_ON_INSERT,
    outbox: events,
  };
}

function toExternalIdFields(externalId: SealedResponse['externalId']) {
  if (typeof externalId === 'object') return { sealed_external_id: externalId };
  return externalId === undefined ? {} : { external_id: externalId };
}

/** The fields that can change after a response is stored. */
export function toFields(response: SealedResponse) {
  return {
    status: response.status,
    updated_at: response.updatedAt,
    completed_at: response.completedAt ?? null,
    language: response.language ?? null,
    revision: response.revision,
    data: response.data,
    metadata: response.metadata ?? null,
  };
}

export function toCorrectionDocument(record: CorrectionRecord): CorrectionDocument {
  return {
    revision: record.revision,
    at: record.correctedAt,
    by: record.correctedBy,
    questions: record.questionIds,
    metadata: record.metadataChanged,
    from: record.statusBefore,
    to: record.statusAfter,
  };
}

export function fromCorrectionDocument(document: CorrectionDocument): CorrectionRecord {
  return {
    revision: document.revision,
    correctedAt: document.at,
    correctedBy: document.by,
    questionIds: document.questions,
    metadataChanged: document.metadata,
    statusBefore: document.from,
    statusAfter: document.to,
  };
}

export function fromDocument(document: ResponseDocument): SealedResponse {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    surveyId: document.survey_id,
    surveyVersion: document.survey_version,
    status: document.status,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    startedAt: document.started_at ?? undefined,
    completedAt: document.completed_at ?? undefined,
    language: document.language ?? undefined,
    linkId: document.link_id ?? undefined,
    invitationId: document.invitation_id ?? undefined,
    externalId: document.sealed_external_id ?? document.external_id ?? undefined,
    revision: document.revision,
    data: document.data,
    metadata: document.metadata ?? undefined,
    requestHash: document.request_hash ?? undefined,
  };
}

/** Sets `changed`, which orders the change feed (ADR 0065). Use it in each update with operators. */
export const SET_CHANGED = { $currentDate: { changed: { $type: 'timestamp' as const } } } as const;

/**
 * Keeps the id of a response in use, so that late or repeated writes cannot store the response. A tombstone has no
 * `survey_id`, so queries for responses do not find it.
 *
 * - `deleted`: the response was stored and deleted.
 * - `void`: the response was never stored. The release of its reserved seats makes its late write fail.
 * - `blocked`: like `void`, after a release of claimed files. Processes of earlier releases cannot replace it.
 *
 * A write reads the revision of a `void` or `blocked` tombstone before it reserves seats or claims files. The write
 * replaces the tombstone only at this revision. Each release of seats or files raises the revision.
 */
export interface Tombstone extends OutboxDocument {
  readonly status: 'deleted' | 'void' | 'blocked';
  /** Continues the revision of a deleted response. In other tombstones, each block of late writes raises it. */
  readonly revision: number;
  /** Time of the deletion. In other tombstones, time of the last block. */
  readonly created_at: Date;
  /** Survey of a deleted response. */
  readonly deleted_from?: string;
  /** Tenant of a deleted response. Absent or null in other tombstones, and in tombstones of earlier releases. */
  readonly tenant_id?: TenantId | null;
  /** Cluster time of the deletion. */
  readonly changed?: ResponseDocument['changed'];
  /** Absent if the response came through a link. Its tombstone stays until the survey is purged. */
  readonly temporary?: true;
  /** Present if the response was in progress or abandoned. The token of a single-use link is free again. */
  readonly unfinished?: true;
  /** Hash of the request that created an unfinished response through a link. A repeated request stores nothing. */
  readonly request_hash?: ResponseDocument['request_hash'];
  readonly ledger_entries?: readonly string[];
  /** Id of the plan that deleted the response. */
  readonly deletion_plan?: string;
}

/** The tombstone of a deleted response. */
export type Deletion = Tombstone & Required<Pick<Tombstone, 'deleted_from'>> & TenantDocument;

/** Matches only tombstones, because every response has a survey. */
export const IS_TOMBSTONE = { survey_id: null } as const;

/** Excludes tombstones from queries by id. */
export const IS_RESPONSE = { survey_id: { $exists: true } } as const;

/** Value of `changed` in updates with pipelines. */
const CLUSTER_TIME = '$$CLUSTER_TIME';

/** Makes a tombstone with the id of a response that a stalled process may still try to insert. */
export function newVoid(id: string, time: Date): ResponseDocument {
  const tombstone: Tombstone = { _id: id, status: 'void', revision: 0, created_at: time, outbox: [] };
  // The collection of responses also contains tombstones, which its document type does not include.
  return tombstone as unknown as ResponseDocument;
}

/**
 * Returns the update that turns a response into a tombstone.
 *
 * @param entry id of the ledger entry, if the response frees a seat
 * @param plan id of the plan that deletes the response, if there is one
 */
export function deletionUpdate(events: readonly OutboxEvent[], entry: string | undefined, plan?: string) {
  const outbox = { $concatArrays: ['$outbox', { $literal: events }] };
  const entries = { $concatArrays: [{ $ifNull: ['$ledger_entries', []] }, entry === undefined ? [] : [entry]] };
  return [
    {
      $replaceWith: {
        _id: '$_id',
        status: 'deleted',
        revision: { $add: ['$revision', 1] },
        created_at: '$$NOW',
        deleted_from: '$survey_id',
        tenant_id: '$tenant_id',
        changed: CLUSTER_TIME,
        temporary: UNLESS_LINKED,
        unfinished: { $cond: [IS_UNFINISHED, true, '$$REMOVE'] },
        request_hash: { $cond: [{ $and: [IS_UNFINISHED, IS_LINKED] }, '$request_hash', '$$REMOVE'] },
        ledger_entries: entries,
        ...(plan !== undefined && { deletion_plan: plan }),
        outbox,
      },
    },
  ];
}

/** Tombstones of single-use links must stay. The type of the link is unknown here, so tombstones of all links stay. */
const IS_LINKED = { $ne: ['$link_id', null] };
const UNLESS_LINKED = { $cond: [IS_LINKED, '$$REMOVE', true] };
const IS_UNFINISHED = { $in: ['$status', ['in_progress', 'abandoned']] };

/** The state of the document with an id, of any tenant. */
export type StoredState =
  | {
      readonly kind: 'stored';
      readonly tenantId: TenantId;
      readonly surveyId: string;
      readonly status: ResponseStatus;
      readonly revision: number;
      readonly createdAt: Date;
      /** Hash of the request that created the response, if it had an idempotency key. */
      readonly requestHash?: KeyedHash | undefined;
    }
  | {
      readonly kind: 'deleted';
      readonly surveyId: string;
      readonly revision: number;
      readonly at: Date;
      /** Whether the response was in progress or abandoned. */
      readonly wasUnfinished: boolean;
      /** Whether the response came through a link. If so, its id marks the token of a single-use link as used. */
      readonly wasLinked: boolean;
      /** Present if the deleted response was unfinished and came through a link. */
      readonly requestHash?: KeyedHash | undefined;
    }
  /** No response can have the id. Its response was deleted by a purge of the survey, or by an earlier release. */
  | { readonly kind: 'purged'; readonly revision: number }
  /** The response was never stored (see `Tombstone`). A new response can replace this document. */
  | { readonly kind: 'void'; readonly status: 'void' | 'blocked'; readonly revision: number };

/** The state of a document that a write replaces. */
export interface ReplacedState {
  readonly status: 'in_progress' | Tombstone['status'];
  readonly revision: number;
}

type Found = Pick<ResponseDocument, '_id' | 'revision' | 'created_at' | 'changed'> &
  Partial<Pick<ResponseDocument, 'tenant_id' | 'survey_id' | 'request_hash'>> &
  Pick<Tombstone, 'deleted_from' | 'unfinished' | 'temporary'> & {
    readonly status: ResponseStatus | Tombstone['status'];
  };

const PROJECTION = {
  tenant_id: 1,
  survey_id: 1,
  status: 1,
  revision: 1,
  created_at: 1,
  changed: 1,
  deleted_from: 1,
  request_hash: 1,
  unfinished: 1,
  temporary: 1,
} as const;

/** Returns the states of the documents with these ids. Free ids are omitted. */
export async function findStates(
  responses: Collection<ResponseDocument>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredState>> {
  const options = { projection: PROJECTION, maxTimeMS: 10_000 };
  const found = await systemScope(responses)
    .find<Found>({ _id: { $in: ids } }, options)
    .toArray();
  return new Map(found.map((document) => [document._id, toState(document)]));
}

function toState(found: Found): StoredState {
  const { tenant_id: tenantId, survey_id: surveyId, deleted_from: deletedSurveyId } = found;
  const { status, revision, unfinished: wasUnfinished = false } = found;
  const requestHash = found.request_hash ?? undefined;
  if (status === 'void' || status === 'blocked') return { kind: 'void', status, revision };
  if (status === 'deleted' && deletedSurveyId !== undefined)
    return {
      kind: 'deleted',
      surveyId: deletedSurveyId,
      revision,
      at: deletionTimeOf(found),
      wasUnfinished,
      wasLinked: found.temporary !== true,
      requestHash,
    };
  if (tenantId === undefined || surveyId === undefined || status === 'deleted') return { kind: 'purged', revision };
  return { kind: 'stored', tenantId, surveyId, status, revision, createdAt: found.created_at, requestHash };
}

/**
 * The time of a deletion, by the later of two clocks. After a failover, the wall clock (`created_at`) can go back, but
 * the cluster time cannot. The cluster time is in whole seconds, so it is rounded up.
 */
function deletionTimeOf({ created_at: at, changed }: Pick<Found, 'created_at' | 'changed'>): Date {
  const seconds = changed?.getHighBitsUnsigned() ?? 0;
  return seconds * 1_000 <= at.getTime() ? at : new Date((seconds + 1) * 1_000);
}

/** Returns the tombstone that a new response can replace, if there is one. */
export function toReplaced(state: StoredState | undefined): ReplacedState | undefined {
  return state?.kind === 'void' ? { status: state.status, revision: state.revision } : undefined;
}

/** Replaces a tombstone or a response in progress. Returns false if its state has changed. */
export async function replaceDocument(
  responses: Collection<ResponseDocument>,
  document: ResponseDocument,
  { status, revision }: ReplacedState,
): Promise<boolean> {
  const { _id, outbox, ledger_entries: entries = [], changed: _, ...fields } = document;
  const replacesInProgress = status === 'in_progress';
  const filter = { _id, status, revision, ...(replacesInProgress && { tenant_id: document.tenant_id }) };
  const { matchedCount } = await systemScope(responses).updateOne(
    // The type does not include tombstones.
    filter as Filter<ResponseDocument>,
    {
      // The other fields of a response in progress must not change.
      $set: replacesInProgress ? toFields(fromDocument(document)) : fields,
      $unset: { deleted_from: true, temporary: true, unfinished: true },
      $push: { outbox: { $each: [...outbox] }, ledger_entries: { $each: [...entries] } },
      ...SET_CHANGED,
    },
  );
  return matchedCount === 1;
}
