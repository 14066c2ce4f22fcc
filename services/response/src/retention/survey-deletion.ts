import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseFiles } from '../files/response-files.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import type { LedgerStore } from '../seats/ledger-store.ts';
import { toFreedSeats } from '../seats/limit.ts';
import type { Clocks } from '../stopwatch.ts';
import type { CountDeleted } from './module.ts';
import type { DueResponseStore, SurveyDataStore } from './retention-store.ts';
import type { DeleteDueData, NextVisit, SurveyRetention, SurveyToPurge } from './survey-walk.ts';

interface Dependencies extends Clocks {
  readonly files: Pick<ResponseFiles, 'destroyOf' | 'destroyOfSurvey'>;
  readonly dueResponses: DueResponseStore;
  readonly deleted: Pick<DeletedResponseStore, 'removeUnchanged' | 'purgeUnchanged'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly surveyData: SurveyDataStore;
  readonly findLinks: LinkSource;
  readonly count: CountDeleted;
  /** Pause between small batches while many events are unpublished. Milliseconds. */
  readonly slowPauseMs?: number;
}

/** Asks the survey service which of these links the tenant still has. */
export type LinkSource = (tenantId: TenantId, linkIds: readonly string[]) => Promise<readonly string[]>;

/** The reason for which the service itself deletes responses. */
export type DeletionCause = 'retention' | 'purge';

/** Responses to delete. The deletion stops when `mayContinue` returns false. */
interface Deletion {
  readonly survey: SurveyRetention;
  /** Delete only responses that were stored before this time. Undefined: delete all. */
  readonly before: Date | undefined;
  readonly cause: DeletionCause;
  readonly mayContinue: () => Promise<boolean>;
}

/** Time limit for one survey in a walk. A large survey must not delay other surveys, and its retention may change. */
const MAX_DURATION_MS = 30_000;
const WAIT_MS = 100;
const DAY_MS = 24 * 60 * 60_000;
/**
 * While many events are unpublished (a Kafka outage, a large import), 20 responses are deleted each second. An hour of
 * these deletions adds so few events that the relay publishes them within a minute.
 */
const SLOW_BATCH = 20;
const SLOW_PAUSE_MS = 1_000;

interface CapacityDependencies {
  readonly dueResponses: Pick<DueResponseStore, 'hasCapacity'>;
  readonly now: () => number;
  readonly slowPauseMs?: number | undefined;
}

/** Waits while many events are unpublished. Returns how many responses may be deleted, or 0 to end the deletion. */
export function createCapacityWait({ dueResponses, now, slowPauseMs = SLOW_PAUSE_MS }: CapacityDependencies) {
  return async (mayContinue: () => Promise<boolean>): Promise<number> => {
    const startedAt = now();
    while (await mayContinue()) {
      if (await dueResponses.hasCapacity()) return Number.POSITIVE_INFINITY;
      if (now() - startedAt >= slowPauseMs) return SLOW_BATCH;
      await sleep(WAIT_MS);
    }
    return 0;
  };
}

export function createSurveyDeletion(dependencies: Dependencies): DeleteDueData {
  const { files, dueResponses, deleted, ledgers, surveyData, findLinks, count, clock, now } = dependencies;
  const waitForCapacity = createCapacityWait(dependencies);

  /** Deletes the due responses, until none are left or the visit must end. */
  async function deleteResponses({ survey, before, cause, mayContinue }: Deletion): Promise<'none' | 'all' | 'some'> {
    const { tenantId, surveyId } = survey;
    for (let isFirst = true; ; isFirst = false) {
      const batch = await dueResponses.findBatch(tenantId, surveyId, before);
      if (batch.length === 0) return isFirst ? 'none' : 'all';
      const found = batch.slice(0, await waitForCapacity(mayContinue));
      if (found.length === 0) return 'some';
      const time = clock();
      const removals = found.map((response) => ({ response, events: serviceDeletionEvents(response, time) }));
      // Destroy files first. If the process dies before the next line, the next walk finds the responses again.
      const ids = found.map(({ id }) => id);
      await files.destroyOf(tenantId, ids);
      // A response that has changed since `findBatch` is not deleted. The next query finds it again. A deletion by
      // retention frees the seat of a response, which a ledger counts. A purged survey has no ledgers.
      const removed = await (cause === 'purge'
        ? deleted.purgeUnchanged(survey, removals)
        : ledgers.track(survey, toFreedSeats(found), ({ entry }) => deleted.removeUnchanged(survey, removals, entry)));
      count(cause, removed);
    }
  }

  /**
   * Deletes the data of a purged survey. A walk finds a survey only by its definitions, and concurrent calls may still
   * add data. So the definitions are deleted only if this visit found no responses, tombstones or links.
   */
  async function purge(survey: SurveyToPurge, mayContinue: () => Promise<boolean>): Promise<NextVisit> {
    const { tenantId, surveyId } = survey;
    // Ledgers go first: the deletions below do not update them.
    await surveyData.deleteLedgers(tenantId, surveyId);
    await surveyData.deleteSlices(tenantId, surveyId);
    await surveyData.deletePlans(tenantId, surveyId);
    const responses = await deleteResponses({ survey, before: undefined, cause: 'purge', mayContinue });
    if (responses === 'some') return 'soon';
    await files.destroyOfSurvey(tenantId, surveyId);
    let foundSome = responses === 'all';
    while (await surveyData.deleteTombstones(tenantId, surveyId)) {
      foundSome = true;
      if (!(await mayContinue())) return 'soon';
    }
    while (await surveyData.deleteLinks(tenantId, surveyId)) {
      foundSome = true;
      if (!(await mayContinue())) return 'soon';
    }
    while (await surveyData.deleteInvitations(tenantId, surveyId)) {
      foundSome = true;
      if (!(await mayContinue())) return 'soon';
    }
    // `deleteTombstones` keeps tombstones with unpublished events.
    if (foundSome || (await surveyData.hasTombstones(tenantId, surveyId))) return 'next-walk';
    while (await surveyData.deleteDefinitions(tenantId, surveyId)) if (!(await mayContinue())) return 'soon';
    return 'next-walk';
  }

  /** Deletes what deleted links give to responses. A link that the survey service does not know is unusable. */
  async function clearDeletedLinks(
    { tenantId, surveyId }: SurveyRetention,
    mayContinue: () => Promise<boolean>,
  ): Promise<NextVisit> {
    for (let last: string | undefined = ''; last !== undefined && (await mayContinue()); ) {
      const linkIds: readonly string[] = await surveyData.findGivingLinks(tenantId, surveyId, last);
      const existing = linkIds.length === 0 ? [] : await findLinks(tenantId, linkIds);
      for (const linkId of linkIds.filter((id) => !existing.includes(id))) {
        await surveyData.clearLink(tenantId, linkId);
        while (await surveyData.deleteInvitations(tenantId, surveyId, linkId))
          if (!(await mayContinue())) return 'soon';
      }
      last = linkIds.at(-1);
    }
    return 'next-walk';
  }

  return async (survey, mayContinue) => {
    const begun = now();
    const hasTimeLeft = async () => now() - begun < MAX_DURATION_MS && (await mayContinue());
    if (survey.state === 'purged') return purge(survey, hasTimeLeft);
    if (survey.retentionDays !== undefined) {
      const before = new Date(clock().getTime() - survey.retentionDays * DAY_MS);
      const responses = await deleteResponses({ survey, before, cause: 'retention', mayContinue: hasTimeLeft });
      if (responses === 'some') return 'soon';
    }
    return clearDeletedLinks(survey, hasTimeLeft);
  };
}
