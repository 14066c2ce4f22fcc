import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createFairMutex } from '@survey/runtime/flow/fair-mutex';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { createCachedAggregates } from '../responses/cached-aggregates.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';
import type { ResponseCountStore } from './response-count-store.ts';
import { type LinkCounts, type SurveyCounts, toSurveyCounts } from './response-counts.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'isOwned' | 'findOwned'>;
  readonly store: ResponseCountStore;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Resolves after the time that a list of counts waits for surveys that are still counted. */
  readonly deadline: () => Promise<undefined>;
}

/** Counts of a survey; undefined while they are computed for the first time. */
export interface CountsOfSurvey {
  readonly surveyId: string;
  readonly counts: SurveyCounts | undefined;
}

/** A cached count. */
interface Known {
  readonly counts: SurveyCounts;
  /** Until then the counts of a large survey are not computed again. */
  readonly freshUntil: number;
}

/** Size of each of the two caches, in surveys and links: some tens of megabytes. */
const MAX_CACHED = 100_000;
const sizeOf = ({ links }: SurveyCounts) => 1 + links.length;
/** Above this number of responses, counting takes more than a few milliseconds. */
const LARGE_SURVEY = 5_000;
/** Counts of a large survey stay fresh for this many times as long as counting took, so it uses a twentieth of a core. */
const FRESH_TIMES = 20;
/** Surveys that wait to be counted. */
const WAITING = { maxPerKey: 500, maxKeys: 1_000 };

export type ResponseCountService = ReturnType<typeof createResponseCountService>;

/** Counts responses for lists of surveys and links. Counts of large surveys can be some seconds old. */
export function createResponseCountService(dependencies: Dependencies) {
  const { definitions, store, windows, clock, now, deadline } = dependencies;
  /** Counts that are valid until a response is written. */
  const cached = createCachedAggregates<SurveyCounts>({ windows, maxSize: MAX_CACHED, sizeOf });
  const latest = new LRUCache<string, Known>({
    maxSize: MAX_CACHED,
    sizeCalculation: ({ counts }) => sizeOf(counts),
  });
  // One survey at a time: counting a large one occupies the database.
  const mutex = createFairMutex(WAITING);

  const refresh = createSingleFlight((key: string, survey: SurveyRef) =>
    cached(survey, '', () =>
      mutex.run(survey.tenantId, async () => {
        const startedAt = now();
        const counts = toSurveyCounts(await store.count(survey.tenantId, survey.surveyId), clock());
        const freshMs = counts.all.total > LARGE_SURVEY ? (now() - startedAt) * FRESH_TIMES : 0;
        latest.set(key, { counts, freshUntil: now() + freshMs });
        return counts;
      }),
    ),
  );

  function find(survey: SurveyRef): Promise<SurveyCounts> {
    const key = JSON.stringify([survey.tenantId, survey.surveyId]);
    const known = latest.get(key);
    return known !== undefined && known.freshUntil > now() ? Promise.resolve(known.counts) : refresh(key, survey);
  }

  /** Returns older counts, or none, if counting is not over by the deadline. */
  async function findSoon(survey: SurveyRef, end: Promise<undefined>): Promise<SurveyCounts | undefined> {
    const counting = find(survey);
    const known = latest.get(JSON.stringify([survey.tenantId, survey.surveyId]));
    // The count continues for the next call. Its failure only matters while somebody waits.
    counting.catch(() => undefined);
    return (await Promise.race([counting, end])) ?? known?.counts;
  }

  return {
    /** Counts the responses to surveys, in the given order. Leaves out surveys that the tenant does not have. */
    async countAll(tenantId: TenantId, surveyIds: readonly string[]): Promise<readonly CountsOfSurvey[]> {
      const owned = await Promise.all(surveyIds.map((surveyId) => definitions.isOwned(tenantId, surveyId)));
      const end = deadline();
      return Promise.all(
        surveyIds
          .filter((_, index) => owned[index])
          .map(async (surveyId) => ({ surveyId, counts: await findSoon({ tenantId, surveyId }, end) })),
      );
    },

    /** Counts the responses through the most used links of a survey. Throws `SURVEY_NOT_FOUND`. */
    async countLinks(tenantId: TenantId, surveyId: string): Promise<readonly (LinkCounts & { countedAt: Date })[]> {
      await definitions.findOwned(tenantId, surveyId);
      const { links, countedAt } = await find({ tenantId, surveyId });
      return links.map((link) => ({ ...link, countedAt }));
    },
  };
}
