import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { startInterval } from '@survey/runtime/flow/interval';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { type ResponseDocument, SCAN_LIMIT, toCondition } from '../responses/response-store.ts';
import type { EntrySettlement } from './entry-settlement-store.ts';
import {
  type LedgerDocument,
  type LedgerEntry,
  type LedgerScope,
  NOT_COUNTED,
  type SeatChange,
  toLedgerId,
} from './ledger.ts';

/** The seats that an entry reserved, and the state of the ledger afterwards. */
interface Reservation {
  /** The changes that got a seat: the first of the requested ones, as many as seats were free. */
  readonly granted: readonly SeatChange[];
  readonly used: number;
  /** Seats that writes under way hold, these included. */
  readonly reserved: number;
}

/** Adds entries to ledgers. Each method is one atomic update of one ledger. It waits while a process recounts. */
interface LedgerEntries {
  /** Reserves a seat for each change while seats are free. Creates a missing ledger. */
  reserve(scope: LedgerScope, id: string, changes: readonly SeatChange[], max: number): Promise<Reservation>;
  /** Releases reserved seats. Their responses must not be stored, now or later. */
  release(scope: LedgerScope, id: string, changes: readonly SeatChange[]): Promise<void>;
  /** Adds an entry without checking the limit. Creates a missing ledger. */
  record(scope: LedgerScope, entry: Omit<LedgerEntry, 'at'>): Promise<Reservation>;
  /** Returns the seats in use. Creates a missing ledger. */
  countUsed(scope: LedgerScope): Promise<number>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly settlement: EntrySettlement;
  readonly clock: () => Date;
}

/** Maximum wait for another process that recounts. */
const MAX_WAIT_MS = 6_000;
const POLL_MS = 25;
/** Lease of the process that recounts. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/**
 * Delay of the second count of a new ledger. By then all processes know the limit. Until then, some store responses
 * without an entry, and the first count may miss them.
 */
const SECOND_COUNT_MS = 5_000;

const reservedSeats = {
  $sum: {
    $map: {
      input: { $filter: { input: '$entries', cond: { $eq: ['$$this.seats', 1] } } },
      in: { $size: '$$this.changes' },
    },
  },
};

export function createLedgerEntries({ ledgers, responses, settlement, clock }: Dependencies): LedgerEntries {
  const inFuture = (ms: number) => new Date(clock().getTime() + ms);

  /** Matches the ledger if it is exact and no process recounts it. */
  function ready(scope: LedgerScope): TenantFilter<LedgerDocument> {
    return {
      _id: toLedgerId(scope),
      counting: null,
      $or: [{ recount_at: null }, { recount_at: { $gt: clock() } }],
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
      if (!(await recount(scope))) await sleep(POLL_MS);
    } while (performance.now() < waitUntil);
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  }

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

  /** Recounts the responses if a count is due. Returns false if another process counts, or has counted. */
  async function recount(scope: LedgerScope): Promise<boolean> {
    const ledger = await lock(scope);
    if (ledger === null) return false;
    const documents = tenantCollection(ledgers, scope.tenantId);
    const mine = { _id: ledger._id, 'counting.by': ledger.counting?.by };
    const renewal = startInterval({
      everyMs: RENEW_MS,
      // If the renewal fails, another process takes over and this count is not stored.
      call: () => documents.updateOne(mine, { $set: { 'counting.until': inFuture(LEASE_MS) } }),
    });
    try {
      await awaitEntries(scope, ledger.entries);
      const counted = toCondition({ surveyId: scope.surveyId, linkId: scope.linkId, status: 'completed' });
      const used = await tenantCollection(responses, scope.tenantId).countDocuments(counted, SCAN_LIMIT);
      const isFirst = ledger.recount_at?.getTime() === NOT_COUNTED.getTime();
      const next = isFirst ? inFuture(SECOND_COUNT_MS) : null;
      // Keep a recount that another process requested meanwhile.
      const isSame = { $eq: ['$recount_at', ledger.recount_at] };
      const recountAt = { $cond: [isSame, next, '$recount_at'] };
      await documents.updateOne(mine, [{ $set: { used, recount_at: recountAt, counting: null } }]);
    } catch (error) {
      await documents.updateOne(mine, { $set: { counting: null } });
      throw error;
    } finally {
      renewal.stop();
    }
    return true;
  }

  async function lock(scope: LedgerScope): Promise<LedgerDocument | null> {
    const time = clock();
    const documents = tenantCollection(ledgers, scope.tenantId);
    const isDue = { recount_at: { $lte: time }, $or: [{ counting: null }, { 'counting.until': { $lt: time } }] };
    const counting = { by: randomUUID(), until: inFuture(LEASE_MS) };
    const locked = await documents.findOneAndUpdate({ _id: toLedgerId(scope), ...isDue }, { $set: { counting } });
    if (locked !== null) return locked;
    if ((await documents.findOne({ _id: toLedgerId(scope) })) === null) await create(scope);
    return null;
  }

  /** Waits until the processes have settled their entries, then settles the entries of dead processes. */
  async function awaitEntries(scope: LedgerScope, entries: readonly LedgerEntry[]): Promise<void> {
    const documents = tenantCollection(ledgers, scope.tenantId);
    const waitUntil = performance.now() + MAX_WAIT_MS / 2;
    let open = entries;
    while (open.length > 0 && performance.now() < waitUntil) {
      await sleep(POLL_MS);
      open = (await documents.findOne({ _id: toLedgerId(scope) }))?.entries ?? [];
    }
    for (const entry of open) await settlement.settleAbandoned(scope, entry);
  }

  function toReservation(ledger: LedgerDocument, id: string): Reservation {
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
      const ledger = await whenReady(scope, () => documents.findOneAndUpdate(ready(scope), [{ $set: { entries } }]));
      return toReservation(ledger, id);
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
      const ledger = await whenReady(scope, () => documents.findOneAndUpdate(ready(scope), update));
      return toReservation(ledger, entry.id);
    },

    async countUsed(scope) {
      const documents = tenantCollection(ledgers, scope.tenantId);
      return (await whenReady<LedgerDocument>(scope, () => documents.findOne(ready(scope)))).used;
    },
  };
}
