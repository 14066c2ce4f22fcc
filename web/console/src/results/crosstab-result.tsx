import type { QuestionSummary, ResponseGrouping } from '@survey/client';
import { type ReactNode, useMemo } from 'react';
import { ChartFigure } from '../charts/chart-figure.tsx';
import { describeGroup, describeMean, describeTests, toCrosstabChart } from './crosstab-chart.ts';

/** Groups whose numbers are shown beside the chart. The CSV has all. */
const MAX_GROUPS = 30;
const MAX_ROWS = 10;

interface Props {
  readonly question: QuestionSummary;
  readonly names: readonly string[];
  /** Shown if the question is not counted by group, or has no answers. */
  readonly fallback: ReactNode;
}

/** The answers of each group to a question, with a verdict in words. */
export function CrosstabResult({ question, names, fallback }: Props) {
  const chart = useMemo(() => toCrosstabChart(question, names), [question, names]);
  if (chart === undefined) return fallback;
  const groups = question.crosstab?.groups ?? [];
  const hasMeans = groups.some(({ mean }) => mean !== undefined);
  return (
    <ChartFigure chart={chart}>
      {describeTests(question)
        .slice(0, MAX_ROWS)
        .map((verdict) => (
          <p key={verdict} className="small">
            <bdi>{verdict}</bdi>
          </p>
        ))}
      <dl className="chart-numbers small">
        {groups.slice(0, MAX_GROUPS).map((group, index) => (
          // Groups have no other identity than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: names of groups can be equal
          <div key={index}>
            <dt>
              <bdi>{names[index]}</bdi>
            </dt>
            <dd>{hasMeans ? `Mean ${describeMean(group)}` : describeGroup(group)}</dd>
          </div>
        ))}
      </dl>
    </ChartFigure>
  );
}

/** Says what the groups are, and which counts are missing. */
export function describeGrouping({ overlapping, more_values }: ResponseGrouping, minCell: number | undefined): string {
  return [
    'Bars and percentages are shares of each group.',
    ...(overlapping ? ['A response is in the group of each option that it chose.'] : []),
    ...(more_values
      ? ['There are more than 100 values: the groups are the most frequent of those that were read first.']
      : []),
    ...(minCell === undefined
      ? []
      : [`Counts below ${minCell} are hidden, and others that reveal them. Other filters can still reveal them.`]),
  ].join(' ');
}
