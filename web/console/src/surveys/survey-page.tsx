import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../session/session.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { QueryView, Status } from '../ui/states.tsx';
import { surveyTitle } from './survey-name.tsx';
import { type SurveyRecord, useSurvey } from './use-survey.ts';

/** The pages of a survey, and the permission that each one needs. */
const tabs = [
  { to: '/surveys/$surveyId', label: 'Overview', permission: 'surveys:read' },
  { to: '/surveys/$surveyId/results', label: 'Results', permission: 'responses:read' },
  { to: '/surveys/$surveyId/definition', label: 'Definition', permission: 'surveys:read' },
  { to: '/surveys/$surveyId/versions', label: 'Versions', permission: 'surveys:read' },
  { to: '/surveys/$surveyId/links', label: 'Links', permission: 'links:read' },
  { to: '/surveys/$surveyId/responses', label: 'Responses', permission: 'responses:read' },
  { to: '/surveys/$surveyId/preview', label: 'Preview', permission: 'surveys:read' },
] as const;

interface Props {
  readonly surveyId: string;
  /** Label of the tab, for the title of the document. */
  readonly tab: string;
  readonly actions?: (record: SurveyRecord) => ReactNode;
  /** The fragment of the address with conditions on responses. The tabs about responses keep it. */
  readonly hash?: string;
  /** Rendered when the survey is loaded. */
  readonly children: (record: SurveyRecord) => ReactNode;
}

/** A page of one survey: its title and status, links to its other pages, and the content. */
export function SurveyPage({ surveyId, tab, actions, hash = '', children }: Props) {
  const can = useCan();
  const query = useSurvey(surveyId);
  const record = query.data;
  return (
    <Page
      title={record === undefined ? 'Survey' : surveyTitle(record.survey.definition)}
      section={tab}
      breadcrumbs={[
        <Link key="surveys" to="/surveys">
          Surveys
        </Link>,
      ]}
      status={record && <Status value={record.survey.status} />}
      actions={record && actions?.(record)}
    >
      <Tabs label="Survey">
        {tabs
          .filter(({ permission }) => can(permission))
          .map(({ to, label, permission }) => (
            <Link
              key={to}
              to={to}
              params={{ surveyId }}
              hash={permission === 'responses:read' ? hash : ''}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {label}
            </Link>
          ))}
      </Tabs>
      <QueryView query={query}>{children}</QueryView>
    </Page>
  );
}
