import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createFairMutex } from '@survey/runtime/flow/fair-queue';
import type { ResponseStatus } from '../responses/response.ts';
import type { CountedGroup, ResponseStreamStore } from '../responses/response-stream-store.ts';
import { createAggregateCache, type SurveyRef, type WriteWindows } from '../responses/write-window-store.ts';
import type { Clocks } from '../stopwatch.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';

interface Dependencies extends Clocks {
  readonly definitions: Pick<DefinitionService, 'isOwned' | 'findOwned'>;
  readonly stream: Pick<ResponseStreamStore, 'countGroups'>;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
  /** Starts the timeout of a list of counts. It resolves when the list must be returned. */
  readonly startTimeout?: () => Promise<undefined>;
}

/** Counts of a survey. Undefined if there are no counts yet. */
export interface SurveyResponseCounts {
  readonly surveyId: string;
  readonly counts: ResponseCounts | undefined;
}

/** Maximum number of surveys and links in the cache: some tens of megabytes. */
const MAX_CACHED = 100_000;
const sizeOf = ({ links }: ResponseCounts) => 1 + links.length;
/** Above this number of responses, counting takes more than a few milliseconds. */
const LARGE_SURVEY = 5_000;
/** Counts of a large survey stay fresh for this factor times the duration of counting, to limit the load. */
const FRESH_TIMES = 20;
/** Maximum time that a list of counts waits for surveys that are being counted. */
const MAX_WAIT_MS = 1_000;
/** Maximum number of waiting surveys per tenant, and maximum number of tenants with waiting surveys. */
const WAITING = { maxPerKey: 500, maxKeys: 1_000 };

export type ResponseCountService = ReturnType<typeof createResponseCountService>;

/**
 * Counts responses for lists of surveys and links. Counts are cached until the next write window of the survey opens: a
 * time span in which a process may write responses. Counts of large surveys, and counts that take long, can be older.
 */
export function createResponseCountService(dependencies: Dependencies) {
  const { definitions, stream, windows, clock, now } = dependencies;
  const { startTimeout = () => sleep(MAX_WAIT_MS, undefined, { ref: false }) } = dependencies;
  const cached = createAggregateCache<ResponseCounts>({ windows, maxSize: MAX_CACHED, sizeOf, now });
  // Count one survey at a time, because a large survey occupies the database. A very large survey is counted in slices
  // of the index. The slices of several surveys alternate.
  const mutex = createFairMutex(WAITING);

  async function count({ tenantId, surveyId }: SurveyRef) {
    const slices = stream.countGroups(tenantId, surveyId);
    const groups = new Map<string, CountedGroup>();
    for (let tookMs = 0; ; ) {
      const { value, done } = await mutex.run(tenantId, async () => {
        const startedAt = now();
        const next = await slices.next();
        tookMs += now() - startedAt;
        return next;
      });
      if (done === true) throw new Error('the last slice of a count is missing');
      for (const group of value.groups) addGroup(groups, group);
      if (!value.isLast) continue;
      const counts = toResponseCounts([...groups.values()], clock());
      return { value: counts, freshMs: counts.all.total > LARGE_SURVEY ? tookMs * FRESH_TIMES : 0 };
    }
  }

  // The cache has one aggregate for each survey, so its name is empty.
  const find = (survey: SurveyRef) => cached.find(survey, '', () => count(survey));

  /** If counting fails or takes too long, returns older counts, if any. Throws if counting fails without any. */
  async function findSoon(survey: SurveyRef, end: Promise<undefined>): Promise<ResponseCounts | undefined> {
    const counting = find(survey);
    const known = cached.findLast(survey, '');
    // Counting continues after the timeout, for the next call. Ignore a late failure.
    counting.catch(() => undefined);
    try {
      return (await Promise.race([counting, end])) ?? known;
    } catch (error) {
      if (known === undefined) throw error;
      return known;
    }
  }

  return {
    /**
     * Counts the responses to surveys, in the given order. Omits surveys that the tenant does not own. A survey that
     * cannot be counted has no counts. If no survey can be counted, throws the first error.
     */
    async countAll(tenantId: TenantId, surveyIds: readonly string[]): Promise<readonly SurveyResponseCounts[]> {
      const owned = await Promise.all(surveyIds.map((surveyId) => definitions.isOwned(tenantId, surveyId)));
      const end = startTimeout();
      const ids = surveyIds.filter((_, index) => owned[index]);
      const found = await Promise.allSettled(ids.map((surveyId) => findSoon({ tenantId, surveyId }, end)));
      const failures = found.flatMap((result) => (result.status === 'rejected' ? [result] : []));
      const [failure] = failures;
      if (failure !== undefined && failures.length === found.length) throw failure.reason;
      return ids.map((surveyId, index) => ({ surveyId, counts: fulfilledValue(found[index]) }));
    },

    /** Counts the responses through the most used links of a survey. Throws `SURVEY_NOT_FOUND`. */
    async countLinks(tenantId: TenantId, surveyId: string): Promise<readonly (LinkCounts & { countedAt: Date })[]> {
      await definitions.findOwned(tenantId, surveyId);
      const { links, countedAt } = await find({ tenantId, surveyId });
      return links.map((link) => ({ ...link, countedAt }));
    },
  };
}

function addGroup(groups: Map<string, CountedGroup>, group: CountedGroup): void {
  const key = JSON.stringify([group.status, group.linkId]);
  const count = (groups.get(key)?.count ?? 0) + group.count;
  // Slices are in the order of time, so the later slice has the latest response.
  groups.set(key, { ...group, count });
}

function fulfilledValue<T>(result: PromiseSettledResult<T> | undefined): T | undefined {
  return result?.status === 'fulfilled' ? result.value : undefined;
}

interface StatusCounts extends Readonly<Record<ResponseStatus, number>> {
  readonly total: number;
  /** Time of creation of the latest response. Undefined without responses. */
  readonly lastResponseAt: Date | undefined;
}

export interface LinkCounts extends StatusCounts {
  readonly linkId: string;
  readonly lastResponseAt: Date;
}

interface ResponseCounts {
  readonly all: StatusCounts;
  /** Most used links first. */
  readonly links: readonly LinkCounts[];
  readonly countedAt: Date;
}

const MAX_LINKS = 1_000;

export function toResponseCounts(groups: readonly CountedGroup[], countedAt: Date): ResponseCounts {
  const byLink = Map.groupBy(groups, ({ linkId }) => linkId);
  const links = [...byLink].flatMap(([linkId, ofLink]): readonly LinkCounts[] => {
    const { lastResponseAt, ...counts } = toCounts(ofLink);
    return linkId === undefined || lastResponseAt === undefined ? [] : [{ linkId, ...counts, lastResponseAt }];
  });
  const mostUsed = links.toSorted((one, other) => other.total - one.total || (one.linkId < other.linkId ? -1 : 1));
  return { all: toCounts(groups), links: mostUsed.slice(0, MAX_LINKS), countedAt };
}

function toCounts(groups: readonly CountedGroup[]): StatusCounts {
  const counts = { in_progress: 0, completed: 0, disqualified: 0, abandoned: 0 };
  let total = 0;
  let lastResponseAt: Date | undefined;
  for (const { status, count, lastAt } of groups) {
    counts[status] += count;
    total += count;
    if (lastResponseAt === undefined || lastAt > lastResponseAt) lastResponseAt = lastAt;
  }
  return { ...counts, total, lastResponseAt };
}
