import type { SurveyResponse } from '@survey/client';
import { useClient } from '../session/session.tsx';
import { usePages } from '../ui/paged-list.tsx';
import { responsesKey } from './response-queries.ts';
import { type ResponseSearch, toFilter } from './response-search.ts';

/** Loads the responses to a survey page by page, or one page with a random sample of them. */
export function useResponseList(surveyId: string, search: ResponseSearch) {
  const client = useClient();
  const { columns, exported, sample, draw, ...listed } = search;
  return usePages<SurveyResponse>(
    [...responsesKey(surveyId), 'list', { ...listed, sample, draw }],
    (cursor, signal) => {
      const query =
        sample === undefined
          ? { ...listed, ...(cursor === undefined ? {} : { cursor }) }
          : { ...toFilter(search), random: true, limit: sample };
      return client.responses.list(surveyId, query, { signal }).page();
    },
    // Not loaded again: each request draws another sample.
    { isFixed: sample !== undefined },
  );
}
