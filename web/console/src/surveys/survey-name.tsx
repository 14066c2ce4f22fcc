import { useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { SurveyTitle } from './survey-title.tsx';

/** The title of a survey by its id; the id, if the survey cannot be read. */
export function SurveyTitleById({ surveyId }: { readonly surveyId: string }) {
  const client = useClient();
  const canRead = useCan()('surveys:read');
  const survey = useQuery({
    queryKey: ['surveys', surveyId, 'name'],
    queryFn: ({ signal }) => client.surveys.get(surveyId, { signal }),
    enabled: canRead,
  });
  return survey.data === undefined ? <code>{surveyId}</code> : <SurveyTitle definition={survey.data.definition} />;
}
