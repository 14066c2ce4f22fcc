import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';

/** A ledger counts the used seats (completed responses) of a survey or link. The first limit creates it. */
export interface LedgerDocument {
  /** Id of the survey or of the link. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  /** Null in the ledger of a survey. */
  readonly link_id: string | null;
  /** Number of completed responses, without the changes in `entries`. */
  readonly used: number;
  /** Running writes that change `used`. Settling removes an entry. */
  readonly entries: readonly LedgerEntry[];
  /**
   * From this time on, the responses must be recounted before `used` is read. The first count sets the future time of a
   * second count. Null if `used` is exact.
   */
  readonly recount_at: Date | null;
  /** The process that recounts, and the end of its lease. A recount blocks new entries. */
  readonly counting: { readonly by: string; readonly until: Date } | null;
  /** Progress of a recount that takes several steps. Absent or null if none is running. */
  readonly counted?: RecountProgress | null;
}

interface RecountProgress {
  /** `recount_at` of the ledger. If it has changed, the recount starts again. */
  readonly due: Date;
  readonly used: number;
  /** The last response that was counted. */
  readonly created_at: Date;
  readonly response_id: string;
  /** Time of the last step. */
  readonly at: Date;
}

/** A running write. Its responses are stored with the id of the entry, so another process can find them. */
export interface LedgerEntry {
  readonly id: string;
  readonly at: Date;
  /** 1: each response takes a seat. -1: each response frees its seat. */
  readonly seats: 1 | -1;
  readonly changes: readonly SeatChange[];
}

export interface SeatChange {
  readonly id: string;
  /** Revision that the write replaces. Null if the write inserts the response. */
  readonly revision: number | null;
}

/** The survey or link that a ledger belongs to. */
export interface LedgerScope {
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** Undefined for the survey itself. */
  readonly linkId: string | undefined;
}

export const ledgerIndexes: IndexSpecs[string] = [
  { name: 'survey', key: { tenant_id: 1, survey_id: 1 } },
  { name: 'entries', key: { 'entries.at': 1 }, sparse: true },
  { name: 'recounts', key: { 'counted.at': 1 }, sparse: true },
];

/** `recount_at` of a ledger that is new, or that was marked for a recount. */
export const NOT_COUNTED = new Date(0);

export function toLedgerId({ surveyId, linkId }: LedgerScope): string {
  return linkId ?? surveyId;
}
