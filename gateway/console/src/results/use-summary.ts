import { ApiError, type GetSummaryQuery, type SurveySummary } from '@survey/client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { responsesKey } from '../responses/survey-data.ts';
import { useClient } from '../session/session.tsx';

/** Statuses of a summary that is still computed, or waits for its turn. */
const WAIT_STATUSES: readonly number[] = [429, 503, 504];
const MAX_RETRIES = 10;
const RETRY_MS = 5_000;

/**
 * Loads the summary of a survey. Summaries of many responses can take longer than one request: it asks again. While the
 * filters change, the former summary stays.
 */
export function useSummary(surveyId: string, query: GetSummaryQuery): UseQueryResult<SurveySummary> {
  const client = useClient();
  return useQuery({
    queryKey: [...responsesKey(surveyId), 'summary', query],
    queryFn: ({ signal }) => client.responses.getSummary(surveyId, query, { signal }),
    placeholderData: keepPreviousData,
    retry: (count, error) => error instanceof ApiError && WAIT_STATUSES.includes(error.status) && count < MAX_RETRIES,
    retryDelay: RETRY_MS,
  });
}
