import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { SurveyRetention } from './retention.ts';

/** What is to become of the responses to some surveys; those that are not known are left out. */
export type RetentionSource = (surveyIds: readonly string[]) => Promise<ReadonlyMap<string, SurveyRetention>>;

/** How far the walk has come. */
export interface WalkState {
  /** Id of the last survey that was visited; empty before the first. */
  readonly position: string;
  /** A visit of this walk has left something for the next one. */
  readonly hasMore: boolean;
  /** When the next walk may begin. */
  readonly nextAt: Date;
  /** When a walk came to the end last. */
  readonly completedAt: Date | undefined;
  /** Counts the times that it was saved; 0 before the first. */
  readonly revision: number;
}

export interface SurveyWalkStore {
  find(): Promise<WalkState | undefined>;
  /** Gives what is stored then; undefined, and stores nothing, when another replica has saved since the state was read. */
  save(state: WalkState): Promise<WalkState | undefined>;
  /** Ids of surveys behind one of them, in their order; none when there are no more. Up to the limit, perhaps fewer. */
  findSurveys(after: string, limit: number): Promise<readonly string[]>;
}

/** Whether a visit did all that is to be done now, or left some for the next one. */
export type VisitOutcome = 'done' | 'more';

/** Does with a survey what is to be done, for some time; `mayGoOn` is asked before each step. */
export type Visit = (survey: SurveyRetention, mayGoOn: () => Promise<boolean>) => Promise<VisitOutcome>;

interface Dependencies {
  readonly store: SurveyWalkStore;
  readonly source: RetentionSource;
  readonly visit: Visit;
  readonly lease: Lease;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 1_000;
const IDLE_LOOK_EVERY_MS = 10_000;
const WALK_EVERY_MS = 60 * 60_000;
const PAGE = 500;
/** How long an answer of the survey service holds: settings change, and what is deleted does not come back. */
const ASKED_MS = 60_000;
const START: WalkState = { position: '', hasMore: false, nextAt: new Date(0), completedAt: undefined, revision: 0 };

/**
 * Goes through all surveys that the service has anything of, one replica at a time and once an hour, or again at once
 * while something is left to do. Where it was is kept: a killed one's successor goes on from there. A replica that stalls
 * beyond its lease deletes no more than was due when it looked, and cannot save where it was.
 */
export function createSurveyWalk({ store, source, visit, lease, clock, now, log }: Dependencies): Worker {
  /** Visits a page of surveys. */
  async function step(walk: WalkState, mayGoOn: () => Promise<boolean>, failures: Error[]): Promise<WalkState> {
    const surveyIds = await store.findSurveys(walk.position, PAGE);
    if (surveyIds.length === 0) return completed(walk, clock());
    const askedAt = now();
    const retentions = await source(surveyIds);
    let { position, hasMore } = walk;
    for (const surveyId of surveyIds) {
      if (now() - askedAt > ASKED_MS || !(await mayGoOn())) break;
      const outcome = await tryToVisit(retentions.get(surveyId), mayGoOn, failures);
      hasMore ||= outcome === 'more';
      position = surveyId;
    }
    return { ...walk, position, hasMore };
  }

  /** One that fails holds up no other, and is visited again by the next walk. */
  async function tryToVisit(
    survey: SurveyRetention | undefined,
    mayGoOn: () => Promise<boolean>,
    failures: Error[],
  ): Promise<VisitOutcome> {
    // One that the survey service does not know may be one that it has lost: nothing follows from that.
    if (survey === undefined) return 'done';
    try {
      return await visit(survey, mayGoOn);
    } catch (cause) {
      failures.push(new Error(`what is due of the survey ${survey.surveyId} was not deleted`, { cause }));
      return 'done';
    }
  }

  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    idleEveryMs: IDLE_LOOK_EVERY_MS,
    failure: 'responses could not be deleted when their time was over',
    lease,
    log,
    async work(isStopped) {
      const mayGoOn = async () => !isStopped() && (await lease.acquire());
      const failures: Error[] = [];
      const begun = (await store.find()) ?? START;
      let walk: WalkState | undefined = begun;
      while (walk !== undefined && isDue(walk, clock()) && (await mayGoOn()))
        walk = await store.save(await step(walk, mayGoOn, failures));
      if (failures.length > 0) throw failures[0];
      return walk !== begun;
    },
  });
}

/** One that is under way is due. */
function isDue({ position, nextAt }: WalkState, time: Date): boolean {
  return position !== '' || nextAt <= time;
}

function completed({ hasMore, revision }: WalkState, time: Date): WalkState {
  const nextAt = hasMore ? time : new Date(time.getTime() + WALK_EVERY_MS);
  return { position: '', hasMore: false, nextAt, completedAt: time, revision };
}
