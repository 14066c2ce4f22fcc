import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import type { Logger } from 'pino';
import type { DeletedResponseStore } from './deleted-response-store.ts';
import type { ResponseDocument } from './response-store.ts';

/**
 * Keeps the id of a response in use, so that late or repeated writes cannot store it. It has no survey, so queries for
 * responses do not find it. `deleted`: the response was stored and deleted. `void` and `blocked`: it was never stored.
 * A write replaces such a tombstone only at the revision that it read before it reserved seats or claimed files. So
 * settling these, which creates the tombstone or raises its revision, makes the write fail. `blocked` is the result of
 * settling files: earlier releases replace only `void` ones.
 */
export interface Tombstone extends OutboxDocument {
  readonly status: 'deleted' | 'void' | 'blocked';
  /** Continues the revision of a deleted response. Otherwise counts how often late writes were blocked, from 0. */
  readonly revision: number;
  readonly created_at: Date;
  /** Survey of a deleted response. */
  readonly deleted_from?: string;
  /** Tenant of a deleted response. */
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

/** Name of the index for the deletions in the change feed. */
export const BY_DELETION = 'by_deletion';
/** Name of the index for the sweeper. */
export const TEMPORARY = 'temporary';

export const tombstoneIndexes: IndexSpecs[string] = [
  {
    name: BY_DELETION,
    key: { tenant_id: 1, deleted_from: 1, changed: 1, _id: 1 },
    partialFilterExpression: { deleted_from: { $exists: true } },
  },
  { name: TEMPORARY, key: { created_at: 1 }, partialFilterExpression: { temporary: true } },
];

interface Dependencies {
  readonly store: Pick<DeletedResponseStore, 'deleteTombstones'>;
  /** Days that the change feed reports a deletion. */
  readonly keptDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Additional time for requests whose cursor expires while they run. */
const MARGIN_MS = 60 * 60_000;

/**
 * Deletes old tombstones. Runs on one replica at a time. `keptDays` must be longer than an `Idempotency-Key` is
 * valid (a day), and than any stalled write or import lasts.
 */
export function createTombstoneRemover({ store, keptDays, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot delete old tombstones of responses',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptDays * DAY_MS - MARGIN_MS);
      while ((await store.deleteTombstones(before)) && !isStopped() && (await lease.acquire()));
    },
  });
}
