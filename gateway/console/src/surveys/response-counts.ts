import type { LinkResponseCounts, SurveyResponseCounts } from '@survey/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { surveyKey } from './use-survey.ts';

/** Surveys of one request. The platform counts up to 100. */
const CHUNK = 50;
/** Time after which surveys without counts are asked for again: the platform counts large ones in the background. */
const RETRY_MS = 5_000;

/**
 * Loads the numbers of responses of surveys, by survey id. Returns undefined without the permission. Surveys that are
 * not counted yet are absent.
 *
 * @param surveyIds in the order of a list that only grows at its end
 */
export function useResponseCounts(surveyIds: readonly string[]): ReadonlyMap<string, SurveyResponseCounts> | undefined {
  const client = useClient();
  const mayRead = useCan()('responses:read');
  const chunks = Array.from({ length: Math.ceil(surveyIds.length / CHUNK) }, (_, index) =>
    surveyIds.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  const results = useQueries({
    queries: chunks.map((ids) => ({
      queryKey: ['surveys', 'counts', ids],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.responses.listCounts({ survey_ids: [...ids] }, { signal }),
      enabled: mayRead,
      refetchInterval: (query: { readonly state: { readonly data: SurveyResponseCounts[] | undefined } }) =>
        query.state.data?.some(({ counted_at }) => counted_at === undefined) ? RETRY_MS : false,
    })),
  });
  if (!mayRead) return undefined;
  const counted = results.flatMap(({ data = [] }) => data.filter(({ counted_at }) => counted_at !== undefined));
  return new Map(counted.map((counts) => [counts.survey_id, counts]));
}

/** Loads the numbers of responses through the links of a survey, by link id. Returns undefined until they are known. */
export function useLinkCounts(surveyId: string): ReadonlyMap<string, LinkResponseCounts> | undefined {
  const client = useClient();
  const mayRead = useCan()('responses:read');
  const { data } = useQuery({
    queryKey: [...surveyKey(surveyId), 'link-counts'],
    queryFn: ({ signal }) => client.responses.listLinkCounts(surveyId, { signal }),
    enabled: mayRead,
  });
  return data && new Map(data.map((counts) => [counts.link_id, counts]));
}
