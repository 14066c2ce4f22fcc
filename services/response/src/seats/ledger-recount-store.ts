import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startInterval } from '@survey/runtime/flow/interval';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { countInTime, WALK_LIMITS, type WalkLimits } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import {
  NEWEST_FIRST_HINT,
  newVoid,
  type ResponseDocument,
  SET_CHANGED,
  toWalk,
} from '../responses/response-document-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type LedgerDocument, type LedgerEntry, type LedgerScope, NOT_COUNTED, toLedgerId } from './ledger.ts';

/**
 * A ledger counts the used seats of a survey or link, and has an entry for each running write. A mark
 * (`markForRecount`) requests a recount from the stored responses.
 *
 * Recounts the completed responses of a ledger if that is due. A long recount takes several calls. Returns whether it
 * counted. Returns false if another process counts, or if nothing is due. Creates a missing ledger and returns false.
 * The next call counts its responses.
 */
export type RecountIfDue = (scope: LedgerScope) => Promise<boolean>;

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly settlement: EntrySettlement;
  readonly clock: () => Date;
  readonly limits?: WalkLimits | undefined;
}

/** Less time than a request waits for a recount. */
const LIMITS: WalkLimits = { ...WALK_LIMITS, timeMs: 3_000 };
/** If the last step is older, the recount starts again: its limit was probably removed and set again. */
const MAX_PROGRESS_AGE_MS = 10 * 60_000;
/** Lease of the process that recounts. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/**
 * Delay of the second count. A process that does not know the new limit yet stores responses without an entry. The
 * first count may miss these responses. The second count finds those stored up to `MARK_MS` after a mark. A process
 * that stores one later marks the ledger again.
 */
const SECOND_COUNT_MS = 5_000;
/** Maximum wait for the entries of other processes. */
const MAX_WAIT_MS = 3_000;
const POLL_MS = 25;

/** A time in the future, by the clock of the database, because the clocks of processes differ. */
const inFuture = (ms: number) => ({ $add: ['$$NOW', ms] });

export function createRecountIfDue({
  ledgers,
  responses,
  settlement,
  clock,
  limits = LIMITS,
}: Dependencies): RecountIfDue {
  async function create(scope: LedgerScope): Promise<void> {
    const fields = {
      survey_id: scope.surveyId,
      link_id: scope.linkId ?? null,
      used: 0,
      entries: [],
      recount_at: NOT_COUNTED,
      counting: null,
    };
    try {
      await tenantCollection(ledgers, scope.tenantId).updateOne(
        { _id: toLedgerId(scope) },
        { $setOnInsert: fields },
        { upsert: true },
      );
    } catch (error) {
      // Another process created it concurrently.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function lock(scope: LedgerScope): Promise<LedgerDocument | null> {
    const documents = tenantCollection(ledgers, scope.tenantId);
    const free = { $or: [{ counting: null }, { $expr: { $lt: ['$counting.until', '$$NOW'] } }] };
    const due = { recount_at: { $ne: null }, $expr: { $lte: ['$recount_at', '$$NOW'] }, ...free };
    const counting = { by: randomUUID(), until: inFuture(LEASE_MS) };
    const locked = await documents.findOneAndUpdate({ _id: toLedgerId(scope), ...due }, [{ $set: { counting } }]);
    if (locked !== null) return locked;
    if ((await documents.findOne({ _id: toLedgerId(scope) })) === null) await create(scope);
    return null;
  }

  /** Waits until other processes have settled their entries, then settles the entries that remain. */
  async function awaitEntries(scope: LedgerScope, entries: readonly LedgerEntry[]): Promise<void> {
    const documents = tenantCollection(ledgers, scope.tenantId);
    const waitUntil = performance.now() + MAX_WAIT_MS;
    let open = entries;
    while (open.length > 0 && performance.now() < waitUntil) {
      await sleep(POLL_MS);
      open = (await documents.findOne({ _id: toLedgerId(scope) }))?.entries ?? [];
    }
    for (const entry of open) await settlement.settleAbandoned(scope, entry);
  }

  /** Counts from the last step on, within the limits. `end` is undefined if all responses are counted. */
  async function count(scope: LedgerScope, { recount_at, counted }: LedgerDocument) {
    const isCurrent = counted?.due.getTime() === recount_at?.getTime();
    const isRecent = clock().getTime() - (counted?.at.getTime() ?? 0) < MAX_PROGRESS_AGE_MS;
    const last = (isCurrent && isRecent && counted) || undefined;
    const walk = toWalk(responses, scope.tenantId, { ...scope, status: 'completed' });
    const after = last && { time: last.created_at, id: last.response_id };
    const step = await countInTime(walk, after, limits, NEWEST_FIRST_HINT);
    return { used: (last?.used ?? 0) + step.count, end: step.end };
  }

  return async (scope) => {
    const ledger = await lock(scope);
    if (ledger === null) return false;
    const documents = tenantCollection(ledgers, scope.tenantId);
    const mine = { _id: ledger._id, 'counting.by': ledger.counting?.by };
    const renewal = startInterval({
      everyMs: RENEW_MS,
      // If the renewal fails, another process takes the lease, and this count is not stored.
      call: () => documents.updateOne(mine, [{ $set: { 'counting.until': inFuture(LEASE_MS) } }]),
    });
    try {
      await awaitEntries(scope, ledger.entries);
      const { used, end } = await count(scope, ledger);
      if (end !== undefined && ledger.recount_at !== null) {
        const step = { due: ledger.recount_at, used, created_at: end.time, response_id: end.id, at: clock() };
        await documents.updateOne(mine, { $set: { counting: null, counted: step } });
        return true;
      }
      const isFirst = ledger.recount_at?.getTime() === NOT_COUNTED.getTime();
      const next = isFirst ? inFuture(SECOND_COUNT_MS) : null;
      // Keep a recount that another process requested during this one.
      const isSame = { $eq: ['$recount_at', ledger.recount_at] };
      const recountAt = { $cond: [isSame, next, '$recount_at'] };
      await documents.updateOne(mine, [{ $set: { used, recount_at: recountAt, counting: null, counted: '$$REMOVE' } }]);
    } catch (error) {
      await documents.updateOne(mine, { $set: { counting: null } });
      throw error;
    } finally {
      renewal.stop();
    }
    return true;
  };
}

type EntrySettlement = ReturnType<typeof createEntrySettlement>;

/** Settles each entry exactly once: removes the entry, and adds `seats` to `used` for each stored response. */
export function createEntrySettlement({
  ledgers,
  responses,
  windows,
  clock,
}: Pick<Dependencies, 'ledgers' | 'responses' | 'clock'> & { readonly windows: Pick<WriteWindows, 'runInWindow'> }) {
  // Not limited to a tenant: a write may replace a void tombstone, which has no tenant.
  const allTenants = systemScope(responses);

  async function settle(scope: LedgerScope, { id, seats }: Pick<LedgerEntry, 'id' | 'seats'>, stored: number) {
    await tenantCollection(ledgers, scope.tenantId).updateOne(
      { _id: toLedgerId(scope), 'entries.id': id },
      { $inc: { used: seats * stored }, $pull: { entries: { id } } },
    );
  }

  async function settleFinished(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats' | 'changes'>) {
    await settle(scope, entry, await countStored(entry));
  }

  async function countStored({ id, changes }: Pick<LedgerEntry, 'id' | 'changes'>): Promise<number> {
    const written = { _id: { $in: changes.map((change) => change.id) }, ledger_entries: id };
    return allTenants.countDocuments(written, { hint: '_id_', maxTimeMS: 10_000 });
  }

  /** Makes late writes fail. A late insert finds a void tombstone. A late update finds a higher revision. */
  async function fence(changes: LedgerEntry['changes'], entryId: string): Promise<void> {
    const inserts = changes.filter(({ revision }) => revision === null);
    if (inserts.length > 0)
      await insertBatch(
        responses,
        inserts.map(({ id }) => newVoid(id, clock())),
      );
    const updates = changes.flatMap(({ id, revision }) =>
      revision === null
        ? []
        : {
            updateOne: {
              filter: { _id: id, revision, ledger_entries: { $ne: entryId } },
              update: { $inc: { revision: 1 }, ...SET_CHANGED },
            },
          },
    );
    if (updates.length > 0) await allTenants.bulkWrite(updates, { ordered: false });
  }

  return {
    /** Settles an entry whose write has ended, with the number of responses that it stored. */
    settle,
    /** Settles an entry whose write has ended, after counting the stored responses. */
    settleFinished,
    /** Settles an entry of a dead or stalled process. First blocks the remaining writes of the entry. */
    async settleAbandoned(scope: LedgerScope, entry: LedgerEntry): Promise<void> {
      await windows.runInWindow([scope], () => fence(entry.changes, entry.id));
      await settleFinished(scope, entry);
    },
  };
}
