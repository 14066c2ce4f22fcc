import type { NetPromoterScore, QuestionSummary, ResponseCondition } from '@survey/client';
import { shorten } from '@survey/questionnaire/shorten';
import { useMemo } from 'react';
import { ChartFigure, type ChartSelection } from '../charts/chart-figure.tsx';
import { cleanLabel } from '../charts/label.ts';
import { hasConditions } from '../conditions/where.ts';
import { Button } from '../ui/button.tsx';
import { countOf, formatNumber, formatShare } from '../ui/format.tsx';
import { conditionsOn, PROMOTER_GROUPS } from './answer-conditions.ts';
import { AnswerList } from './answer-list.tsx';
import { CrosstabResult } from './crosstab-result.tsx';
import { titleOfQuestion, toQuestionChart } from './question-chart.ts';
import type { ResultFilter } from './results-search.ts';

const LISTED_TYPES: readonly string[] = ['text', 'textarea', 'file_upload'];

interface Props {
  readonly surveyId: string;
  readonly question: QuestionSummary;
  /** The filters and conditions of these results. */
  readonly filter: ResultFilter;
  /** Adds conditions to those of the page, or removes them if they are there. */
  readonly onToggle: (conditions: readonly ResponseCondition[]) => void;
  /** Names of the groups to compare. Undefined without groups. */
  readonly groups: readonly string[] | undefined;
}

/** The answers to a question: those of each group, or of all responses. */
export function QuestionResult({ groups, ...props }: Props) {
  const all = <AllAnswers {...props} />;
  return groups === undefined ? all : <CrosstabResult question={props.question} names={groups} fallback={all} />;
}

/** A chart, or the texts and files of a question. */
function AllAnswers({ surveyId, question, filter, onToggle }: Omit<Props, 'groups'>) {
  const chart = useMemo(() => toQuestionChart(question), [question]);
  if (chart !== undefined) {
    const { question_id, nps } = question;
    const selection: ChartSelection = {
      isSelected: (answers) => hasConditions(filter.where, conditionsOn(question, answers)),
      toggle: (answers) => onToggle(conditionsOn(question, answers)),
    };
    return (
      <ChartFigure chart={chart} selection={selection}>
        <AnswerCounts question={question} />
        {nps !== undefined && <PromoterScore questionId={question_id} nps={nps} filter={filter} onToggle={onToggle} />}
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

interface PromoterScoreProps extends Pick<Props, 'filter' | 'onToggle'> {
  readonly questionId: string;
  readonly nps: NetPromoterScore;
}

function PromoterScore({ questionId, nps, filter, onToggle }: PromoterScoreProps) {
  const { score, promoters, passives, detractors } = nps;
  const total = promoters + passives + detractors;
  return (
    <dl className="chart-numbers small">
      <div>
        <dt>Net promoter score</dt>
        <dd className="facts-value">{formatNumber(Math.round(score * 10) / 10)}</dd>
      </div>
      {PROMOTER_GROUPS.map(({ name, label, tone, test }) => {
        const conditions = [{ source_question: questionId, ...test }];
        return (
          <div key={name}>
            <dt className="legend" data-tone={tone}>
              <Button
                variant="plain"
                aria-pressed={hasConditions(filter.where, conditions)}
                onPress={() => onToggle(conditions)}
              >
                {label}
              </Button>
            </dt>
            <dd>
              {formatNumber(nps[name])} · {formatShare(total === 0 ? 0 : nps[name] / total)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
