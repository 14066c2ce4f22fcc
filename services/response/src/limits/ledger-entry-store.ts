import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { type LedgerDocument, type LedgerEntry, type LedgerScope, type SeatChange, toLedgerId } from './ledger.ts';
import type { RecountIfDue } from './ledger-recount-store.ts';

/** A ledger after an entry was added. */
interface LedgerState {
  /**
   * The changes of the entry. A reservation gets only the first of the requested changes, as many as seats were free.
   */
  readonly granted: readonly SeatChange[];
  readonly used: number;
  /** Seats that running writes have reserved, including this one. */
  readonly reserved: number;
}

/**
 * Changes the entries of ledgers, each with one atomic update of one ledger. All methods except `release` create a
 * missing ledger, and wait while a process recounts.
 */
interface LedgerEntries {
  /** Reserves a seat for each change while seats are free. */
  reserve(scope: LedgerScope, id: string, changes: readonly SeatChange[], max: number): Promise<LedgerState>;
  /** Releases reserved seats. Their responses must not be stored, now or later. */
  release(scope: LedgerScope, id: string, changes: readonly SeatChange[]): Promise<void>;
  /** Adds an entry without checking the limit. */
  record(scope: LedgerScope, entry: Omit<LedgerEntry, 'at'>): Promise<LedgerState>;
  /** Returns the seats in use. */
  countUsed(scope: LedgerScope): Promise<number>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly recountIfDue: RecountIfDue;
  readonly clock: () => Date;
}

/** Maximum wait for another process that recounts. */
const MAX_WAIT_MS = 6_000;
const POLL_MS = 25;
const reservedSeats = {
  $sum: {
    $map: {
      input: { $filter: { input: '$entries', cond: { $eq: ['$$this.seats', 1] } } },
      in: { $size: '$$this.changes' },
    },
  },
};

export function createLedgerEntries({ ledgers, recountIfDue, clock }: Dependencies): LedgerEntries {
  /** Matches the ledger if it is exact and no process recounts it. */
  function isReady(scope: LedgerScope): TenantFilter<LedgerDocument> {
    return {
      _id: toLedgerId(scope),
      counting: null,
      $or: [{ recount_at: null }, { $expr: { $gt: ['$recount_at', '$$NOW'] } }],
    };
  }

  /**
   * Repeats an attempt until it returns a ledger, and recounts if necessary. Throws `UNAVAILABLE` after six seconds.
   */
  async function whenReady<T>(scope: LedgerScope, attempt: () => Promise<T | null>): Promise<T> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    do {
      const result = await attempt();
      if (result !== null) return result;
      if (!(await recountIfDue(scope))) await sleep(POLL_MS);
    } while (performance.now() < waitUntil);
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  }

  function toState(ledger: LedgerDocument, id: string): LedgerState {
    const entry = ledger.entries.find((entry) => entry.id === id);
    const reservations = ledger.entries.filter(({ seats }) => seats === 1);
    const reserved = reservations.reduce((sum, { changes }) => sum + changes.length, 0);
    return { granted: entry?.changes ?? [], used: ledger.used, reserved };
  }

  return {
    async reserve(scope, id, changes, max) {
      const free = { $max: [0, { $subtract: [max, { $add: ['$used', reservedSeats] }] }] };
      const entry = {
        id,
        at: clock(),
        seats: 1,
        changes: { $slice: [{ $literal: changes }, '$$free'] },
      };
      const entries = {
        $let: {
          vars: { free },
          // `$slice` rejects a length of 0.
          in: { $cond: [{ $eq: ['$$free', 0] }, '$entries', { $concatArrays: ['$entries', [entry]] }] },
        },
      };
      const documents = tenantCollection(ledgers, scope.tenantId);
      const ledger = await whenReady(scope, () => documents.findOneAndUpdate(isReady(scope), [{ $set: { entries } }]));
      return toState(ledger, id);
    },

    async release(scope, id, changes) {
      const ids = changes.map((change) => change.id);
      await tenantCollection(ledgers, scope.tenantId).updateOne(
        { _id: toLedgerId(scope), 'entries.id': id },
        { $pull: { 'entries.$.changes': { id: { $in: ids } } } },
      );
    },

    async record(scope, entry) {
      const documents = tenantCollection(ledgers, scope.tenantId);
      const update = { $push: { entries: { ...entry, at: clock() } } };
      const ledger = await whenReady(scope, () => documents.findOneAndUpdate(isReady(scope), update));
      return toState(ledger, entry.id);
    },

    async countUsed(scope) {
      const documents = tenantCollection(ledgers, scope.tenantId);
      return (await whenReady<LedgerDocument>(scope, () => documents.findOne(isReady(scope)))).used;
    },
  };
}
