import { ApiError, type GetSummaryQuery, type SurveySummary } from '@survey/client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { responsesKey } from '../responses/response-queries.ts';
import { useClient } from '../session/session.tsx';
import type { ResultFilter } from './results-search.ts';

type Interval = NonNullable<GetSummaryQuery['interval']>;

interface CountedSummary {
  readonly summary: SurveySummary;
  /** The interval of its timeline: days, if there are too many hours. */
  readonly interval: Interval;
  /** The filters that it was counted with. Those of the page may have changed since. */
  readonly filter: ResultFilter;
}

/** Statuses of a summary that is still computed, or waits for its turn. */
const WAIT_STATUSES: readonly number[] = [429, 503, 504];
const MAX_RETRIES = 10;
const RETRY_MS = 5_000;

/**
 * Loads the summary of a survey. Summaries of many responses can take longer than one request: it asks again. While the
 * filters change, the former summary stays.
 */
export function useSummary(
  surveyId: string,
  filter: ResultFilter,
  display: Required<Pick<GetSummaryQuery, 'interval' | 'tz' | 'display_language'>>,
): UseQueryResult<CountedSummary> {
  const client = useClient();
  const query = { ...filter, ...display };
  return useQuery({
    queryKey: [...responsesKey(surveyId), 'summary', query],
    queryFn: async ({ signal }) => {
      try {
        const summary = await client.responses.getSummary(surveyId, query, { signal });
        return { summary, interval: query.interval, filter };
      } catch (error) {
        // Responses over many months have too many hours.
        if (
          !(error instanceof ApiError) ||
          !error.errors.some(({ code }) => code === 'TOO_MANY_BUCKETS') ||
          query.interval !== 'hour'
        )
          throw error;
        const summary = await client.responses.getSummary(surveyId, { ...query, interval: 'day' }, { signal });
        return { summary, interval: 'day' as const, filter };
      }
    },
    placeholderData: keepPreviousData,
    retry: (count, error) => error instanceof ApiError && WAIT_STATUSES.includes(error.status) && count < MAX_RETRIES,
    retryDelay: RETRY_MS,
  });
}
