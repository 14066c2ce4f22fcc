import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantDocument, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { WALK_LIMITS, type Walk, type WalkLimits } from '@survey/runtime/mongo/walk';
import { type Collection, type Filter, Timestamp } from 'mongodb';
import type { CorrectionRecord, ResponseStatus, SealedResponse } from './response.ts';
import { type ResponseFilter, toCondition } from './response-filter.ts';
import type { SamplingKey } from './sample-store.ts';

/**
 * A stored response. Its collection also has tombstones (`Tombstone`), and events of many responses that were stored
 * together (`insertWithEvents`).
 */
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
  readonly external_id: string | null;
  readonly revision: number;
  /** Cluster time of the last write. Responses of earlier releases have none. */
  readonly changed?: Timestamp;
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | null;
  readonly request_hash: KeyedHash | null;
  /** Sampling key: position of the response in the sample index. */
  readonly draw: SamplingKey;
  readonly outbox: readonly OutboxEvent[];
  /** The last corrections, oldest first. Absent without any. */
  readonly corrections?: readonly CorrectionDocument[];
  /** Ledger entries (`LedgerEntry`) of the writes that took or freed the seat of the response. */
  readonly ledger_entries?: readonly string[];
}

/** A correction as it is stored in its response. */
export interface CorrectionDocument {
  readonly revision: number;
  readonly at: Date;
  readonly by: string;
  readonly questions: readonly string[];
  readonly metadata: boolean;
  readonly from: ResponseStatus;
  readonly to: ResponseStatus;
}

/** MongoDB replaces this value with its cluster time when it executes an insert. */
const STAMPED_ON_INSERT = new Timestamp(0n);

/** Name of the index for reading the responses of a survey. */
export const NEWEST_FIRST_INDEX = 'by_creation';
/** Name of the index for the change feed. */
export const CHANGE_INDEX = 'by_change';

/** Name of the index for the deletions in the change feed. */
export const DELETION_INDEX = 'by_deletion';
/** Name of the index for the sweeper. */
export const TEMPORARY_INDEX = 'temporary';

/**
 * The index `NEWEST_FIRST_INDEX` serves lists, counts and exports. A count reads only this index: it has all fields of
 * filters.
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
    name: DELETION_INDEX,
    key: { tenant_id: 1, deleted_from: 1, changed: 1, _id: 1 },
    partialFilterExpression: { deleted_from: { $exists: true } },
  },
  { name: TEMPORARY_INDEX, key: { created_at: 1 }, partialFilterExpression: { temporary: true } },
];

export const NEWEST_FIRST_HINT = { hint: NEWEST_FIRST_INDEX } as const;
/**
 * Limits of walks (queries in the order of the index) that must read all responses of a survey in any case. A single
 * read may take longer before it is divided into slices of the index.
 */
export const SCAN_LIMITS: WalkLimits = { ...WALK_LIMITS, singleReadMs: 10_000 };

/** The responses that match a filter, in the order of the index by creation. */
export function toWalk(collection: Collection<ResponseDocument>, tenantId: TenantId, filter: ResponseFilter) {
  const { surveyId, since, until } = filter;
  return {
    collection: tenantCollection(collection, tenantId),
    by: 'created_at',
    within: toCondition({ surveyId, since, until }),
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
    external_id: response.externalId ?? null,
    request_hash: response.requestHash ?? null,
    draw: samplingKey,
    ...toFields(response),
    changed: STAMPED_ON_INSERT,
    outbox: events,
  };
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
    externalId: document.external_id ?? undefined,
    revision: document.revision,
    data: document.data,
    metadata: document.metadata ?? undefined,
    requestHash: document.request_hash ?? undefined,
  };
}

/**
 * Each write of a response or tombstone sets `changed` to the cluster time of MongoDB, which orders the change feed
 * (ADR 0065). Use this in updates with operators. For inserts, `toDocument` sets the value.
 */
export const SET_CHANGED = { $currentDate: { changed: { $type: 'timestamp' as const } } } as const;

/**
 * Keeps the id of a response in use, so that late or repeated writes cannot store it. It has no survey, so queries for
 * responses do not find it.
 *
 * - `deleted`: the response was stored and deleted.
 * - `void`: the response was never stored. Settling its seats created the tombstone, or raised its revision.
 * - `blocked`: like `void`, but by settling its files. Processes of earlier releases replace only `void` ones.
 *
 * A write replaces a `void` or `blocked` tombstone only at the revision that it read before it reserved seats or
 * claimed files. So the write fails if these have been settled since.
 */
export interface Tombstone extends OutboxDocument {
  readonly status: 'deleted' | 'void' | 'blocked';
  /** Continues the revision of a deleted response. Otherwise counts how often late writes were blocked, from 0. */
  readonly revision: number;
  /** Time of the deletion; in other tombstones, of their last change. */
  readonly created_at: Date;
  /** Survey of a deleted response. */
  readonly deleted_from?: string;
  /** Tenant of a deleted response. Absent or null in other tombstones, and in those of earlier releases. */
  readonly tenant_id?: TenantId | null;
  /** Cluster time of the deletion. */
  readonly changed?: ResponseDocument['changed'];
  /** Absent if the response came through a link. Such a tombstone stays until the survey is purged. */
  readonly temporary?: true;
  /** Present if the response was in progress or abandoned: the token of a single-use link is then free again. */
  readonly unfinished?: true;
  /** Hash of the request that created an unfinished response through a link, so that its repetition stores nothing. */
  readonly request_hash?: ResponseDocument['request_hash'];
  readonly ledger_entries?: readonly string[];
}

/** The tombstone of a deleted response. Those of earlier releases may lack the tenant and the cluster time. */
export type Deletion = Tombstone & Required<Pick<Tombstone, 'deleted_from'>> & TenantDocument;

/** Matches tombstones only: every response has a survey. */
export const IS_TOMBSTONE = { survey_id: null } as const;

/** Excludes tombstones from queries by id: a tombstone has the id of its response. */
export const IS_RESPONSE = { survey_id: { $exists: true } } as const;

/** The value of `changed` in updates with pipelines. */
const CLUSTER_TIME = '$$CLUSTER_TIME';

/** Makes a tombstone with the id of a response that a stalled process may still try to insert. */
export function newVoid(id: string, time: Date): ResponseDocument {
  const tombstone: Tombstone = { _id: id, status: 'void', revision: 0, created_at: time, outbox: [] };
  // Tombstones are in the collection of responses, but are not of its document type.
  return tombstone as unknown as ResponseDocument;
}

/**
 * Returns the update that turns a response into a tombstone.
 *
 * @param entry id of the ledger entry, if the response frees a seat
 */
export function deletionUpdate(events: readonly OutboxEvent[], entry: string | undefined) {
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
        outbox,
      },
    },
  ];
}

/** Only tombstones of single-use links must stay. The link's type is unknown here, so those of all links stay. */
const IS_LINKED = { $ne: ['$link_id', null] };
const UNLESS_LINKED = { $cond: [IS_LINKED, '$$REMOVE', true] };
const IS_UNFINISHED = { $in: ['$status', ['in_progress', 'abandoned']] };

/** The state of the document with an id. The document can belong to any tenant. */
export type StoredState =
  | {
      readonly kind: 'stored';
      readonly tenantId: TenantId;
      readonly surveyId: string;
      readonly status: ResponseStatus;
      readonly revision: number;
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
      /** Whether it came through a link. The ids of responses derive from the tokens of a single-use link. */
      readonly wasLinked: boolean;
      /** Present if an unfinished response through a link was deleted. */
      readonly requestHash?: KeyedHash | undefined;
    }
  /** No response can have the id: its survey is being purged, or an earlier release deleted it. */
  | { readonly kind: 'purged'; readonly revision: number }
  /** A process failed, died or stalled before it stored the response. A new response can replace this document. */
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
  return { kind: 'stored', tenantId, surveyId, status, revision, requestHash };
}

/**
 * The time of a deletion, which is never before that of an earlier write. `created_at` can be, after a failover to a
 * server whose clock is behind. Then the cluster time counts, which never goes back. It is in whole seconds.
 */
function deletionTimeOf({ created_at: at, changed }: Pick<Found, 'created_at' | 'changed'>): Date {
  const seconds = changed?.getHighBitsUnsigned() ?? 0;
  return seconds * 1_000 <= at.getTime() ? at : new Date((seconds + 1) * 1_000);
}

/** The document that a new response replaces; undefined if its id is free or taken. */
export function toReplaced(state: StoredState | undefined): ReplacedState | undefined {
  return state?.kind === 'void' ? { status: state.status, revision: state.revision } : undefined;
}

/** Replaces the document that has the id of a response. Returns false if its state has changed. */
export async function replaceStored(
  responses: Collection<ResponseDocument>,
  document: ResponseDocument,
  { status, revision }: ReplacedState,
): Promise<boolean> {
  const { _id, outbox, ledger_entries: entries = [], changed: _, ...fields } = document;
  const replacesInProgress = status === 'in_progress';
  const filter = { _id, status, revision, ...(replacesInProgress && { tenant_id: document.tenant_id }) };
  const { matchedCount } = await systemScope(responses).updateOne(
    // The replaced document can be a tombstone, which the type does not include.
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
