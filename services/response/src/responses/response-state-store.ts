import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection, Filter } from 'mongodb';
import type { ResponseStatus } from './response.ts';
import { fromDocument, type ResponseDocument, toFields } from './response-store.ts';
import type { Tombstone } from './tombstone.ts';

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

type Found = Pick<ResponseDocument, '_id' | 'revision' | 'created_at'> &
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
  const { status, revision, created_at: at, unfinished: wasUnfinished = false } = found;
  const requestHash = found.request_hash ?? undefined;
  if (status === 'void' || status === 'blocked') return { kind: 'void', status, revision };
  if (status === 'deleted' && deletedSurveyId !== undefined)
    return {
      kind: 'deleted',
      surveyId: deletedSurveyId,
      revision,
      at,
      wasUnfinished,
      wasLinked: found.temporary !== true,
      requestHash,
    };
  if (tenantId === undefined || surveyId === undefined || status === 'deleted') return { kind: 'purged', revision };
  return { kind: 'stored', tenantId, surveyId, status, revision, requestHash };
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
