import { ApiError, type GetSummaryRequest, type Survey, type SurveySummary } from '@survey/client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import { surveyResponsesKey, waitForReading } from '../surveys/response-counts.ts';
import type { Comparison, ResultFilter } from './results-search.ts';

type Interval = NonNullable<GetSummaryRequest['interval']>;

interface CountedSummary {
  readonly summary: SurveySummary;
  /** The interval of the timeline: days if the requested hours are too many. */
  readonly interval: Interval;
  /** The filters of this summary. The filters of the page may have changed since. */
  readonly filter: ResultFilter;
}

/**
 * Loads the summary of a survey. Asks again if the platform needs longer than one request to compute it. After a change
 * of the filters, the previous summary stays until the new one is loaded.
 */
export function useSummary(
  { id: surveyId, version }: Pick<Survey, 'id' | 'version'>,
  filter: ResultFilter,
  display: Required<Pick<GetSummaryRequest, 'interval' | 'tz' | 'display_language'>> & Comparison,
): UseQueryResult<CountedSummary> {
  const client = useClient();
  // A version that was just published has questions that the summary must show.
  const query = { ...filter, ...display, at_least_version: version };
  return useQuery({
    queryKey: [...surveyResponsesKey(surveyId), 'summary', query],
    queryFn: async ({ signal }) => {
      try {
        const summary = await client.responses.getSummaryByQuery(surveyId, query, { signal });
        return { summary, interval: query.interval, filter };
      } catch (error) {
        // Responses over many months need too many hours: load days instead.
        if (
          !(error instanceof ApiError) ||
          !error.errors.some(({ code }) => code === 'TOO_MANY_BUCKETS') ||
          query.interval !== 'hour'
        )
          throw error;
        const summary = await client.responses.getSummaryByQuery(surveyId, { ...query, interval: 'day' }, { signal });
        return { summary, interval: 'day' as const, filter };
      }
    },
    placeholderData: keepPreviousData,
    ...waitForReading,
  });
}
