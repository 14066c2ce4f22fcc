import type { Page, SurveyResponse } from '@survey/client';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import { type ResponseSearch, toFilter } from './response-search.ts';
import { responsesKey } from './survey-data.ts';

/** A sample stays until another one is drawn: each request draws again. */
const SAMPLE_OPTIONS = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** Loads the responses to a survey page by page, or one page with a random sample of them. */
export function useResponseList(
  surveyId: string,
  search: ResponseSearch,
): UseInfiniteQueryResult<InfiniteData<Page<SurveyResponse>>> {
  const client = useClient();
  const { columns, sample, draw, ...listed } = search;
  return useInfiniteQuery({
    queryKey: [...responsesKey(surveyId), 'list', { ...listed, sample, draw }],
    queryFn: ({ pageParam, signal }) => {
      const query =
        sample === undefined
          ? { ...listed, ...(pageParam === undefined ? {} : { cursor: pageParam }) }
          : { ...toFilter(search), random: true, limit: sample };
      return client.responses.list(surveyId, query, { signal }).page();
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    ...(sample === undefined ? {} : SAMPLE_OPTIONS),
  });
}
