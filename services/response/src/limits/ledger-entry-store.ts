import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
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

/** Seats that an entry reserved, and the ledger afterwards. */
interface Reservation {
  /** The first of the changes: as many as there were free seats. */
  readonly granted: readonly SeatChange[];
  /** Seats in use, and reserved by anyone. */
  readonly used: number;
  readonly reserved: number;
}

/** Entries of ledgers. Each method is one atomic update of one ledger; it waits while a process counts the responses. */
interface LedgerEntries {
  /** Reserves a seat for each of the changes, as far as seats are free. Makes the ledger when there is none. */
  reserve(scope: LedgerScope, id: string, changes: readonly SeatChange[], max: number): Promise<Reservation>;
  /** Gives reserved seats back. Their responses must not have been written, nor be written later. */
  release(scope: LedgerScope, id: string, changes: readonly SeatChange[]): Promise<void>;
  /** Adds an entry that no limit refuses. */
  record(scope: LedgerScope, entry: Omit<LedgerEntry, 'at'>): Promise<void>;
  /** Seats in use. Makes the ledger when there is none. */
  countUsed(scope: LedgerScope): Promise<number>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly settlement: EntrySettlement;
  readonly clock: () => Date;
}

/** A caller waits this long for another process that counts the responses. Milliseconds. */
const MAX_WAIT_MS = 6_000;
const POLL_MS = 25;
/** Lease of a process that counts; it renews the lease until it is done. Milliseconds. */
const COUNTING_MS = 4_000;
const RENEW_MS = 1_000;
/** Other processes know of a new limit by then, so a second count finds what they stored without entries. Milliseconds. */
const LIMIT_KNOWN_MS = 5_000;

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

  /** Ledgers that are exact, and that no process counts. */
  function ready(scope: LedgerScope): TenantFilter<LedgerDocument> {
    return {
      _id: toLedgerId(scope),
      counting: null,
      $or: [{ recount_at: null }, { recount_at: { $gt: clock() } }],
    };
  }

  /** Tries until the ledger is ready. */
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
      // Another process made it at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Counts the responses if that is due. False when another process does, or has done so. */
  async function recount(scope: LedgerScope): Promise<boolean> {
    const ledger = await lock(scope);
    if (ledger === null) return false;
    const owned = tenantCollection(ledgers, scope.tenantId);
    const mine = { _id: ledger._id, 'counting.by': ledger.counting?.by };
    const renewal = setInterval(() => {
      // A lease that is not renewed is taken over, and nothing of this count is used.
      owned.updateOne(mine, { $set: { 'counting.until': inFuture(COUNTING_MS) } }).catch(() => {});
    }, RENEW_MS);
    try {
      await awaitEntries(scope, ledger.entries);
      const counted = toCondition({ surveyId: scope.surveyId, linkId: scope.linkId, status: 'completed' });
      const used = await tenantCollection(responses, scope.tenantId).countDocuments(counted, SCAN_LIMIT);
      const isFirst = ledger.recount_at?.getTime() === NOT_COUNTED.getTime();
      const next = isFirst ? inFuture(LIMIT_KNOWN_MS) : null;
      // Unless a process has asked for another count meanwhile.
      const isSame = { $eq: ['$recount_at', ledger.recount_at] };
      const recountAt = { $cond: [isSame, next, '$recount_at'] };
      await owned.updateOne(mine, [{ $set: { used, recount_at: recountAt, counting: null } }]);
    } catch (error) {
      await owned.updateOne(mine, { $set: { counting: null } });
      throw error;
    } finally {
      clearInterval(renewal);
    }
    return true;
  }

  async function lock(scope: LedgerScope): Promise<LedgerDocument | null> {
    const time = clock();
    const owned = tenantCollection(ledgers, scope.tenantId);
    const isDue = { recount_at: { $lte: time }, $or: [{ counting: null }, { 'counting.until': { $lt: time } }] };
    const counting = { by: randomUUID(), until: inFuture(COUNTING_MS) };
    const locked = await owned.findOneAndUpdate({ _id: toLedgerId(scope), ...isDue }, { $set: { counting } });
    if (locked !== null) return locked;
    if ((await owned.findOne({ _id: toLedgerId(scope) })) === null) await create(scope);
    return null;
  }

  /** The owners of the entries settle them within moments; those of dead processes are settled here. */
  async function awaitEntries(scope: LedgerScope, entries: readonly LedgerEntry[]): Promise<void> {
    const owned = tenantCollection(ledgers, scope.tenantId);
    const waitUntil = performance.now() + MAX_WAIT_MS / 2;
    let open = entries;
    while (open.length > 0 && performance.now() < waitUntil) {
      await sleep(POLL_MS);
      open = (await owned.findOne({ _id: toLedgerId(scope) }))?.entries ?? [];
    }
    for (const entry of open) await settlement.settleAbandoned(scope, entry);
  }

  function toReservation(ledger: LedgerDocument, id: string): Reservation {
    const own = ledger.entries.find((entry) => entry.id === id);
    const takers = ledger.entries.filter(({ seats }) => seats === 1);
    const reserved = takers.reduce((sum, { changes }) => sum + changes.length, 0);
    return { granted: own?.changes ?? [], used: ledger.used, reserved };
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
          // A slice of 0 is not allowed.
          in: { $cond: [{ $eq: ['$$free', 0] }, '$entries', { $concatArrays: ['$entries', [entry]] }] },
        },
      };
      const owned = tenantCollection(ledgers, scope.tenantId);
      const ledger = await whenReady(scope, () => owned.findOneAndUpdate(ready(scope), [{ $set: { entries } }]));
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
      const owned = tenantCollection(ledgers, scope.tenantId);
      const update = { $push: { entries: { ...entry, at: clock() } } };
      await whenReady(scope, () => owned.findOneAndUpdate(ready(scope), update));
    },

    async countUsed(scope) {
      const owned = tenantCollection(ledgers, scope.tenantId);
      return (await whenReady<LedgerDocument>(scope, () => owned.findOne(ready(scope)))).used;
    },
  };
}
