import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { type InsertOutcome, insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { SealedResponse } from '../responses/response.ts';
import { limitReachedEvent } from '../responses/response-events.ts';
import { findStates, replaceStored } from '../responses/response-state-store.ts';
import { type ResponseDocument, toDocument } from '../responses/response-store.ts';
import { randomPlace } from '../responses/sample-cells.ts';
import type { ResponsesOf, WriteWindows } from '../responses/write-window-store.ts';
import { type Applicant, type Candidate, type Outcome, toCandidates } from './admission.ts';
import { createEntrySettlement } from './entry-settlement-store.ts';
import { type LedgerDocument, type LedgerEntry, type LedgerScope, NOT_COUNTED, toLedgerId } from './ledger.ts';
import { createLedgerEntries } from './ledger-entry-store.ts';
import type { Limit } from './limit.ts';

export { type LedgerDocument, ledgerIndexes } from './ledger.ts';

/** A response whose seat a write takes or gives back. */
interface TrackedResponse {
  readonly id: string;
  /** Revision that the write replaces; null when it inserts the response. */
  readonly revision: number | null;
  readonly linkId: string | undefined;
}

export interface TrackedChange {
  /** 1 when each of the responses takes a seat, -1 when each one gives its seat back. */
  readonly seats: 1 | -1;
  readonly responses: readonly TrackedResponse[];
}

/** Stores responses within limits, and knows how many seats are left. ADR 0028 tells how. */
export interface LedgerStore {
  /**
   * Stores the applicants that get a seat. Each outcome is at the index of its applicant, and durable. When it throws,
   * each of them may be stored or not.
   */
  admit(survey: ResponsesOf, applicants: readonly Applicant[]): Promise<readonly Outcome[]>;
  /**
   * Makes a write that changes the number of seats in use, and that no limit refuses.
   *
   * @param write gets the id that it must add to `ledger_entries` of each response; undefined when there is no ledger
   */
  track<T>(survey: ResponsesOf, change: TrackedChange, write: (entry: string | undefined) => Promise<T>): Promise<T>;
  /** Call it before completed responses are stored that have no entry in these ledgers, since there is no limit now. */
  bypass(scopes: readonly LedgerScope[]): Promise<void>;
  /** Whether all seats are in use. */
  isFull(survey: ResponsesOf, limit: Limit): Promise<boolean>;
  /** Settles some entries that were made before a time: their processes are dead or stalled. False when there were none. */
  settleSome(before: Date): Promise<boolean>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'announce'>;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
  readonly clock: () => Date;
}

/** An applicant waits this long for seats that others have reserved. Milliseconds. */
const CONTESTED_MS = 2_500;
const RETRY_MS = 20;
const SETTLED_AT_ONCE = 50;
const MAX_TIME = { maxTimeMS: 10_000 } as const;
/** A ledger is marked once in this time, which is shorter than limits are removed and set again. Milliseconds. */
const MARKED_MS = 30_000;
const MARKED = 20_000;

export function createLedgerStore(dependencies: Dependencies): LedgerStore {
  const { ledgers, responses, windows, random, onEvent, clock } = dependencies;
  const settlement = createEntrySettlement({ ledgers, responses, clock });
  const entries = createLedgerEntries({ ledgers, responses, settlement, clock });
  const marked = new LRUCache<string, true>({ max: MARKED, ttl: MARKED_MS });

  /** Reserves seats for the candidates, in the ledgers of links first. What is not admitted holds no seat afterwards. */
  async function reserve(survey: ResponsesOf, id: string, candidates: readonly Candidate[]): Promise<Admission> {
    const outcomes = new Map<Candidate, Outcome>();
    const groups = toGroups(survey, candidates);
    let lastSeat: Candidate | undefined;
    try {
      for (const { scope, limit, members } of groups) {
        const wanted = members.filter((candidate) => !outcomes.has(candidate));
        if (wanted.length === 0) continue;
        const reservation = await entries.reserve(scope, id, toChanges(wanted), limit.max);
        const { granted, used, reserved } = reservation;
        for (const candidate of wanted.slice(granted.length))
          outcomes.set(candidate, used >= limit.max ? limit : 'contested');
        if (limit.linkId === undefined && used + reserved >= limit.max) lastSeat = wanted[granted.length - 1];
      }
    } catch (error) {
      // Nothing is written yet. What cannot be given back here is settled later.
      await settleAll(groups, id, () => 0);
      throw error;
    }
    for (const { scope, members } of groups) {
      const refused = members.filter((candidate) => outcomes.has(candidate));
      if (refused.length > 0) await entries.release(scope, id, toChanges(refused));
    }
    return { groups, outcomes, lastSeat };
  }

  /** An entry that cannot be settled now is settled by the sweeper. */
  async function settleAll(groups: readonly Group[], id: string, storedOf: (group: Group) => number): Promise<void> {
    await Promise.allSettled(groups.map((group) => settlement.settle(group.scope, { id, seats: 1 }, storedOf(group))));
  }

  async function write(survey: ResponsesOf, id: string, admitted: readonly Candidate[], lastSeat?: Candidate) {
    const documents = admitted.map((candidate) => {
      const { response, events, limits } = candidate.applicant;
      const reached = candidate === lastSeat ? [limitReached(response, limits)] : [];
      const document = toDocument(response, [...events, ...reached], randomPlace(random));
      return { candidate, document: { ...document, ledger_entries: [id] } };
    });
    const outcomes = await windows.announce([survey], async () => {
      const fresh = documents.flatMap(({ candidate, document }) => (candidate.replaced === undefined ? document : []));
      const inserted = (await insertBatch(responses, fresh)).values();
      const written = documents.map(async ({ candidate, document }): Promise<[Candidate, Outcome]> => {
        const { applicant, replaced } = candidate;
        if (replaced === undefined) return [candidate, toOutcome(inserted.next().value)];
        if (await replaceStored(responses, document, replaced)) return [candidate, 'stored'];
        return [candidate, applicant.replaces === undefined ? 'duplicate' : 'outdated'];
      });
      return new Map(await Promise.all(written));
    });
    onEvent();
    return outcomes;
  }

  async function attempt(survey: ResponsesOf, applicants: readonly Applicant[]): Promise<readonly Outcome[]> {
    const ids = applicants.map(({ response }) => response.id);
    const plans = toCandidates(applicants, await findStates(responses, ids));
    const candidates = plans.filter((plan) => typeof plan !== 'string');
    const id = randomUUID();
    const { groups, outcomes, lastSeat } = await reserve(survey, id, candidates);
    const admitted = candidates.filter((candidate) => !outcomes.has(candidate));
    const written = admitted.length === 0 ? undefined : await write(survey, id, admitted, lastSeat);
    const isStored = (candidate: Candidate) => written?.get(candidate) === 'stored';
    await settleAll(groups, id, ({ members }) => members.filter(isStored).length);
    return plans.map((plan) =>
      typeof plan === 'string' ? plan : (outcomes.get(plan) ?? written?.get(plan) ?? 'contested'),
    );
  }

  return {
    async admit(survey, applicants) {
      const outcomes = [...(await attempt(survey, applicants))];
      const waitUntil = performance.now() + CONTESTED_MS;
      for (;;) {
        const contested = outcomes.flatMap((outcome, index) => (outcome === 'contested' ? [index] : []));
        if (contested.length === 0 || performance.now() >= waitUntil) return outcomes;
        await sleep(RETRY_MS);
        const again = await attempt(
          survey,
          applicants.filter((_, index) => contested.includes(index)),
        );
        for (const [position, index] of contested.entries()) outcomes[index] = again[position] ?? 'contested';
      }
    },

    async track(survey, { seats, responses: tracked }, run) {
      const scopes = tracked.length === 0 ? [] : await findScopes(survey, tracked);
      if (scopes.length === 0) return run(undefined);
      const id = randomUUID();
      const changed = scopes.map((scope) => ({ scope, entry: { id, seats, changes: toTracked(scope, tracked) } }));
      for (const { scope, entry } of changed) await entries.record(scope, entry);
      const result = await run(id);
      await Promise.allSettled(changed.map(({ scope, entry }) => settlement.settleFinished(scope, entry)));
      return result;
    },

    async bypass(scopes) {
      for (const scope of scopes) {
        const id = toLedgerId(scope);
        if (marked.has(id)) continue;
        const stale = { _id: id, recount_at: { $ne: NOT_COUNTED } };
        await tenantCollection(ledgers, scope.tenantId).updateOne(stale, { $set: { recount_at: NOT_COUNTED } });
        marked.set(id, true);
      }
    },

    async isFull(survey, { linkId, max }) {
      return (await entries.countUsed({ ...survey, linkId })) >= max;
    },

    async settleSome(before) {
      const options = { limit: SETTLED_AT_ONCE, ...MAX_TIME };
      const found = await systemScope(ledgers)
        .find({ 'entries.at': { $lt: before } }, options)
        .toArray();
      for (const ledger of found)
        for (const entry of ledger.entries)
          if (entry.at < before) await settlement.settleAbandoned(toScope(ledger), entry);
      return found.length > 0;
    },
  };

  /** The survey and those of its links that have ledgers. */
  async function findScopes({ tenantId, surveyId }: ResponsesOf, tracked: readonly TrackedResponse[]) {
    const ids = new Set([surveyId, ...tracked.flatMap(({ linkId }) => linkId ?? [])]);
    const found = tenantCollection(ledgers, tenantId).find({ _id: { $in: [...ids] } });
    return (await found.toArray()).map(toScope);
  }
}

/** Candidates with a limit in common. */
interface Group {
  readonly scope: LedgerScope;
  /** The lowest of theirs: it may have been changed just now. */
  readonly limit: Limit;
  readonly members: readonly Candidate[];
}

/** The decisions before anything is written: candidates without an outcome are admitted. */
interface Admission {
  readonly groups: readonly Group[];
  readonly outcomes: ReadonlyMap<Candidate, Outcome>;
  /** The candidate that gets the last seat of the survey. */
  readonly lastSeat: Candidate | undefined;
}

/** Links come before the survey, so that few seats of the survey are reserved in vain. */
function toGroups({ tenantId, surveyId }: ResponsesOf, candidates: readonly Candidate[]): readonly Group[] {
  const groups = new Map<string | undefined, Group>();
  for (const candidate of candidates)
    for (const limit of candidate.applicant.limits) {
      const { linkId } = limit;
      const { limit: other = limit, members = [] } = groups.get(linkId) ?? {};
      const scope = { tenantId, surveyId, linkId };
      groups.set(linkId, { scope, limit: other.max < limit.max ? other : limit, members: [...members, candidate] });
    }
  const ofSurvey = groups.get(undefined);
  groups.delete(undefined);
  return [...groups.values(), ...(ofSurvey === undefined ? [] : [ofSurvey])];
}

function toChanges(candidates: readonly Candidate[]): LedgerEntry['changes'] {
  return candidates.map(({ applicant, replaced }) => ({
    id: applicant.response.id,
    revision: replaced?.revision ?? null,
  }));
}

function toTracked({ linkId }: LedgerScope, tracked: readonly TrackedResponse[]): LedgerEntry['changes'] {
  const ofScope = tracked.filter((response) => linkId === undefined || response.linkId === linkId);
  return ofScope.map(({ id, revision }) => ({ id, revision }));
}

function toScope({ tenant_id, survey_id, link_id }: LedgerDocument): LedgerScope {
  return { tenantId: tenant_id, surveyId: survey_id, linkId: link_id ?? undefined };
}

function toOutcome(inserted: InsertOutcome | undefined): Outcome {
  if (inserted === undefined || inserted.kind === 'failed') return 'refused';
  return inserted.kind === 'inserted' ? 'stored' : 'duplicate';
}

function limitReached(response: SealedResponse, limits: readonly Limit[]): OutboxEvent {
  const limit = limits.find(({ linkId }) => linkId === undefined);
  return limitReachedEvent(response, limit?.max ?? 0);
}
