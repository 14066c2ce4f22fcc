import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { Clocks } from '../stopwatch.ts';
import type { SurveyWalkStore } from './retention-store.ts';

/** Whether the responses to a survey are kept, and for how long. */
export type SurveyRetention = KeptSurvey | SurveyToPurge;

interface KeptSurvey {
  readonly state: 'kept';
  readonly surveyId: string;
  readonly tenantId: TenantId;
  /** Days after which a response is deleted; undefined if responses are kept forever. */
  readonly retentionDays: number | undefined;
}

/** A survey that was deleted long ago. All its data must be deleted. */
export interface SurveyToPurge {
  readonly state: 'purged';
  readonly surveyId: string;
  readonly tenantId: TenantId;
}

/** Reads the retention of surveys, by survey id. Unknown surveys are omitted. */
export type RetentionSource = (surveyIds: readonly string[]) => Promise<ReadonlyMap<string, SurveyRetention>>;

/** Progress of the walk, which visits all surveys one after another and deletes their due data. */
export interface WalkState {
  /** Id of the last visited survey. Empty before the first visit. */
  readonly position: string;
  /** Whether a visit left due work. If so, the next walk begins in a second. */
  readonly hasDueWork: boolean;
  /** Earliest start of the next walk. */
  readonly nextAt: Date;
  readonly completedAt: Date | undefined;
  /** Number of saves. */
  readonly revision: number;
}

/** The next visit of a survey. `soon`: in a second, because this visit had too little time. `next-walk`: in an hour. */
export type NextVisit = 'soon' | 'next-walk';

/** Deletes the due data of a survey, for a limited time. Calls `mayContinue` before each step. */
export type DeleteDueData = (survey: SurveyRetention, mayContinue: () => Promise<boolean>) => Promise<NextVisit>;

interface Dependencies extends Clocks {
  readonly store: SurveyWalkStore;
  readonly source: RetentionSource;
  readonly deleteDueData: DeleteDueData;
  readonly lease: Lease;
  readonly log: Logger;
}

const FAILURE = 'cannot delete responses at the end of their retention';
const INTERVAL_MS = 1_000;
const IDLE_INTERVAL_MS = 30_000;
const WALK_EVERY_MS = 60 * 60_000;
const PAGE = 500;
/** Maximum age of retention settings during a walk. A deletion cannot be undone. */
const MAX_AGE_MS = 60_000;
const START: WalkState = { position: '', hasDueWork: false, nextAt: new Date(0), completedAt: undefined, revision: 0 };

/**
 * Visits all surveys once an hour, on one replica at a time. While due work is left, the next walk begins in a second.
 * Saves its position, so that another replica can continue. A replica that lost its lease does no harm: it deletes only
 * due data, and cannot save its position.
 */
export function createSurveyWalk({ store, source, deleteDueData, lease, clock, now, log }: Dependencies): Worker {
  async function step(walk: WalkState, mayContinue: () => Promise<boolean>): Promise<WalkState> {
    const surveyIds = await store.findSurveys(walk.position, PAGE);
    if (surveyIds.length === 0) return afterWalk(walk, clock());
    const askedAt = now();
    const retentions = await source(surveyIds);
    let { position, hasDueWork } = walk;
    for (const surveyId of surveyIds) {
      if (now() - askedAt > MAX_AGE_MS || !(await mayContinue())) break;
      const next = await tryToVisit(retentions.get(surveyId), mayContinue);
      hasDueWork ||= next === 'soon';
      position = surveyId;
    }
    return { ...walk, position, hasDueWork };
  }

  /** Logs errors, so that a failing survey does not block the others. The next walk visits it again. */
  async function tryToVisit(
    survey: SurveyRetention | undefined,
    mayContinue: () => Promise<boolean>,
  ): Promise<NextVisit> {
    // The survey service does not know the survey, perhaps after a loss of data. Delete nothing.
    if (survey === undefined) return 'next-walk';
    try {
      return await deleteDueData(survey, mayContinue);
    } catch (error) {
      log.error({ err: error, tenant_id: survey.tenantId, survey_id: survey.surveyId }, FAILURE);
      return 'next-walk';
    }
  }

  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    idleEveryMs: IDLE_INTERVAL_MS,
    failure: FAILURE,
    lease,
    log,
    async work(isStopped) {
      const mayContinue = async () => !isStopped() && (await lease.acquire());
      const begun = (await store.find()) ?? START;
      let walk: WalkState | undefined = begun;
      while (walk !== undefined && isDue(walk, clock()) && (await mayContinue())) {
        walk = await store.save(await step(walk, mayContinue));
        // Pause before the next walk. It visits failed surveys again, and must not retry them in a busy loop.
        if (walk?.position === '') break;
      }
      return walk !== begun;
    },
  });
}

/** A started walk is always due. */
function isDue({ position, nextAt }: WalkState, time: Date): boolean {
  return position !== '' || nextAt <= time;
}

function afterWalk({ hasDueWork, revision }: WalkState, time: Date): WalkState {
  const nextAt = hasDueWork ? time : new Date(time.getTime() + WALK_EVERY_MS);
  return { position: '', hasDueWork: false, nextAt, completedAt: time, revision };
}
