import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseFiles } from '../files/response-files.ts';
import type { LedgerStore } from '../limits/ledger-store.ts';
import { toFreedSeats } from '../limits/track-seat.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { StoredHead } from '../responses/response.ts';
import { deletedByService } from '../responses/response-events.ts';
import { type DeletionCause, endOfRetention, type PurgedSurvey, type SurveyRetention } from './retention.ts';
import type { CountDeleted } from './retention-metrics.ts';
import type { Visit, VisitOutcome } from './survey-walk.ts';

/** What is looked up before responses are deleted. */
export interface ExpiredResponseStore {
  /** Some responses to a survey that were created before a time, or at any, the oldest first. */
  findSome(tenantId: TenantId, surveyId: string, before: Date | undefined): Promise<readonly StoredHead[]>;
  /** Whether so few events wait to be published that those of another batch hold up nobody's. */
  hasRoom(): Promise<boolean>;
}

/** What a survey has here beside its responses. */
export interface SurveyBelongings {
  dropLedgers(tenantId: TenantId, surveyId: string): Promise<void>;
  /** Deletes some of what is left beside responses and snapshots of definitions. False when there was nothing. */
  dropSome(tenantId: TenantId, surveyId: string): Promise<boolean>;
  /** Deletes some snapshots of its definitions: without any it is not known any more. False when there were none. */
  forgetSome(tenantId: TenantId, surveyId: string): Promise<boolean>;
}

interface Dependencies {
  readonly files: Pick<ResponseFiles, 'destroyOf' | 'destroyOfSurvey'>;
  readonly expired: ExpiredResponseStore;
  readonly deleted: Pick<DeletedResponseStore, 'removeAll' | 'purgeAll'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly belongings: SurveyBelongings;
  readonly count: CountDeleted;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Deletes responses until there are none, or it may not go on. */
interface Deletion {
  readonly survey: SurveyRetention;
  readonly before: Date | undefined;
  readonly cause: DeletionCause;
  readonly mayGoOn: () => Promise<boolean>;
}

/** Of a visit, so that a large survey does not hold up all the others, and what is known of it is not old. */
const VISIT_MS = 30_000;
const WAIT_MS = 100;

/** Deletes the responses to a survey whose time is over, and of one that was purged all there is. */
export function createSurveyDeletion(dependencies: Dependencies): Visit {
  const { files, expired, deleted, ledgers, belongings, count, clock, now } = dependencies;

  /** Waits while many events are to be published, which tell of other things too. */
  async function mayDelete(mayGoOn: () => Promise<boolean>): Promise<boolean> {
    while (await mayGoOn()) {
      if (await expired.hasRoom()) return true;
      await sleep(WAIT_MS);
    }
    return false;
  }

  async function deleteResponses({ survey, before, cause, mayGoOn }: Deletion): Promise<'none' | VisitOutcome> {
    const { tenantId, surveyId } = survey;
    for (let isFirst = true; ; isFirst = false) {
      const found = await expired.findSome(tenantId, surveyId, before);
      if (found.length === 0) return isFirst ? 'none' : 'done';
      if (!(await mayDelete(mayGoOn))) return 'more';
      const time = clock();
      const removals = found.map((response) => ({ response, events: deletedByService(response, time) }));
      // First, so that none is left that nothing leads to; if this process dies now, the responses are found again.
      const ids = found.map(({ id }) => id);
      await files.destroyOf(tenantId, ids);
      // One that was changed just now is found again.
      const remove =
        cause === 'purge'
          ? deleted.purgeAll(survey, removals)
          : ledgers.track(survey, toFreedSeats(found), (entry) => deleted.removeAll(survey, removals, entry));
      count(cause, await remove);
    }
  }

  /** What calls under way leave behind the next walk finds: the survey is forgotten by one that found nothing. */
  async function purge(survey: PurgedSurvey, mayGoOn: () => Promise<boolean>): Promise<VisitOutcome> {
    const { tenantId, surveyId } = survey;
    await belongings.dropLedgers(tenantId, surveyId);
    const responses = await deleteResponses({ survey, before: undefined, cause: 'purge', mayGoOn });
    if (responses === 'more') return 'more';
    await files.destroyOfSurvey(tenantId, surveyId);
    let hadMore = responses === 'done';
    while (await belongings.dropSome(tenantId, surveyId)) {
      hadMore = true;
      if (!(await mayGoOn())) return 'more';
    }
    if (hadMore) return 'done';
    while (await belongings.forgetSome(tenantId, surveyId)) if (!(await mayGoOn())) return 'more';
    return 'done';
  }

  return async (survey, mayGoOn) => {
    const begun = now();
    const mayStay = async () => now() - begun < VISIT_MS && (await mayGoOn());
    if (survey.state === 'purged') return purge(survey, mayStay);
    const before = endOfRetention(survey.retentionDays, clock());
    if (before === undefined) return 'done';
    const responses = await deleteResponses({ survey, before, cause: 'retention', mayGoOn: mayStay });
    return responses === 'more' ? 'more' : 'done';
  };
}
