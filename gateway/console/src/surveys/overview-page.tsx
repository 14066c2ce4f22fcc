import { useParams } from '@tanstack/react-router';
import { Time } from '../ui/format.tsx';
import { SurveyPage } from './survey-page.tsx';

export function OverviewPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId' });
  return (
    <SurveyPage surveyId={surveyId} tab="Overview">
      {({ survey }) => (
        <dl>
          <dt>Version</dt>
          <dd>{survey.version}</dd>
          <dt>Created</dt>
          <dd>
            <Time value={survey.created_at} />
          </dd>
        </dl>
      )}
    </SurveyPage>
  );
}
