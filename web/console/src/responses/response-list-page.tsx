import type { Survey, SurveyResponse } from '@survey/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuestions } from '../definitions/questions.ts';
import { DownloadList } from '../downloads/download-list.tsx';
import { ExportAgain } from '../exports/export-again.tsx';
import { ExportDialog } from '../exports/export-dialog.tsx';
import { useCan, useClient } from '../session/session.tsx';
import { surveyResponsesKey, useResponseCount } from '../surveys/response-counts.ts';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { chooseLanguage, countOf, formatNumber } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty } from '../ui/states.tsx';
import { ColumnDialog, createColumns, defaultColumns, responseColumnChoices } from './response-columns.tsx';
import { ResponseFilters } from './response-filters.tsx';
import { useDefinitions, useLinks } from './response-queries.ts';
import { type ResponseSearch, toFilter } from './response-search.ts';

const FROM = '/surveys/$surveyId/responses';

type OpenDialog = 'columns' | 'export';

export function ResponseListPage() {
  const { surveyId } = useParams({ from: FROM });
  const can = useCan();
  const [dialog, setDialog] = useState<OpenDialog>();
  return (
    <SurveyPage
      surveyId={surveyId}
      tab="Responses"
      actions={() => (
        <>
          <Button onPress={() => setDialog('columns')}>Columns</Button>
          {can('responses:export') && (
            <Button variant="primary" onPress={() => setDialog('export')}>
              Export
            </Button>
          )}
        </>
      )}
    >
      {({ survey }) => <Responses survey={survey} dialog={dialog} onCloseDialog={() => setDialog(undefined)} />}
    </SurveyPage>
  );
}

interface Props {
  readonly survey: Survey;
  readonly dialog: OpenDialog | undefined;
  readonly onCloseDialog: () => void;
}

function Responses({ survey, dialog, onCloseDialog }: Props) {
  const can = useCan();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const language = chooseLanguage(survey.definition.supported_languages, navigator.languages);
  const links = useLinks(survey.id);

  const { columns, sample, exported } = search;
  const filter = toFilter(search);
  const list = useResponseList(survey.id, search);
  const count = useResponseCount(survey.id, filter);
  const shown = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const versions = [...new Set([survey.version, ...shown.map(({ survey_version }) => survey_version)])].sort(
    (one, other) => other - one,
  );
  const definitions = useDefinitions(survey.id, versions);

  // Questions of the latest version come first, then those that only earlier versions have. Each title is from the
  // newest version that has the question.
  const current = readQuestions(survey.definition, language);
  const earlier = versions.flatMap((version) => readQuestions(definitions.get(version) ?? {}, language));
  const titles = new Map([...earlier.toReversed(), ...current].map(({ id, title }) => [id, title]));
  const questionIds = [...new Set([...current, ...earlier].map(({ id }) => id))];

  const change = (next: ChangeOf<ResponseSearch>) =>
    void navigate({ search: (previous) => removeUndefined({ ...previous, ...next }), replace: true });
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <div className="stack">
      <DownloadList group={survey.id} />
      {exported !== undefined && can('responses:export') && (
        <ExportAgain
          survey={survey}
          filter={filter}
          language={language}
          options={exported}
          onForget={() => change({ exported: undefined })}
        />
      )}
      <ResponseFilters survey={survey} links={links} search={search} onChange={change} />
      <p className="soft" role="status">
        {/* A space keeps the height of the line, so that the buttons below do not move when the count arrives. */}
        {count.data === undefined ? '\u00a0' : describeCount(count.data.count, isFiltered, sample)}
      </p>
      <PagedList
        query={list}
        empty={
          <Empty title={isFiltered ? 'No responses match.' : 'There are no responses yet.'}>
            {isFiltered && <Button onPress={() => change(WITHOUT_FILTERS)}>Remove the filters</Button>}
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="Responses"
            rows={items}
            rowKey={({ id }) => id}
            columns={createColumns(columns ?? defaultColumns(current), titles, {
              surveyId: survey.id,
              language,
              definitions,
              links,
            })}
          />
        )}
      </PagedList>
      {dialog === 'columns' && (
        <ColumnDialog
          responseColumns={responseColumnChoices}
          questionColumns={questionIds.map((id) => ({ id, label: titles.get(id) ?? id }))}
          chosen={columns ?? defaultColumns(current)}
          onChoose={(next) => change({ columns: next })}
          onClose={onCloseDialog}
        />
      )}
      {dialog === 'export' && (
        <ExportDialog
          survey={survey}
          filter={filter}
          language={language}
          options={exported}
          onStarted={(options) => change({ exported: options })}
          onClose={onCloseDialog}
        />
      )}
    </div>
  );
}

type ChangeOf<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

const WITHOUT_FILTERS: ChangeOf<ResponseSearch> = {
  status: undefined,
  link_id: undefined,
  language: undefined,
  version: undefined,
  since: undefined,
  until: undefined,
  completed_since: undefined,
  completed_until: undefined,
  updated_since: undefined,
};

function describeCount(count: number, isFiltered: boolean, sample: number | undefined): string {
  const found = isFiltered
    ? countOf(count, 'response matches the filters', 'responses match the filters')
    : countOf(count, 'response', 'responses');
  return sample === undefined ? found : `A random sample of at most ${formatNumber(sample)}. ${found}.`;
}

/** Loads the responses to a survey page by page, or one page with a random sample of them. */
function useResponseList(surveyId: string, search: ResponseSearch) {
  const client = useClient();
  const { columns, exported, sample, draw, ...listQuery } = search;
  return usePages<SurveyResponse>(
    [...surveyResponsesKey(surveyId), 'list', { ...listQuery, sample, draw }],
    async (cursor, signal) => {
      if (sample === undefined) {
        const query = { ...listQuery, ...(cursor === undefined ? {} : { cursor }) };
        return client.responses.list(surveyId, query, { signal }).page();
      }
      const query = { ...toFilter(search), random: true, limit: sample };
      // If drawing takes long, a sample comes in several parts.
      const items: SurveyResponse[] = [];
      for await (const response of client.responses.list(surveyId, query, { signal })) items.push(response);
      return { items, nextCursor: undefined };
    },
    // Do not load a sample again, because each request draws another one.
    { isFixed: sample !== undefined },
  );
}
