import type { ResponseConditions, Survey, SurveyResponse } from '@survey/client';
import { questionSources, responseSources } from '@survey/questionnaire/conditions/condition-sources';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ConditionSection } from '../conditions/condition-section.tsx';
import { DeletionDialog } from '../conditions/deletion-dialog.tsx';
import { type PageConditions, useConditions } from '../conditions/use-conditions.ts';
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

type OpenDialog = 'columns' | 'export' | 'delete';

export function ResponseListPage() {
  const { surveyId } = useParams({ from: FROM });
  const can = useCan();
  const [dialog, setDialog] = useState<OpenDialog>();
  const conditions = useConditions();
  return (
    <SurveyPage
      surveyId={surveyId}
      tab="Responses"
      hash={conditions.hash}
      actions={() => (
        <>
          <Button onPress={() => setDialog('columns')}>Columns</Button>
          {can('responses:delete') && <Button onPress={() => setDialog('delete')}>Delete…</Button>}
          {can('responses:export') && (
            <Button variant="primary" onPress={() => setDialog('export')}>
              Export
            </Button>
          )}
        </>
      )}
    >
      {({ survey }) => (
        <Responses survey={survey} conditions={conditions} dialog={dialog} onCloseDialog={() => setDialog(undefined)} />
      )}
    </SurveyPage>
  );
}

interface Props {
  readonly survey: Survey;
  readonly conditions: PageConditions;
  readonly dialog: OpenDialog | undefined;
  readonly onCloseDialog: () => void;
}

function Responses({ survey, conditions, dialog, onCloseDialog }: Props) {
  const can = useCan();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const language = chooseLanguage(survey.definition.supported_languages, navigator.languages);
  const links = useLinks(survey.id);

  const { columns, sample, exported } = search;
  const { where } = conditions;
  const otherFilters = toFilter(search);
  const filter = removeUndefined({ ...otherFilters, where });
  const list = useResponseList(survey.id, search, where);
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
  const questions = new Map([...earlier.toReversed(), ...current].map((question) => [question.id, question]));
  const titles = new Map([...questions].map(([id, { title }]) => [id, title]));
  const questionIds = [...new Set([...current, ...earlier].map(({ id }) => id))];
  const sources = [
    ...questionSources(questionIds.flatMap((id) => questions.get(id) ?? [])),
    ...responseSources({
      languages: survey.definition.supported_languages ?? [],
      links,
      metadataFields: survey.settings.metadata_fields ?? [],
    }),
  ];

  const change = (next: ChangeOf<ResponseSearch>, hash = conditions.hash) =>
    void navigate({ search: (previous) => removeUndefined({ ...previous, ...next }), hash, replace: true });
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
      <ConditionSection conditions={conditions} sources={sources} surveyId={survey.id} filter={otherFilters} />
      <p className="soft" role="status">
        {/* A space keeps the height of the line, so that the buttons below do not move when the count arrives. */}
        {count.data === undefined
          ? '\u00a0'
          : describeList(where === undefined ? describeCount(count.data.count, isFiltered) : undefined, sample)}
      </p>
      <PagedList
        query={list}
        empty={
          <Empty title={isFiltered ? 'No responses match.' : 'There are no responses yet.'}>
            {isFiltered && <Button onPress={() => change(WITHOUT_FILTERS, '')}>Remove the filters</Button>}
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
          sources={sources}
          language={language}
          options={exported}
          onStarted={(options) => change({ exported: options })}
          onClose={onCloseDialog}
        />
      )}
      {dialog === 'delete' && (
        <DeletionDialog surveyId={survey.id} filter={filter} sources={sources} onClose={onCloseDialog} />
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

function describeCount(count: number, isFiltered: boolean): string {
  return isFiltered
    ? countOf(count, 'response matches the filters', 'responses match the filters')
    : countOf(count, 'response', 'responses');
}

/** @param found the number of responses; undefined with conditions, because their section has it */
function describeList(found: string | undefined, sample: number | undefined): string {
  if (sample === undefined) return found ?? '';
  const drawn = `A random sample of at most ${formatNumber(sample)}.`;
  return found === undefined ? drawn : `${drawn} ${found}.`;
}

/** Loads the responses to a survey page by page, or one page with a random sample of them. */
function useResponseList(surveyId: string, search: ResponseSearch, where: ResponseConditions | undefined) {
  const client = useClient();
  const { columns, exported, sample, draw, ...query } = search;
  const listQuery = removeUndefined({ ...query, where });
  return usePages<SurveyResponse>(
    [...surveyResponsesKey(surveyId), 'list', { ...listQuery, sample, draw }],
    async (cursor, signal) => {
      if (sample === undefined) {
        const query = { ...listQuery, ...(cursor === undefined ? {} : { cursor }) };
        return client.responses.listByQuery(surveyId, query, { signal }).page();
      }
      const query = { ...removeUndefined({ ...toFilter(search), where }), random: true, limit: sample };
      // If drawing takes long, a sample comes in several parts.
      const items: SurveyResponse[] = [];
      for await (const response of client.responses.listByQuery(surveyId, query, { signal })) items.push(response);
      return { items, nextCursor: undefined };
    },
    // Do not load a sample again, because each request draws another one.
    { isFixed: sample !== undefined },
  );
}
