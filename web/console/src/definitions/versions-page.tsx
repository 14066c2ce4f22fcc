import type { Survey, SurveyVersion } from '@survey/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session.tsx';
import { SurveyActions } from '../surveys/survey-actions.tsx';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { surveyKey, useDefinition } from '../surveys/use-survey.ts';
import { DataTable } from '../ui/data-table.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty, QueryView } from '../ui/states.tsx';
import { DefinitionDiff } from './definition-diff.tsx';
import { type CompareSearch, readVersion } from './definition-search.ts';

export function VersionsPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/versions' });
  return (
    <SurveyPage surveyId={surveyId} tab="Versions" actions={(record) => <SurveyActions record={record} />}>
      {({ survey }) => <Versions survey={survey} />}
    </SurveyPage>
  );
}

function Versions({ survey }: { readonly survey: Survey }) {
  const client = useClient();
  const search = useSearch({ from: '/surveys/$surveyId/versions' });
  const versions = usePages([...surveyKey(survey.id), 'versions', survey.version], (cursor, signal) =>
    client.surveys.listVersions(survey.id, cursor === undefined ? {} : { cursor }, { signal }).page(),
  );
  return (
    <div className="stack">
      <PagedList query={versions} empty={<Empty title="There are no versions." />}>
        {(items) => (
          <>
            <VersionTable survey={survey} versions={items} />
            <Comparison survey={survey} versions={items} search={search} />
          </>
        )}
      </PagedList>
    </div>
  );
}

interface VersionsProps {
  readonly survey: Survey;
  /** Newest first. */
  readonly versions: readonly SurveyVersion[];
}

function VersionTable({ survey, versions }: VersionsProps) {
  const surveyId = survey.id;
  return (
    <DataTable
      caption="Versions"
      rows={versions}
      rowKey={({ version }) => String(version)}
      columns={[
        {
          header: 'Version',
          cell: ({ version }) => (
            <Link to="/surveys/$surveyId/definition" params={{ surveyId }} search={{ version }}>
              Version {version}
            </Link>
          ),
        },
        { header: 'Created', cell: ({ created_at, created_by }) => <ByUser time={created_at} user={created_by} /> },
        {
          header: 'First published',
          cell: ({ published_at, published_by }) => <ByUser time={published_at} user={published_by} />,
        },
        {
          header: 'Changes',
          cell: ({ version }) => {
            if (version === 1) return <span className="soft">none before it</span>;
            const previous = version - 1;
            return (
              <Link
                to="/surveys/$surveyId/versions"
                params={{ surveyId }}
                search={{ from: previous, to: version }}
                aria-label={`Changes of version ${version} since version ${previous}`}
              >
                Since version {previous}
              </Link>
            );
          },
        },
      ]}
    />
  );
}

function ByUser({ time, user }: { readonly time: string | undefined; readonly user: string | undefined }) {
  return (
    <span className="stack-tight">
      <Time value={time} />
      {user !== undefined && (
        <span className="soft small">
          by <bdi>{user}</bdi>
        </span>
      )}
    </span>
  );
}

function Comparison({ survey, versions, search }: VersionsProps & { readonly search: CompareSearch }) {
  const navigate = useNavigate({ from: '/surveys/$surveyId/versions' });
  const [newest, previous] = versions;
  const to =
    (search.to === 'draft' && !survey.has_draft ? undefined : search.to) ??
    (survey.has_draft ? 'draft' : newest?.version);
  const from = search.from ?? (to === 'draft' ? newest : previous)?.version;
  if (from === undefined || to === undefined || newest === undefined)
    return <p className="soft">When there is a second version, this page shows what changed.</p>;

  const numbers = new Set([...versions.map(({ version }) => version), from, ...(to === 'draft' ? [] : [to])]);
  const options = [...numbers]
    .toSorted((left, right) => right - left)
    .map((version) => ({ value: String(version), label: `Version ${version}` }));
  const choose = (change: CompareSearch) =>
    void navigate({ search: { from, to, ...change }, params: { surveyId: survey.id }, replace: true });
  return (
    <section className="stack" aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      <div className="row">
        <SelectField
          label="From"
          value={String(from)}
          onChange={(value) => choose({ from: Number(value) })}
          options={options}
        />
        <SelectField
          label="To"
          value={String(to)}
          onChange={(value) => {
            const version = readVersion(value);
            choose(version === undefined ? {} : { to: version });
          }}
          options={[...(survey.has_draft ? [{ value: 'draft', label: 'Draft' }] : []), ...options]}
        />
      </div>
      <Diff survey={survey} from={from} to={to} />
    </section>
  );
}

interface DiffProps {
  readonly survey: Survey;
  readonly from: number;
  readonly to: 'draft' | number;
}

function Diff({ survey, from, to }: DiffProps) {
  const before = useDefinition(survey, from);
  const after = useDefinition(survey, to);
  return (
    <QueryView query={before}>
      {({ survey: old }) => (
        <QueryView query={after}>{({ survey: current }) => <DefinitionDiff before={old} after={current} />}</QueryView>
      )}
    </QueryView>
  );
}
