import { ApiError, type Completion, type Survey, type SurveySummary } from '@survey/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ChartFigure } from '../charts/chart-figure.tsx';
import { DownloadList } from '../downloads/download-list.tsx';
import { useLinks } from '../responses/response-queries.ts';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { Button, CopyButton } from '../ui/button.tsx';
import { displayLanguageOf, formatDuration, formatNumber, formatShare } from '../ui/format.tsx';
import { Facts } from '../ui/page.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty, QueryView } from '../ui/states.tsx';
import { toDropOffChart, toPagesChart } from './progress-charts.ts';
import { titleOfQuestion } from './question-chart.ts';
import { QuestionResult } from './question-result.tsx';
import { ResultFilters, type ResultsChange } from './result-filters.tsx';
import { type ResultFilter, type ResultsSearch, toResultFilter } from './results-search.ts';
import { toTimelineChart } from './timeline-chart.ts';
import { useSummary } from './use-summary.ts';

const FROM = '/surveys/$surveyId/results';

export function ResultsPage() {
  const { surveyId } = useParams({ from: FROM });
  return (
    <SurveyPage
      surveyId={surveyId}
      tab="Results"
      actions={() => (
        <>
          <CopyButton label="Share" text={() => location.href} done="The address is copied." />
          <Button onPress={() => window.print()}>Print</Button>
        </>
      )}
    >
      {({ survey }) => <Results survey={survey} />}
    </SurveyPage>
  );
}

function Results({ survey }: { readonly survey: Survey }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const links = useLinks(survey.id);
  const displayLanguage = search.display_language ?? displayLanguageOf(survey.definition);
  const filter = toResultFilter(search);
  const interval = search.interval ?? 'day';
  const summary = useSummary(survey, filter, {
    interval,
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    display_language: displayLanguage,
  });
  const change = (next: ResultsChange) =>
    void navigate({ search: removeUndefined({ ...search, ...next }), replace: true });
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
      <p className="print-only">{describeFilter(filter)}</p>
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
              <Summary survey={survey} summary={data.summary} filter={data.filter} interval={data.interval} />
            </>
          )}
        </QueryView>
      </div>
    </div>
  );
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
}

function Summary({ survey, summary, filter, interval }: SummaryProps) {
  const { completion, timeline, pages, drop_off, questions } = summary;
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
      <div className="columns">
        {questions.map((question) => (
          <QuestionResult
            key={`${question.question_id} ${question.type}`}
            surveyId={survey.id}
            question={question}
            filter={filter}
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

/** The filters as a line for print, where the fields are missing. */
function describeFilter(filter: ResultFilter): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
  return parts.length === 0 ? 'All responses' : parts.join(' · ');
}
