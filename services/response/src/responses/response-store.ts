import { randomUUID } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import { toBatches } from '@survey/runtime/flow/batcher';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { documentErrorsOf, type InsertOutcome, insertBatch } from '@survey/runtime/mongo/insert-batch';
import { findPage, MAX_PAGE_BYTES } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantDocument, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { readSlices, type TimeLimit, WALK_LIMITS, type WalkLimits } from '@survey/runtime/mongo/walk';
import { BSON, type Collection, type Filter, type OptionalUnlessRequiredId, Timestamp } from 'mongodb';
import type { SliceStore } from '../slices/slice-store.ts';
import {
  type CorrectionDocument,
  fromCorrectionDocument,
  MAX_CORRECTIONS,
  toCorrectionDocument,
} from './correction-record.ts';
import type { GroupCommit } from './group-commit.ts';
import type { ResponseStatus, SealedResponse } from './response.ts';
import { toCondition, toWalk } from './response-query-store.ts';
import type { ResponseStore, StoreOutcome } from './response-service.ts';
import { randomSamplingKey, type SampleStore, type SamplingKey } from './sample-store.ts';
import { IS_RESPONSE, type Tombstone, tombstoneIndexes } from './tombstone.ts';
import type { WriteWindows } from './write-window-store.ts';

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
  /** Position of the response in the sample index. */
  readonly draw: SamplingKey;
  readonly outbox: readonly OutboxEvent[];
  /** The last corrections, oldest first. Absent without any. */
  readonly corrections?: readonly CorrectionDocument[];
  /** Ledger entries of the writes that took or freed the seat of the response. */
  readonly ledger_entries?: readonly string[];
}

/** MongoDB replaces this value with its cluster time when it executes an insert. */
const STAMPED_ON_INSERT = new Timestamp(0n);

/** Name of the index for reading the responses of a survey. */
export const NEWEST_FIRST = 'by_creation';
/** Name of the index for the change feed. */
export const BY_CHANGE = 'by_change';

/**
 * The index `NEWEST_FIRST` serves lists, counts and exports. A count reads only this index: it has all fields of
 * filters.
 */
export const responseIndexes: IndexSpecs[string] = [
  {
    name: NEWEST_FIRST,
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
  { name: BY_CHANGE, key: { tenant_id: 1, survey_id: 1, changed: 1, _id: 1 } },
  ...tombstoneIndexes,
];

export const NEWEST_FIRST_HINT = { hint: NEWEST_FIRST } as const;
/** Limits of walks that read the whole index of a survey, and so have to read all of it in any case. */
export const SCAN_LIMITS: WalkLimits = { ...WALK_LIMITS, wholeMs: 10_000 };

/** Limit of `findByIds`. Messages between services are limited, and answers can be five times as large in a message. */
const MAX_FOUND_BYTES = 3 * 1024 * 1024;

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly groupCommit: GroupCommit<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly slices: Pick<SliceStore, 'removeBetween'>;
  readonly samples: SampleStore;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Called after each write that stored events. */
  readonly onEvent: () => void;
  /** Limits of lists and of counts. */
  readonly limits?: WalkLimits;
}

export function createResponseStore(dependencies: Dependencies): ResponseStore {
  const { collection, groupCommit, windows, slices, samples, random, onEvent, limits } = dependencies;

  return {
    async put({ response, events, replaced, recheck }) {
      const document = toDocument(response, events, randomSamplingKey(random));
      const isStored = await windows.runInWindow([response], async () => {
        if (replaced === undefined) return (await groupCommit.add(document, recheck)) === 'inserted';
        await recheck();
        return replaceStored(collection, document, replaced);
      });
      onEvent();
      return isStored;
    },

    async insertAll(responses, ledgerEntryId) {
      const writes = responses.map(({ response, events, replaced }) => {
        const document = toDocument(response, events, randomSamplingKey(random));
        return {
          document: ledgerEntryId === undefined ? document : { ...document, ledger_entries: [ledgerEntryId] },
          replaced,
        };
      });
      const fresh = writes.flatMap(({ document, replaced }) => (replaced === undefined ? document : []));
      const outcomes = await windows.runInWindow(
        responses.map(({ response }) => response),
        async () => {
          const inserted = (await insertWithEvents(collection, fresh)).values();
          const written = writes.map(async ({ document, replaced }): Promise<StoreOutcome> => {
            if (replaced === undefined) return toOutcome(inserted.next().value);
            return (await replaceStored(collection, document, replaced)) ? 'inserted' : 'duplicate';
          });
          return Promise.all(written);
        },
      );
      onEvent();
      return outcomes;
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id, ...IS_RESPONSE });
      return document === null ? undefined : fromDocument(document);
    },

    async findByIds(tenantId, ids) {
      const pending = new Set(ids);
      const found: SealedResponse[] = [];
      let bytes = 0;
      const filter = { _id: { $in: [...pending] }, ...IS_RESPONSE };
      for await (const document of tenantCollection(collection, tenantId).find(filter)) {
        bytes += BSON.calculateObjectSize(document);
        if (found.length > 0 && bytes > MAX_FOUND_BYTES) return { found, postponed: [...pending] };
        found.push(fromDocument(document));
        pending.delete(document._id);
      }
      return { found, postponed: [] };
    },

    async findCorrections(tenantId, id) {
      type Found = Pick<ResponseDocument, 'survey_id' | 'corrections'>;
      const document = await tenantCollection(collection, tenantId).findOne<Found>(
        { _id: id, ...IS_RESPONSE },
        { projection: { survey_id: 1, corrections: 1 } },
      );
      if (document === null) return undefined;
      const { survey_id: surveyId, corrections = [] } = document;
      return { surveyId, corrections: corrections.map(fromCorrectionDocument) };
    },

    findStates: (ids) => findStates(collection, ids),

    async list(tenantId, filter, page) {
      const { collection: responses, filter: condition, within } = toWalk(collection, tenantId, filter);
      const { items, ...rest } = await findPage(responses, condition, page, { within, limits });
      return { items: items.map(fromDocument), ...rest };
    },

    async sample(tenantId, filter, { limit, cursor }) {
      const responses = tenantCollection(collection, tenantId);
      const { ids: drawn, ...rest } = await samples.drawIds(tenantId, filter, limit, cursor);
      // Repeat the condition: a response may have changed in between and no longer match.
      const stillMatching = { ...toCondition(filter), _id: { $in: drawn } };
      const documents = await readAll(responses.find(stillMatching, { hint: '_id_' }));
      const byId = new Map(documents.map((document) => [document._id, document]));
      return { items: drawn.flatMap((id) => byId.get(id) ?? []).map(fromDocument), ...rest };
    },

    async count(tenantId, filter, onSlice) {
      const walk = toWalk(collection, tenantId, filter);
      const count = (condition: TenantFilter<ResponseDocument>, timeLimit: TimeLimit) =>
        walk.collection.countDocuments(condition, { ...NEWEST_FIRST_HINT, ...timeLimit });
      let total = 0;
      for await (const { result, end } of readSlices(walk, undefined, count, limits ?? SCAN_LIMITS)) {
        total += result;
        if (end !== undefined) onSlice?.();
      }
      return total;
    },

    async replace(before, after, events, { ledgerEntryId, correction } = {}) {
      const { matchedCount } = await windows.runInWindow([before], () =>
        tenantCollection(collection, before.tenantId).updateOne(
          { _id: before.id, revision: before.revision },
          {
            $set: toFields(after),
            $push: {
              outbox: { $each: [...events] },
              ...(ledgerEntryId && { ledger_entries: ledgerEntryId }),
              ...(correction && {
                corrections: { $each: [toCorrectionDocument(correction)], $slice: -MAX_CORRECTIONS },
              }),
            },
            ...SET_CHANGED,
          },
        ),
      );
      onEvent();
      // Delete the stored counts that include the former answers.
      if (correction !== undefined) await slices.removeBetween(before, before.createdAt, before.createdAt);
      return matchedCount === 1;
    },
  };
}

function toOutcome(inserted: InsertOutcome | undefined): StoreOutcome {
  return inserted === undefined || inserted.kind === 'failed' ? 'rejected' : inserted.kind;
}

/** Throws `VALIDATION_FAILED` if the documents are too large: a truncated sample would not be uniform. */
async function readAll(found: AsyncIterable<ResponseDocument>): Promise<readonly ResponseDocument[]> {
  const documents: ResponseDocument[] = [];
  let bytes = 0;
  for await (const document of found) {
    bytes += BSON.calculateObjectSize(document);
    if (bytes > MAX_PAGE_BYTES) throw new AppError('VALIDATION_FAILED', { errors: [SAMPLE_TOO_LARGE] });
    documents.push(document);
  }
  return documents;
}

const SAMPLE_TOO_LARGE = {
  path: '/limit',
  code: 'TOO_LARGE',
  detail: 'the sample exceeds 16 MiB: use a smaller limit',
};

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
function toFields(response: SealedResponse) {
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
 * Limits of a carrier. The relay loads 500 documents at a time, so it holds up to 10,000 events. The size limit is only
 * a safeguard.
 */
const CARRIER = { items: 20, size: 10_000_000, sizeOf: ({ value }: OutboxEvent) => value.length() };

/**
 * Like `insertBatch`, but cheaper for many documents with events. It stores the events in separate documents
 * (carriers), twenty in each, so that the relay need not update each document. Everything is one transaction. If a
 * document is a duplicate or rejected, `insertBatch` takes over.
 */
export async function insertWithEvents<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  const events = documents.flatMap(({ outbox = [] }) => outbox);
  // For few events, a transaction costs more than it saves.
  if (events.length < CARRIER.items) return insertBatch(collection, documents);
  const stored = [...documents.map((document) => ({ ...document, outbox: [] })), ...toCarriers(events)];
  try {
    await inTransaction(collection.db.client, (session) =>
      // The collection also stores carriers, which are not of its document type.
      collection.insertMany(stored as readonly unknown[] as readonly OptionalUnlessRequiredId<D>[], { session }),
    );
    return documents.map(() => ({ kind: 'inserted' }));
  } catch (error) {
    if (documentErrorsOf(error).length === 0) throw error;
    return insertBatch(collection, documents);
  }
}

/** Carriers have the flag of tombstones, so that the relay deletes them when their events are published. */
function toCarriers(events: readonly OutboxEvent[]): readonly OutboxDocument[] {
  return toBatches(events, CARRIER).map((outbox) => ({ _id: randomUUID(), tombstone: true, outbox }));
}

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
      /** Whether it came through a link, whose tokens determine ids. */
      readonly wasLinked: boolean;
      /** Only of an unfinished response through a link. */
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
 * The time of a deletion, which never precedes an earlier write. After a failover to a server whose clock is behind,
 * `created_at` can: then the cluster time counts. It never goes back, and is cut off to seconds.
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
      $set: replacesInProgress ? toFields(fromDocument(document)) : fields,
      $unset: { deleted_from: true, temporary: true, unfinished: true },
      $push: { outbox: { $each: [...outbox] }, ledger_entries: { $each: [...entries] } },
      ...SET_CHANGED,
    },
  );
  return matchedCount === 1;
}

/**
 * Each write of a response or tombstone sets `changed` to the cluster time of MongoDB, which orders the change feed
 * (ADR 0065). Use this in updates with operators. For inserts, `toDocument` sets the value.
 */
export const SET_CHANGED = { $currentDate: { changed: { $type: 'timestamp' as const } } } as const;
