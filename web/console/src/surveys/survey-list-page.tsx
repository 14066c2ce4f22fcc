import type { Survey } from '@survey/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { SearchField, SelectField } from '../ui/fields.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty, Status } from '../ui/states.tsx';
import { ProjectSelect, useProjects } from './project-select.tsx';
import { useResponseCounts } from './response-counts.ts';
import { MAX_SEARCH_LENGTH, SURVEY_STATUSES, type SurveyListSearch } from './survey-list-search.ts';
import { SurveyTitle } from './survey-name.tsx';
import { useInvalidateSurvey } from './use-survey.ts';

type Change = { readonly [Name in keyof SurveyListSearch]?: SurveyListSearch[Name] | undefined };

export function SurveyListPage() {
  const client = useClient();
  const can = useCan();
  const search = useSearch({ from: '/surveys' });
  const navigate = useNavigate({ from: '/surveys' });
  const areDeleted = search.deleted === true;
  // Deleted surveys have other columns. `areDeleted` in the key makes them another list, which shows no previous rows.
  const surveys = usePages(['surveys', { areDeleted }, search], (cursor, signal) =>
    client.surveys.list({ ...search, ...(cursor === undefined ? {} : { cursor }) }, { signal }).page(),
  );
  const change = (changes: Change) =>
    void navigate({ search: (previous) => removeUndefined({ ...previous, ...changes }), replace: true });
  const isFiltered = Object.keys(search).length > 0;

  return (
    <Page
      title="Surveys"
      actions={
        can('surveys:write') && (
          <Link className="button" data-variant="primary" to="/surveys/new">
            New survey
          </Link>
        )
      }
    >
      <search className="row">
        <SearchField
          label="Search titles"
          maxLength={MAX_SEARCH_LENGTH}
          value={search.q}
          onChange={(q) => change({ q })}
        />
        <SelectField
          label="Status"
          value={search.deleted ? 'deleted' : (search.status ?? '')}
          onChange={(status) =>
            change(
              status === 'deleted'
                ? { deleted: true, status: undefined }
                : { deleted: undefined, status: status === '' ? undefined : status },
            )
          }
          options={[
            { value: '', label: 'All' },
            ...SURVEY_STATUSES.map((value) => ({ value, label: capitalize(value) })),
            ...(can('surveys:delete') ? [{ value: 'deleted' as const, label: 'Deleted' }] : []),
          ]}
        />
        <ProjectSelect
          noneLabel="All projects"
          value={search.project_id}
          onChange={(project_id) => change({ project_id })}
        />
      </search>
      <PagedList query={surveys} empty={isFiltered ? <Empty title="No surveys match." /> : <NoSurveys />}>
        {(items) => <SurveyTable surveys={items} areDeleted={areDeleted} />}
      </PagedList>
    </Page>
  );
}

function NoSurveys() {
  const can = useCan();
  return (
    <Empty title="There are no surveys yet.">
      {can('surveys:write') && (
        <Link className="button" data-variant="primary" to="/surveys/new">
          Create the first one
        </Link>
      )}
    </Empty>
  );
}

interface TableProps {
  readonly surveys: readonly Survey[];
  readonly areDeleted: boolean;
}

function SurveyTable({ surveys, areDeleted }: TableProps) {
  const projects = useProjects();
  const counts = useResponseCounts(surveys.map(({ id }) => id));
  const hasProjects = surveys.some(({ project_id }) => project_id !== undefined);
  const columns: readonly (Column<Survey> | false)[] = [
    { header: 'Title', cell: (survey) => <TitleCell survey={survey} isDeleted={areDeleted} /> },
    { header: 'Status', cell: ({ status, has_draft }) => <StatusCell status={status} hasDraft={has_draft} /> },
    hasProjects && {
      header: 'Project',
      cell: ({ project_id }) => {
        const project = projects.find(({ id }) => id === project_id);
        return <bdi className="clamped">{project?.name ?? project_id}</bdi>;
      },
    },
    { header: 'Version', align: 'end', cell: ({ version }) => version },
    counts !== undefined && {
      header: 'Responses',
      align: 'end',
      cell: ({ id }) => {
        const counted = counts.get(id);
        return typeof counted === 'object' ? (
          formatNumber(counted.total ?? 0)
        ) : (
          <NotCounted hasFailed={counted === 'failed'} />
        );
      },
    },
    counts !== undefined && {
      header: 'Last response',
      cell: ({ id }) => {
        const counted = counts.get(id);
        return typeof counted === 'object' ? (
          <Time value={counted.last_response_at} />
        ) : (
          <NotCounted hasFailed={counted === 'failed'} />
        );
      },
    },
    areDeleted
      ? { header: 'Deleted', cell: ({ deleted_at }) => <Time value={deleted_at} /> }
      : { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} /> },
    areDeleted && { header: 'Actions', cell: (survey) => <RestoreButton survey={survey} /> },
  ];
  return (
    <DataTable
      caption={areDeleted ? 'Deleted surveys' : 'Surveys'}
      rows={surveys}
      rowKey={({ id }) => id}
      columns={columns.filter((column) => column !== false)}
    />
  );
}

function TitleCell({ survey, isDeleted }: { readonly survey: Survey; readonly isDeleted: boolean }) {
  const title = (
    <span className="clamped">
      <SurveyTitle definition={survey.definition} />
    </span>
  );
  if (isDeleted) return title;
  return (
    <Link to="/surveys/$surveyId" params={{ surveyId: survey.id }}>
      {title}
    </Link>
  );
}

function StatusCell({ status, hasDraft }: { readonly status: string; readonly hasDraft: boolean }) {
  return (
    <span className="row-tight">
      <Status value={status} />
      {hasDraft && <Status value="has a draft" tone="warn" />}
    </span>
  );
}

/** Surveys with many responses are counted in the background at first. */
function NotCounted({ hasFailed }: { readonly hasFailed: boolean }) {
  return <span className="soft">{hasFailed ? 'not available' : '…'}</span>;
}

function RestoreButton({ survey }: { readonly survey: Survey }) {
  const client = useClient();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Restore</Button>
      <FormDialog
        title="Restore this survey?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submitLabel="Restore"
        onSubmit={async () => {
          await client.surveys.restore(survey.id);
          announce('The survey is restored.');
          await invalidateSurvey(survey.id);
        }}
      >
        <p>
          <SurveyTitle definition={survey.definition} /> is listed again. If it was active, it is closed now.
        </p>
      </FormDialog>
    </>
  );
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
