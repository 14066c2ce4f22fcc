import type { Survey } from '@survey/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';

/** A survey with its `ETag`, to send as `ifMatch` with changes. */
export interface SurveyRecord {
  readonly survey: Survey;
  readonly etag: string;
}

/** The key of a survey among the queries. Keys of data of the survey begin with it. */
function surveyKey(surveyId: string): readonly unknown[] {
  return ['survey', surveyId];
}

/** Loads a survey. */
export function useSurvey(surveyId: string): UseQueryResult<SurveyRecord> {
  const client = useClient();
  return useQuery({
    queryKey: [...surveyKey(surveyId), 'record'],
    queryFn: async ({ signal }) => {
      const { data, response } = await client.surveys.get(surveyId, { signal }).withResponse();
      return { survey: data, etag: response.headers.get('etag') ?? '*' };
    },
  });
}
