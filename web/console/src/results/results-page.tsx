import {
  ApiError,
  type Completion,
  type Link,
  type ResponseCondition,
  type Survey,
  type SurveySummary,
} from '@survey/client';
import {
  type ConditionSource,
  describeConditions,
  questionSources,
  responseSources,
} from '@survey/questionnaire/conditions/condition-sources';
import { shorten } from '@survey/questionnaire/shorten';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ChartFigure } from '../charts/chart-figure.tsx';
import { ConditionSection } from '../conditions/condition-section.tsx';
import { type PageConditions, useConditions } from '../conditions/use-conditions.ts';
import { addConditions, hasConditions, removeConditions } from '../conditions/where.ts';
import { readQuestions } from '../definitions/questions.ts';
import { DownloadList } from '../downloads/download-list.tsx';
import { useDefinitions, useLinks } from '../responses/response-queries.ts';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button, CopyButton } from '../ui/button.tsx';
import { displayLanguageOf, formatDuration, formatNumber, formatShare } from '../ui/format.tsx';
import { Facts } from '../ui/page.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty, QueryView } from '../ui/states.tsx';
import { CompareFields } from './compare-fields.tsx';
import { namesOfGroups } from './crosstab-chart.ts';
import { describeGrouping } from './crosstab-result.tsx';
import { toDropOffChart, toPagesChart } from './progress-charts.ts';
import { titleOfQuestion } from './question-chart.ts';
import { QuestionResult } from './question-result.tsx';
import { ResultFilters, type ResultsChange } from './result-filters.tsx';
import { type ResultFilter, type ResultsSearch, toComparison, toResultFilter } from './results-search.ts';
import { toTimelineChart } from './timeline-chart.ts';
import { useSummary } from './use-summary.ts';

const FROM = '/surveys/$surveyId/results';

export function ResultsPage() {
  const { surveyId } = useParams({ from: FROM });
  const conditions = useConditions();
  return (
    <SurveyPage
      surveyId={surveyId}
      tab="Results"
      hash={conditions.hash}
      actions={() => (
        <>
          <CopyButton label="Share" text={() => location.href} done="The address is copied." />
          <Button onPress={() => window.print()}>Print</Button>
        </>
      )}
    >
      {({ survey }) => <Results survey={survey} conditions={conditions} />}
    </SurveyPage>
  );
}

interface ResultsProps {
  readonly survey: Survey;
  readonly conditions: PageConditions;
}

function Results({ survey, conditions }: ResultsProps) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const links = useLinks(survey.id);
  const displayLanguage = search.display_language ?? displayLanguageOf(survey.definition);
  const { where } = conditions;
  const otherFilters = toResultFilter(search);
  const filter = removeUndefined({ ...otherFilters, where });
  const comparison = toComparison(search);
  const interval = search.interval ?? 'day';
  const summary = useSummary(survey, filter, {
    interval,
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    display_language: displayLanguage,
    ...comparison,
  });
  const change = (next: ResultsChange) =>
    void navigate({ search: removeUndefined({ ...search, ...next }), hash: conditions.hash, replace: true });
  const sources = useSources(survey, summary.data?.summary, displayLanguage, links);
  const announce = useAnnounce();

  function toggle(toggled: readonly ResponseCondition[]): void {
    const isRemoved = hasConditions(where, toggled);
    const next = isRemoved ? removeConditions(where, toggled) : addConditions(where, toggled);
    if (!conditions.change(next)) return;
    const text = describeConditions({ conditions: toggled }, sources);
    announce(`${isRemoved ? 'Condition removed' : 'Condition added'}: ${shorten(text, MAX_ANNOUNCED_LENGTH)}`);
  }

  return (
    <div className="stack">
      <DownloadList group={survey.id} />
      <ResultFilters
        survey={survey}
        links={links}
        search={search}
        displayLanguage={displayLanguage}
        onChange={change}
      />
      <ConditionSection conditions={conditions} sources={sources} surveyId={survey.id} filter={otherFilters} />
      <CompareFields
        survey={survey}
        links={links}
        comparison={comparison}
        displayLanguage={displayLanguage}
        onChange={change}
      />
      <p className="print-only">{describeFilter(filter, sources)}</p>
      <p className="visually-hidden" role="status">
        {summary.isFetching ? 'Counting…' : ''}
      </p>
      {summary.failureCount > 0 && summary.isFetching && (
        <p className="notice" data-tone="warn">
          {describeWait(summary.failureReason)}
        </p>
      )}
      <div className="results" data-stale={summary.isPlaceholderData} aria-busy={summary.isPlaceholderData}>
        <QueryView query={summary}>
          {(data) => (
            <>
              {data.interval !== interval && (
                <p className="notice" data-tone="warn">
                  The responses are spread over too many hours. They are shown by day.
                </p>
              )}
              <Summary
                survey={survey}
                summary={data.summary}
                filter={data.filter}
                interval={data.interval}
                onToggle={toggle}
                links={links}
                minCell={comparison.min_cell}
              />
            </>
          )}
        </QueryView>
      </div>
    </div>
  );
}

/** Questions of other versions whose definitions are loaded to name them in conditions. */
const MAX_VERSIONS = 10;
const MAX_ANNOUNCED_LENGTH = 200;

/** The questions and other parts of responses that conditions can test. Questions of other versions come last. */
function useSources(
  survey: Survey,
  summary: SurveySummary | undefined,
  language: string,
  links: readonly Link[],
): readonly ConditionSource[] {
  const current = readQuestions(survey.definition, language);
  const ids = new Set(current.map(({ id }) => id));
  const earlier = summary?.questions.filter(({ question_id }) => !ids.has(question_id)) ?? [];
  const versions = [...new Set(earlier.flatMap(({ versions: [latest] }) => latest ?? []))].slice(0, MAX_VERSIONS);
  const definitions = useDefinitions(survey.id, versions);
  const others = versions.flatMap((version) => readQuestions(definitions.get(version) ?? {}, language));
  const earlierIds = new Set(earlier.map(({ question_id }) => question_id));
  return [
    ...questionSources([...current, ...others.filter(({ id }) => earlierIds.delete(id))]),
    ...responseSources({
      languages: survey.definition.supported_languages ?? [],
      links,
      metadataFields: survey.settings.metadata_fields ?? [],
    }),
  ];
}

/** Says why results take long: a long count, or an overloaded platform. */
function describeWait(reason: unknown): string {
  return reason instanceof ApiError && (reason.status === 429 || reason.status === 503)
    ? 'The platform is busy. This page tries again in some seconds.'
    : 'There are many responses to count. This page shows them as soon as they are counted.';
}

interface SummaryProps {
  readonly survey: Survey;
  readonly summary: SurveySummary;
  readonly filter: ResultFilter;
  readonly interval: NonNullable<ResultsSearch['interval']>;
  readonly onToggle: (conditions: readonly ResponseCondition[]) => void;
  readonly links: readonly Link[];
  readonly minCell: number | undefined;
}

function Summary({ survey, summary, filter, interval, onToggle, links, minCell }: SummaryProps) {
  const { completion, timeline, pages, drop_off, questions, grouping } = summary;
  const groups = useMemo(
    () => grouping && namesOfGroups(grouping, (id) => links.find((link) => link.id === id)?.slug),
    [grouping, links],
  );
  const charts = useMemo(() => {
    const titles = new Map(questions.map((question) => [question.question_id, titleOfQuestion(question)]));
    return {
      timeline: toTimelineChart(timeline, interval),
      pages: toPagesChart(pages, completion.started),
      dropOff: toDropOffChart(drop_off, titles),
    };
  }, [timeline, interval, pages, completion, drop_off, questions]);
  if (completion.started === 0) {
    return (
      <Empty
        title={Object.keys(filter).length > 0 ? 'No responses match the filters.' : 'There are no responses yet.'}
      />
    );
  }
  return (
    <>
      <Headline completion={completion} />
      {timeline.length > 0 && <ChartFigure chart={charts.timeline} />}
      <div className="columns">
        {pages.length > 0 && <ChartFigure chart={charts.pages} />}
        {drop_off.length > 0 && <ChartFigure chart={charts.dropOff} />}
      </div>
      <h2>Questions</h2>
      <p className="soft">{describeCounted(summary.responses, filter)}</p>
      {grouping !== undefined && <p className="soft">{describeGrouping(grouping, minCell)}</p>}
      <div className="columns">
        {questions.map((question) => (
          <QuestionResult
            key={`${question.question_id} ${question.type}`}
            surveyId={survey.id}
            question={question}
            filter={filter}
            onToggle={onToggle}
            groups={groups}
          />
        ))}
      </div>
    </>
  );
}

function Headline({ completion }: { readonly completion: Completion }) {
  const { started, completed, disqualified, in_progress, abandoned, median_seconds } = completion;
  return (
    <Facts
      facts={[
        { label: 'Responses', value: formatNumber(started) },
        { label: 'Completed', value: formatNumber(completed) },
        { label: 'Completion rate', value: started === 0 ? '–' : formatShare(completed / started) },
        {
          label: 'Median time',
          value: median_seconds === undefined ? '–' : formatDuration(median_seconds * 1000),
        },
        { label: 'In progress', value: formatNumber(in_progress) },
        { label: 'Abandoned', value: formatNumber(abandoned) },
        { label: 'Disqualified', value: formatNumber(disqualified) },
      ]}
    />
  );
}

function describeCounted(responses: number, { status = 'completed' }: ResultFilter): string {
  return `Answers of ${formatNumber(responses)} ${status.replaceAll('_', ' ')} ${responses === 1 ? 'response' : 'responses'}.`;
}

/** The filters and conditions as a line for print, where the fields are missing. */
function describeFilter({ where, ...filter }: ResultFilter, sources: readonly ConditionSource[]): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
  if (where !== undefined) parts.push(describeConditions(where, sources));
  return parts.length === 0 ? 'All responses' : parts.join(' · ');
}
