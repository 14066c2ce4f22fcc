import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { ProjectSelect } from '../surveys/project-select.tsx';
import { useInvalidateSurvey } from '../surveys/use-survey.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { Page } from '../ui/page.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { toJsonText } from './json-text.ts';
import { PayloadForm } from './payload-form.tsx';

const EXAMPLE = toJsonText({
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'New survey',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          {
            id: 'rating',
            type: 'rating',
            title: 'How was it?',
            required: true,
          },
          {
            id: 'comment',
            type: 'textarea',
            title: 'What could be better?',
          },
        ],
      },
    ],
  },
});

export function NewSurveyPage() {
  const client = useClient();
  const navigate = useNavigateAfter();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const sendOnce = useIdempotency();
  const [projectId, setProjectId] = useState<string>();
  return (
    <Page
      title="New survey"
      breadcrumbs={[
        <Link key="surveys" to="/surveys">
          Surveys
        </Link>,
      ]}
    >
      <p className="soft">
        Paste a definition, read it from a file, or change the example. The{' '}
        <a href="/docs/guides/definitions" target="_blank" rel="noreferrer">
          guide about definitions
        </a>{' '}
        describes all members.
      </p>
      <PayloadForm
        initialText={EXAMPLE}
        submitLabel="Create"
        onSubmit={async (payload) => {
          const input = projectId === undefined ? payload : { ...payload, project_id: projectId };
          const survey = await sendOnce(input, (idempotencyKey) => client.surveys.create(input, { idempotencyKey }));
          announce('The survey is created as a draft.');
          await invalidateSurvey();
          await navigate({ to: '/surveys/$surveyId', params: { surveyId: survey.id } });
        }}
      >
        {() => <ProjectSelect noneLabel="No project" value={projectId} onChange={setProjectId} />}
      </PayloadForm>
    </Page>
  );
}
