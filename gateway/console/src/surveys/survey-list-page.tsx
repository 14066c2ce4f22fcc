import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session.tsx';
import { Status } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import { SURVEY_STATUSES, type SurveyListSearch } from './survey-list-search.ts';
import { SurveyTitle } from './survey-title.tsx';

export function SurveyListPage() {
  const client = useClient();
  const search = useSearch({ from: '/surveys' });
  const navigate = useNavigate({ from: '/surveys' });
  const surveys = usePages(['surveys', search], (cursor, signal) =>
    client.surveys.list({ ...search, ...(cursor === undefined ? {} : { cursor }) }, { signal }).page(),
  );
  const filter = (change: { readonly [Name in keyof SurveyListSearch]?: SurveyListSearch[Name] | undefined }) =>
    void navigate({ search: (previous) => removeUndefined({ ...previous, ...change }), replace: true });

  return (
    <Page title="Surveys">
      <div className="row">
        <TextField
          label="Search"
          type="search"
          value={search.q ?? ''}
          onChange={(q) => filter({ q: q === '' ? undefined : q })}
        />
        <SelectField
          label="Status"
          value={search.status ?? ''}
          onChange={(status) => filter({ status: status === '' ? undefined : status })}
          options={[{ value: '', label: 'All' }, ...SURVEY_STATUSES.map((value) => ({ value, label: value }))]}
        />
      </div>
      <PagedList query={surveys} empty={<Empty title="No surveys match." />}>
        {(items) => (
          <DataTable
            caption="Surveys"
            rows={items}
            rowKey={(survey) => survey.id}
            columns={[
              {
                header: 'Title',
                cell: (survey) => (
                  <Link to="/surveys/$surveyId" params={{ surveyId: survey.id }}>
                    <SurveyTitle definition={survey.definition} />
                  </Link>
                ),
              },
              { header: 'Status', cell: (survey) => <Status value={survey.status} /> },
              { header: 'Created', cell: (survey) => <Time value={survey.created_at} /> },
            ]}
          />
        )}
      </PagedList>
    </Page>
  );
}

function removeUndefined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  // Only members with a value are left.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}
