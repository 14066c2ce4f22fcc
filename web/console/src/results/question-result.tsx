import type { NetPromoterScore, QuestionSummary } from '@survey/client';
import { shorten } from '@survey/questionnaire/shorten';
import { useMemo } from 'react';
import { ChartFigure } from '../charts/chart-figure.tsx';
import { cleanLabel } from '../charts/label.ts';
import { countOf, formatNumber, formatShare } from '../ui/format.tsx';
import { AnswerList } from './answer-list.tsx';
import { titleOfQuestion, toQuestionChart } from './question-chart.ts';
import type { ResultFilter } from './results-search.ts';

const LISTED_TYPES: readonly string[] = ['text', 'textarea', 'file_upload'];

interface Props {
  readonly surveyId: string;
  readonly question: QuestionSummary;
  readonly filter: ResultFilter;
}

/** The answers to a question: a chart, or its texts and files. */
export function QuestionResult({ surveyId, question, filter }: Props) {
  const chart = useMemo(() => toQuestionChart(question), [question]);
  if (chart !== undefined) {
    return (
      <ChartFigure chart={chart}>
        <AnswerCounts question={question} />
        {question.nps !== undefined && <PromoterScore nps={question.nps} />}
        <Numbers question={question} />
      </ChartFigure>
    );
  }
  const title = titleOfQuestion(question);
  return (
    <section className="chart card">
      <h3 className="chart-title">
        <bdi className="clamped">{title}</bdi>
      </h3>
      <AnswerCounts question={question} />
      {question.answered > 0 && LISTED_TYPES.includes(question.type) && (
        <AnswerList surveyId={surveyId} question={question} filter={filter} title={shorten(cleanLabel(title), 80)} />
      )}
    </section>
  );
}

/** The numbers of respondents who answered the question, did not answer it, or did not see it. */
function AnswerCounts({ question }: { readonly question: QuestionSummary }) {
  const { type, answered, unanswered, not_shown, files, versions, other_versions } = question;
  const counts = [
    `${formatNumber(answered)} answered`,
    `${formatNumber(unanswered)} did not answer`,
    ...(not_shown === 0 ? [] : [countOf(not_shown, 'was not shown it', 'were not shown it')]),
    ...(files === undefined ? [] : [countOf(files, 'file', 'files')]),
    ...(other_versions.length === 0 ? [] : [`another type in version ${other_versions.join(', ')}`]),
    ...(versions.length === 0 ? ['only in other versions'] : []),
  ];
  return (
    <p className="soft small">
      {type.replaceAll('_', ' ')} · {counts.join(' · ')}
    </p>
  );
}

function Numbers({ question: { mean, median, stddev, min, max } }: { readonly question: QuestionSummary }) {
  const numbers = [
    ['Mean', mean],
    ['Median', median],
    ['Standard deviation', stddev],
    ['Least', min],
    ['Greatest', max],
  ] as const;
  const present = numbers.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  if (present.length === 0) return null;
  return (
    <dl className="chart-numbers small">
      {present.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatNumber(Math.round(value * 100) / 100)}</dd>
        </div>
      ))}
    </dl>
  );
}

function PromoterScore({ nps: { score, promoters, passives, detractors } }: { readonly nps: NetPromoterScore }) {
  const total = promoters + passives + detractors;
  const groups = [
    ['good', 'Promoters', promoters],
    ['warn', 'Passives', passives],
    ['bad', 'Detractors', detractors],
  ] as const;
  return (
    <dl className="chart-numbers small">
      <div>
        <dt>Net promoter score</dt>
        <dd className="facts-value">{formatNumber(Math.round(score * 10) / 10)}</dd>
      </div>
      {groups.map(([tone, label, count]) => (
        <div key={tone}>
          <dt className="legend" data-tone={tone}>
            {label}
          </dt>
          <dd>
            {formatNumber(count)} · {formatShare(total === 0 ? 0 : count / total)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
