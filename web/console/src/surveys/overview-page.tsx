import type { Survey, SurveyResponseCounts } from '@survey/client';
import { localize } from '@survey/questionnaire';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useCan } from '../session/session.tsx';
import { CopyButton } from '../ui/button.tsx';
import { countOf, displayLanguageOf, formatNumber, Time } from '../ui/format.tsx';
import { Loading, QueryView } from '../ui/states.tsx';
import { useProjects } from './project-select.tsx';
import { useSurveyCounts } from './response-counts.ts';
import { SettingsButton } from './settings-dialog.tsx';
import { SurveyActions } from './survey-actions.tsx';
import { SurveyPage } from './survey-page.tsx';
import { describeFindings, type SurveyRecord, useDefinition, useReport } from './use-survey.ts';

export function OverviewPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId' });
  return (
    <SurveyPage surveyId={surveyId} tab="Overview" actions={(record) => <SurveyActions record={record} />}>
      {(record) => <Overview record={record} />}
    </SurveyPage>
  );
}

function Overview({ record }: { readonly record: SurveyRecord }) {
  const { survey } = record;
  const can = useCan();
  return (
    <div className="stack">
      {survey.has_draft && (
        <div className="notice">
          <p>
            A newer definition waits to be published.{' '}
            <Link to="/surveys/$surveyId/definition" params={{ surveyId: survey.id }} search={{ version: 'draft' }}>
              Show the draft
            </Link>
            {', or '}
            <Link
              to="/surveys/$surveyId/versions"
              params={{ surveyId: survey.id }}
              search={{ from: survey.version, to: 'draft' }}
            >
              see its changes
            </Link>
            .
          </p>
        </div>
      )}
      <div className="columns">
        <div className="stack">
          <section className="card stack" aria-labelledby="definition">
            <h2 id="definition">Definition</h2>
            <DefinitionFacts survey={survey} />
          </section>
          {can('responses:read') && (
            <section className="card stack" aria-labelledby="responses">
              <h2 id="responses">Responses</h2>
              <ResponseFacts surveyId={survey.id} />
            </section>
          )}
          <section className="card stack" aria-labelledby="history">
            <h2 id="history">History</h2>
            <dl>
              <dt>Created</dt>
              <dd>
                <Time value={survey.created_at} /> by <bdi>{survey.created_by}</bdi>
              </dd>
              <dt>Changed</dt>
              <dd>
                <Time value={survey.updated_at} /> by <bdi>{survey.updated_by}</bdi>
              </dd>
              <dt>Published</dt>
              <dd>
                <Time value={survey.published_at} />
              </dd>
              <dt>Id</dt>
              <dd>
                <code>{survey.id}</code>
              </dd>
            </dl>
          </section>
        </div>
        <section className="card stack" aria-labelledby="settings">
          <h2 id="settings">Access and limits</h2>
          <Settings survey={survey} />
          {can('surveys:write') && (
            <div>
              <SettingsButton record={record} />
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

function DefinitionFacts({ survey }: { readonly survey: Survey }) {
  const { definition } = survey;
  const payload = useDefinition(survey, undefined);
  const report = useReport(survey, payload.data);
  const description = localize(definition, definition.description, displayLanguageOf(definition));
  return (
    <dl>
      {description !== '' && (
        <>
          <dt>Description</dt>
          <dd>
            <bdi className="clamped">{description}</bdi>
          </dd>
        </>
      )}
      <dt>Version</dt>
      <dd>{survey.version}</dd>
      <dt>Questions</dt>
      <dd>
        {formatNumber(definition.pages.reduce((sum, { questions }) => sum + questions.length, 0))} on{' '}
        {countOf(definition.pages.length, 'page', 'pages')}
      </dd>
      <dt>Languages</dt>
      <dd>
        <bdi>{definition.supported_languages.join(', ')}</bdi>
      </dd>
      <dt>Validation</dt>
      <dd>
        {report.data === undefined ? (
          <span className="soft">{report.isError ? 'not available' : 'Checking…'}</span>
        ) : (
          <Link to="/surveys/$surveyId/definition" params={{ surveyId: survey.id }}>
            {describeFindings(report.data)}
          </Link>
        )}
      </dd>
    </dl>
  );
}

function ResponseFacts({ surveyId }: { readonly surveyId: string }) {
  return (
    <QueryView query={useSurveyCounts(surveyId)}>
      {(counts) => (counts === null ? <Loading label="Counting…" /> : <CountFacts counts={counts} />)}
    </QueryView>
  );
}

function CountFacts({ counts }: { readonly counts: SurveyResponseCounts }) {
  const rows = [
    ['Completed', counts.completed],
    ['In progress', counts.in_progress],
    ['Disqualified', counts.disqualified],
    ['Abandoned', counts.abandoned],
  ] as const;
  return (
    <dl>
      {rows.map(([label, count]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{formatNumber(count ?? 0)}</dd>
        </Fragment>
      ))}
      <dt>Last response</dt>
      <dd>
        <Time value={counts.last_response_at} />
      </dd>
    </dl>
  );
}

function Settings({ survey }: { readonly survey: Survey }) {
  const { settings } = survey;
  const projects = useProjects();
  const project = projects.find(({ id }) => id === survey.project_id);
  // Everybody can answer an open survey there.
  const address = `${location.origin}/s/surveys/${encodeURIComponent(survey.id)}`;
  const isPublic = settings.access !== 'links_only';
  return (
    <dl>
      <dt>Respondents</dt>
      <dd>{isPublic ? 'Everybody with the address, or with a link' : 'Only with a link'}</dd>
      {isPublic && (
        <>
          <dt>Address</dt>
          <dd className="stack-tight">
            <a href={address} target="_blank" rel="noreferrer">
              {address}
            </a>
            <span>
              <CopyButton label="Copy the address" text={address} done="The address is copied." />
            </span>
          </dd>
        </>
      )}
      <dt>Opens</dt>
      <dd>{settings.opens_at === undefined ? 'when it is published' : <Time value={settings.opens_at} />}</dd>
      <dt>Closes</dt>
      <dd>{settings.closes_at === undefined ? 'when you close it' : <Time value={settings.closes_at} />}</dd>
      <dt>Response limit</dt>
      <dd>{settings.response_limit === undefined ? 'none' : formatNumber(settings.response_limit)}</dd>
      <dt>Languages</dt>
      <dd>
        {settings.languages === undefined || settings.languages.length === 0 ? (
          'all'
        ) : (
          <bdi>{settings.languages.join(', ')}</bdi>
        )}
      </dd>
      <dt>Responses are kept</dt>
      <dd>
        {settings.retention_days === undefined ? 'without limit' : `${formatNumber(settings.retention_days)} days`}
      </dd>
      <dt>Single-use links</dt>
      <dd>
        {settings.resume_across_devices === false
          ? 'continue only on the device that began'
          : 'continue on every device'}
      </dd>
      <dt>Metadata fields</dt>
      <dd>
        {settings.metadata_fields === undefined || settings.metadata_fields.length === 0
          ? 'none'
          : settings.metadata_fields.map(({ name }) => name).join(', ')}
      </dd>
      <dt>Project</dt>
      <dd>{survey.project_id === undefined ? 'none' : <bdi>{project?.name ?? survey.project_id}</bdi>}</dd>
    </dl>
  );
}
