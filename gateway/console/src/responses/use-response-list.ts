import type { SurveyResponse } from '@survey/client';
import { useClient } from '../session/session.tsx';
import { usePages } from '../ui/paged-list.tsx';
import { surveyResponsesKey } from './response-queries.ts';
import { type ResponseSearch, toFilter } from './response-search.ts';

/** Loads the responses to a survey page by page, or one page with a random sample of them. */
export function useResponseList(surveyId: string, search: ResponseSearch) {
  const client = useClient();
  const { columns, exported, sample, draw, ...listQuery } = search;
  return usePages<SurveyResponse>(
    [...surveyResponsesKey(surveyId), 'list', { ...listQuery, sample, draw }],
    (cursor, signal) => {
      const query =
        sample === undefined
          ? { ...listQuery, ...(cursor === undefined ? {} : { cursor }) }
          : { ...toFilter(search), random: true, limit: sample };
      return client.responses.list(surveyId, query, { signal }).page();
    },
    // Do not load a sample again, because each request draws another one.
    { isFixed: sample !== undefined },
  );
}
