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
    async (cursor, signal) => {
      if (sample === undefined) {
        const query = { ...listQuery, ...(cursor === undefined ? {} : { cursor }) };
        return client.responses.list(surveyId, query, { signal }).page();
      }
      const query = { ...toFilter(search), random: true, limit: sample };
      // If drawing takes long, a sample comes in several parts.
      const items: SurveyResponse[] = [];
      for await (const response of client.responses.list(surveyId, query, { signal })) items.push(response);
      return { items, nextCursor: undefined };
    },
    // Do not load a sample again, because each request draws another one.
    { isFixed: sample !== undefined },
  );
}
