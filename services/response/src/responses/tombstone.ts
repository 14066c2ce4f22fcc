import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { ResponseDocument } from './response-store.ts';

/**
 * Keeps the id of a response taken, so that no late or repeated write brings the response back. It has no survey, so no
 * query for responses finds it. `void` stands for a response that was never stored, `deleted` for one that was.
 */
export interface Tombstone extends OutboxDocument {
  readonly status: 'deleted' | 'void';
  /** Counts on from the revision of the response. */
  readonly revision: number;
  readonly created_at: Date;
  /** Survey of a deleted response. */
  readonly deleted_from?: string;
  /** There when the response came through a link: the tombstone then stays as long as the tenant. */
  readonly tenant_id?: TenantId | null;
  readonly ledger_entries?: readonly string[];
}

/** No response has this: every response has a survey. */
export const IS_TOMBSTONE = { survey_id: null } as const;

/** For queries by id: a tombstone has the id of its response, and sometimes the tenant. */
export const IS_RESPONSE = { survey_id: { $exists: true } } as const;

/** A tombstone in place of a response that a stalled process may still try to insert. */
export function newVoid(id: string, time: Date): ResponseDocument {
  const tombstone: Tombstone = { _id: id, status: 'void', revision: 0, created_at: time, outbox: [] };
  // It lies among the responses, and has nothing else of one.
  return tombstone as unknown as ResponseDocument;
}

/**
 * The update that makes a response a tombstone.
 *
 * @param entry of the ledger, when the response gives a seat back
 */
export function toTombstone(events: readonly OutboxEvent[], entry: string | undefined) {
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
        tenant_id: TENANT_OF_LINKED,
        ledger_entries: entries,
        outbox,
      },
    },
  ];
}

/** Links that give out tokens are not known here, so every link is treated as one. */
const TENANT_OF_LINKED = { $cond: [{ $eq: ['$link_id', null] }, '$$REMOVE', '$tenant_id'] };
