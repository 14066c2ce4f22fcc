import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { type InsertOutcome, insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { WalkLimits } from '@survey/runtime/mongo/walk';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import { nextOf, recheckAll } from '../responses/group-commit.ts';
import {
  findStates,
  type ResponseDocument,
  replaceDocument,
  toDocument,
} from '../responses/response-document-store.ts';
import { randomSamplingKey } from '../responses/sample-store.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';
import type { StartStopwatch } from '../stopwatch.ts';
import {
  type LedgerDocument,
  type LedgerEntry,
  type LedgerScope,
  NOT_COUNTED,
  type SeatChange,
  toLedgerId,
} from './ledger.ts';
import { createEntrySettlement, createRecountIfDue, type RecountIfDue } from './ledger-recount-store.ts';
import {
  type LastSeat,
  type Limit,
  lastSeatEvents,
  type Outcome,
  type PendingResponse,
  toCandidates,
  toConflict,
  toLastSeat,
} from './limit.ts';

export { type LedgerDocument, ledgerIndexes } from './ledger.ts';

interface TrackedResponse {
  readonly id: string;
  /** Revision that the write replaces. Null if the write inserts the response. */
  readonly revision: number | null;
  readonly linkId: string | undefined;
}

export interface TrackedChange {
  /** 1: each response takes a seat. -1: each response frees its seat. */
  readonly seats: 1 | -1;
  readonly responses: readonly TrackedResponse[];
  /** Limit of the survey. If defined, the result names the response that takes the last seat. */
  readonly responseLimit?: number | undefined;
}

/** The data that a tracked write must store with its responses. */
export interface LedgerRecords {
  /** Id to add to `ledger_entries` of each response. Undefined without a ledger. */
  readonly entry: string | undefined;
  /** The response that takes the last seat of the survey. It needs the event `survey.limit_reached`. */
  readonly lastSeat: LastSeat | undefined;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Called after each write that stored events. */
  readonly onEvent: () => void;
  readonly clock: () => Date;
  readonly startStopwatch: StartStopwatch;
  /** Limits of recounts. */
  readonly limits?: WalkLimits;
}

const SETTLEMENT_BATCH = 50;
/** Recounts that continue at the same time. */
const RECOUNT_BATCH = 4;
const MAX_TIME = { maxTimeMS: 10_000 } as const;
/**
 * A process marks a ledger at most once in this time. The second count starts `SECOND_COUNT_MS` after the first one.
 * `SECOND_COUNT_MS` is longer, so the second count finds the writes that relied on this mark.
 */
const MARK_MS = 2_000;
const MAX_MARKS = 20_000;

export type LedgerStore = ReturnType<typeof createLedgerStore>;

/**
 * Stores responses within limits. A limit allows a number of seats, and a ledger counts the used seats of a survey or
 * link. A write has three steps:
 *
 * 1. An entry in each ledger reserves seats.
 * 2. The responses are written, with the id of the entry.
 * 3. Settling the entry adds the stored responses to `used` and removes the entry.
 *
 * The sweeper settles the entries of processes that died. ADR 0028 explains the protocol.
 */
export function createLedgerStore(dependencies: Dependencies) {
  const { ledgers, responses, windows, random, onEvent, clock, startStopwatch, limits } = dependencies;
  const settlement = createEntrySettlement({ ledgers, responses, windows, clock });
  const recountIfDue = createRecountIfDue({ ledgers, responses, settlement, clock, limits });
  const entries = createLedgerEntries({ ledgers, recountIfDue, clock });
  /** The time since the last mark by this process, by ledger id. */
  const marked = new LRUCache<string, () => number>(maxEntries(MAX_MARKS));

  /** Reserves seats for the candidates. A candidate that is not admitted keeps no seat. */
  async function reserve(survey: SurveyRef, id: string, candidates: readonly PendingResponse[]): Promise<Admission> {
    const outcomes = new Map<PendingResponse, Outcome>();
    const groups = toGroups(survey, candidates);
    let lastSeat: LastSeat | undefined;
    try {
      for (const { scope, limit, members } of groups) {
        const undecided = members.filter((candidate) => !outcomes.has(candidate));
        if (undecided.length === 0) continue;
        const reservation = await entries.reserve(scope, id, toChanges(undecided), limit.max);
        const { granted, used, reserved } = reservation;
        for (const candidate of undecided.slice(granted.length))
          outcomes.set(candidate, used >= limit.max ? limit : 'contested');
        if (limit.linkId === undefined && used + reserved >= limit.max)
          lastSeat = toLastSeat(undecided[granted.length - 1]?.response.id, limit.max);
      }
    } catch (error) {
      // No response is written yet.
      await settleAll(groups, id, () => 0);
      throw error;
    }
    for (const { scope, members } of groups) {
      const rejected = members.filter((candidate) => outcomes.has(candidate));
      if (rejected.length > 0) await entries.release(scope, id, toChanges(rejected));
    }
    return { groups, outcomes, lastSeat };
  }

  /** Ignores errors, because the sweeper settles the remaining entries. */
  async function settleAll(groups: readonly Group[], id: string, storedOf: (group: Group) => number): Promise<void> {
    await Promise.allSettled(groups.map((group) => settlement.settle(group.scope, { id, seats: 1 }, storedOf(group))));
  }

  async function write(survey: SurveyRef, id: string, admitted: readonly PendingResponse[], lastSeat?: LastSeat) {
    const documents = admitted.map((candidate) => {
      const { response, events } = candidate;
      const allEvents = [...events, ...lastSeatEvents(response, lastSeat)];
      const document = toDocument(response, allEvents, randomSamplingKey(random));
      return { candidate, document: { ...document, ledger_entries: [id] } };
    });
    const outcomes = await windows.runInWindow([survey], async () => {
      const rejections = (await recheckAll(admitted)) ?? [];
      const isFresh = (index: number) => rejections[index] === undefined && admitted[index]?.replaced === undefined;
      const fresh = documents.flatMap(({ document }, index) => (isFresh(index) ? document : []));
      const inserted = (await insertBatch(responses, fresh)).values();
      const writes = documents.map(async ({ candidate, document }, index): Promise<[PendingResponse, Outcome]> => {
        const { replaced } = candidate;
        const rejection = rejections[index];
        if (rejection !== undefined) return [candidate, rejection.kind === 'unchecked' ? 'contested' : rejection];
        if (replaced === undefined) return [candidate, toOutcome(nextOf(inserted))];
        return [candidate, (await replaceDocument(responses, document, replaced)) ? 'stored' : toConflict(candidate)];
      });
      return new Map(await Promise.all(writes));
    });
    onEvent();
    return outcomes;
  }

  async function admit(survey: SurveyRef, pendingResponses: readonly PendingResponse[]): Promise<readonly Outcome[]> {
    const ids = pendingResponses.map(({ response }) => response.id);
    const plans = toCandidates(pendingResponses, await findStates(responses, ids));
    const candidates = plans.filter((plan) => typeof plan !== 'string' && 'response' in plan);
    const id = randomUUID();
    const { groups, outcomes, lastSeat } = await reserve(survey, id, candidates);
    const admitted = candidates.filter((candidate) => !outcomes.has(candidate));
    const written = admitted.length === 0 ? undefined : await write(survey, id, admitted, lastSeat);
    const isStored = (candidate: PendingResponse) => written?.get(candidate) === 'stored';
    await settleAll(groups, id, ({ members }) => members.filter(isStored).length);
    const outcomeOf = (candidate: PendingResponse) => outcomes.get(candidate) ?? written?.get(candidate) ?? 'contested';
    return plans.map((plan): Outcome => {
      if (typeof plan === 'string') return plan;
      if ('response' in plan) return outcomeOf(plan);
      // If no document has taken the id, the caller may try the repeated response again.
      const first = outcomeOf(plan.candidate);
      return first === 'stored' || first === 'duplicate' || first === 'outdated' ? plan.ifStored : 'contested';
    });
  }

  return {
    /**
     * Stores the responses that get a seat. Returns outcomes in the given order. After an error, some may be stored.
     */
    admit,

    /** Runs a write that takes or frees seats regardless of limits: a correction, a deletion or an import. */
    async track<T>(
      survey: SurveyRef,
      { seats, responses: tracked, responseLimit }: TrackedChange,
      run: (records: LedgerRecords) => Promise<T>,
    ): Promise<T> {
      const scopes = tracked.length === 0 ? [] : await findScopes(survey, tracked, responseLimit !== undefined);
      if (scopes.length === 0) return run({ entry: undefined, lastSeat: undefined });
      const id = randomUUID();
      const changed = scopes.map((scope) => ({
        scope,
        entry: { id, seats, changes: trackedChangesIn(scope, tracked) },
      }));
      let lastSeat: LastSeat | undefined;
      for (const { scope, entry } of changed) {
        const { used, reserved } = await entries.record(scope, entry);
        const before = used + reserved - entry.changes.length;
        if (scope.linkId === undefined && responseLimit !== undefined)
          lastSeat = toLastSeat(entry.changes[responseLimit - before - 1]?.id, responseLimit);
      }
      const result = await run({ entry: id, lastSeat });
      await Promise.allSettled(changed.map(({ scope, entry }) => settlement.settleFinished(scope, entry)));
      return result;
    },

    /** Marks ledgers for a recount. Call it before and after storing completed responses without ledger entries. */
    async markForRecount(scopes: readonly LedgerScope[]): Promise<void> {
      for (const scope of scopes) {
        const id = toLedgerId(scope);
        const elapsedMs = marked.get(id)?.();
        if (elapsedMs !== undefined && elapsedMs < MARK_MS) continue;
        const stopwatch = startStopwatch();
        // Restart a running recount: its position may be past the responses that will be stored.
        const unmarked = { _id: id, $or: [{ recount_at: { $ne: NOT_COUNTED } }, { counted: { $ne: null } }] };
        const mark = { $set: { recount_at: NOT_COUNTED, counted: null } };
        await tenantCollection(ledgers, scope.tenantId).updateOne(unmarked, mark);
        marked.set(id, stopwatch);
      }
    },

    async isFull(survey: SurveyRef, { linkId, max }: Limit): Promise<boolean> {
      return (await entries.countUsed({ ...survey, linkId })) >= max;
    },

    /** Settles a batch of entries created before a time. Returns whether it found some. */
    async settleBatch(before: Date): Promise<boolean> {
      const options = { limit: SETTLEMENT_BATCH, ...MAX_TIME };
      const found = await systemScope(ledgers)
        .find({ 'entries.at': { $lt: before } }, options)
        .toArray();
      const failures: unknown[] = [];
      for (const ledger of found)
        for (const entry of ledger.entries)
          if (entry.at < before)
            await settlement.settleAbandoned(toScope(ledger), entry).catch((error: unknown) => failures.push(error));
      // The loop ends first: one failing entry must not block the other entries.
      if (failures.length > 0) throw failures[0];
      return found.length > 0;
    },

    /**
     * Continues some long recounts, and returns whether one advanced. Throws the first error after it has tried all.
     */
    async continueRecounts(): Promise<boolean> {
      const options = { sort: { 'counted.at': 1 }, limit: RECOUNT_BATCH, ...MAX_TIME } as const;
      // Processes of the previous release end a recount without removing `counted`.
      const found = await systemScope(ledgers)
        .find({ 'counted.at': { $exists: true }, recount_at: { $ne: null } }, options)
        .toArray();
      const steps = await Promise.allSettled(found.map((ledger) => recountIfDue(toScope(ledger))));
      const failed = steps.find((step) => step.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return steps.some((step) => step.status === 'fulfilled' && step.value);
    },
  };

  /** Returns the scopes with a ledger. Includes a limited survey even if its ledger does not exist yet. */
  async function findScopes(survey: SurveyRef, tracked: readonly TrackedResponse[], isLimited: boolean) {
    const { tenantId, surveyId } = survey;
    const ids = new Set([surveyId, ...tracked.flatMap(({ linkId }) => linkId ?? [])]);
    const found = await tenantCollection(ledgers, tenantId)
      .find({ _id: { $in: [...ids] } })
      .toArray();
    const isMissing = isLimited && !found.some(({ _id }) => _id === surveyId);
    return [...found.map(toScope), ...(isMissing ? [{ tenantId, surveyId, linkId: undefined }] : [])];
  }
}

interface Group {
  readonly scope: LedgerScope;
  /** The lowest limit that the members name. They differ if the limit was changed a moment ago. */
  readonly limit: Limit;
  readonly members: readonly PendingResponse[];
}

/** The result of reserving seats. Candidates without an outcome are admitted. */
interface Admission {
  readonly groups: readonly Group[];
  readonly outcomes: ReadonlyMap<PendingResponse, Outcome>;
  readonly lastSeat: LastSeat | undefined;
}

/** Groups candidates by limit. Links come first, so that few seats of the survey are reserved in vain. */
function toGroups({ tenantId, surveyId }: SurveyRef, candidates: readonly PendingResponse[]): readonly Group[] {
  const groups = new Map<string | undefined, Group>();
  for (const candidate of candidates)
    for (const limit of candidate.limits) {
      const { linkId } = limit;
      const { limit: other = limit, members = [] } = groups.get(linkId) ?? {};
      const scope = { tenantId, surveyId, linkId };
      groups.set(linkId, { scope, limit: other.max < limit.max ? other : limit, members: [...members, candidate] });
    }
  const ofSurvey = groups.get(undefined);
  groups.delete(undefined);
  return [...groups.values(), ...(ofSurvey === undefined ? [] : [ofSurvey])];
}

function toChanges(candidates: readonly PendingResponse[]): LedgerEntry['changes'] {
  return candidates.map(({ response, replaced }) => ({ id: response.id, revision: replaced?.revision ?? null }));
}

function trackedChangesIn({ linkId }: LedgerScope, tracked: readonly TrackedResponse[]): LedgerEntry['changes'] {
  const ofScope = tracked.filter((response) => linkId === undefined || response.linkId === linkId);
  return ofScope.map(({ id, revision }) => ({ id, revision }));
}

function toScope({ tenant_id, survey_id, link_id }: LedgerDocument): LedgerScope {
  return { tenantId: tenant_id, surveyId: survey_id, linkId: link_id ?? undefined };
}

function toOutcome(inserted: InsertOutcome): Outcome {
  if (inserted.kind === 'failed') return inserted;
  return inserted.kind === 'inserted' ? 'stored' : 'duplicate';
}

/** A ledger after an entry was added. */
interface LedgerState {
  /** The changes of the entry. If too few seats were free, these are only the first of the requested changes. */
  readonly granted: readonly SeatChange[];
  readonly used: number;
  /** Seats that running writes have reserved, including the write of this entry. */
  readonly reserved: number;
}

/** Maximum wait for a recount by another process. */
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

/**
 * Changes the entries of ledgers, each with one atomic update of one ledger. All methods except `release` create a
 * missing ledger, and wait while a process recounts.
 */
function createLedgerEntries({
  ledgers,
  recountIfDue,
  clock,
}: Pick<Dependencies, 'ledgers' | 'clock'> & { readonly recountIfDue: RecountIfDue }) {
  /** Matches the ledger if it is exact and no process recounts it. */
  function isReady(scope: LedgerScope): TenantFilter<LedgerDocument> {
    return {
      _id: toLedgerId(scope),
      counting: null,
      $or: [{ recount_at: null }, { $expr: { $gt: ['$recount_at', '$$NOW'] } }],
    };
  }

  /** Repeats an attempt until it returns a ledger. Recounts the ledger if due. Throws `UNAVAILABLE` on timeout. */
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
    /** Reserves one seat for each change, as long as seats are free. */
    async reserve(scope: LedgerScope, id: string, changes: readonly SeatChange[], max: number): Promise<LedgerState> {
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

    /** Releases reserved seats. Call it only if the responses of the changes will never be stored. */
    async release(scope: LedgerScope, id: string, changes: readonly SeatChange[]): Promise<void> {
      const ids = changes.map((change) => change.id);
      await tenantCollection(ledgers, scope.tenantId).updateOne(
        { _id: toLedgerId(scope), 'entries.id': id },
        { $pull: { 'entries.$.changes': { id: { $in: ids } } } },
      );
    },

    /** Adds an entry without checking the limit. */
    async record(scope: LedgerScope, entry: Omit<LedgerEntry, 'at'>): Promise<LedgerState> {
      const documents = tenantCollection(ledgers, scope.tenantId);
      const update = { $push: { entries: { ...entry, at: clock() } } };
      const ledger = await whenReady(scope, () => documents.findOneAndUpdate(isReady(scope), update));
      return toState(ledger, entry.id);
    },

    async countUsed(scope: LedgerScope): Promise<number> {
      const documents = tenantCollection(ledgers, scope.tenantId);
      return (await whenReady<LedgerDocument>(scope, () => documents.findOne(isReady(scope)))).used;
    },
  };
}
