import { type Definition, localize } from '@survey/questionnaire';
import { useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { displayLanguageOf } from '../ui/format.tsx';

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

/** Returns the title of a survey in the language that suits the viewer best. */
export function surveyTitle(definition: Definition & { readonly title?: unknown }): string {
  return localize(definition, definition.title, displayLanguageOf(definition)) || 'Untitled survey';
}

/** The title of a survey, in the direction of its own script. */
export function SurveyTitle({ definition }: { readonly definition: Definition }) {
  return <bdi>{surveyTitle(definition)}</bdi>;
}
