import {
  ApiError,
  type Client,
  type CountResponsesRequest,
  type LinkResponseCounts,
  type ResponseCount,
  type SurveyResponseCounts,
} from '@survey/client';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { surveyKey } from './use-survey.ts';

/** Filters and conditions on responses that the list, counts and exports have in common. */
export type ResponseFilter = CountResponsesRequest;

/** Statuses that mean that the platform still reads many responses, or is overloaded. */
const WAIT_STATUSES: readonly number[] = [429, 503, 504];
const MAX_WAITS = 10;

/** Options of queries that read many responses: the platform goes on reading, so ask again. */
export const waitForReading = {
  retry: (count: number, error: Error) =>
    error instanceof ApiError && WAIT_STATUSES.includes(error.status) && count < MAX_WAITS,
  retryDelay: 5_000,
};

/** Number of surveys in one request. The platform accepts up to 100. */
const CHUNK_SIZE = 50;
/** Pause before missing counts are requested again. The platform counts large surveys in the background. */
const RETRY_MS = 5_000;

/**
 * Loads the numbers of responses of surveys, by survey id. Returns undefined without the permission. Surveys that are
 * not counted yet are absent; `failed` stands for those whose request has failed.
 *
 * @param surveyIds in the order of a list that only grows at its end, so that only the last request changes
 */
export function useResponseCounts(
  surveyIds: readonly string[],
): ReadonlyMap<string, SurveyResponseCounts | 'failed'> | undefined {
  const client = useClient();
  const mayRead = useCan()('responses:read');
  const chunks = Array.from({ length: Math.ceil(surveyIds.length / CHUNK_SIZE) }, (_, index) =>
    surveyIds.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );
  const results = useQueries({
    queries: chunks.map((ids) => ({ ...countsQuery(client, ids), enabled: mayRead })),
  });
  if (!mayRead) return undefined;
  return new Map(
    results.flatMap(({ data, isError }, index): readonly (readonly [string, SurveyResponseCounts | 'failed'])[] => {
      if (data !== undefined) return data.filter(isCounted).map((counts) => [counts.survey_id, counts]);
      return isError ? (chunks[index] ?? []).map((id) => [id, 'failed']) : [];
    }),
  );
}

/** Loads the numbers of responses of a survey; null until they are counted. */
export function useSurveyCounts(surveyId: string): UseQueryResult<SurveyResponseCounts | null> {
  const client = useClient();
  return useQuery({ ...countsQuery(client, [surveyId]), select: (counts) => counts.find(isCounted) ?? null });
}

function countsQuery(client: Client, surveyIds: readonly string[]) {
  return {
    queryKey: ['surveys', 'counts', surveyIds],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      client.responses.listCounts({ survey_ids: [...surveyIds] }, { signal }),
    refetchInterval: (query: { readonly state: { readonly data: SurveyResponseCounts[] | undefined } }) =>
      query.state.data?.every(isCounted) === false ? RETRY_MS : false,
  };
}

function isCounted({ counted_at }: SurveyResponseCounts): boolean {
  return counted_at !== undefined;
}

/** Loads the numbers of responses through the links of a survey, by link id, if the user may read them. */
export function useLinkCounts(surveyId: string): UseQueryResult<ReadonlyMap<string, LinkResponseCounts>> {
  const client = useClient();
  const mayRead = useCan()('responses:read');
  return useQuery({
    queryKey: [...surveyKey(surveyId), 'link-counts'],
    queryFn: ({ signal }) => client.responses.listLinkCounts(surveyId, { signal }),
    select: (counts) => new Map(counts.map((count) => [count.link_id, count])),
    enabled: mayRead,
  });
}

/** The key of all queries about the responses to a survey. */
export function surveyResponsesKey(surveyId: string): readonly string[] {
  return ['responses', surveyId];
}

/** The number of responses that match a filter and conditions. */
export function useResponseCount(surveyId: string, filter: ResponseFilter): UseQueryResult<ResponseCount> {
  const client = useClient();
  return useQuery({
    queryKey: [...surveyResponsesKey(surveyId), 'count', filter],
    queryFn: ({ signal }) => client.responses.countByQuery(surveyId, filter, { signal }),
    ...waitForReading,
  });
}
