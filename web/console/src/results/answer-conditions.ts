import type { QuestionSummary, ResponseCondition } from '@survey/client';
import type { BarAnswers } from '../charts/chart.ts';

/** The conditions for the answers of a bar. Of a range, all must hold. */
export function conditionsOn(
  { question_id, type }: Pick<QuestionSummary, 'question_id' | 'type'>,
  answers: BarAnswers,
): readonly ResponseCondition[] {
  const toCondition = (operator: ResponseCondition['operator'], value: string | number): ResponseCondition => ({
    source_question: question_id,
    operator,
    value,
  });
  if ('is' in answers) return [toCondition(type === 'multiple_choice' ? 'contains' : 'equals', answers.is)];
  const { from, to, before } = answers;
  return [
    toCondition('greater_or_equal', from),
    ...(to === undefined ? [] : [toCondition('less_or_equal', to)]),
    ...(before === undefined ? [] : [toCondition('less_than', before)]),
  ];
}

/** A group of the net promoter score, with the test of its ratings. */
interface PromoterGroup {
  readonly name: 'promoters' | 'passives' | 'detractors';
  readonly label: string;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly test: Pick<ResponseCondition, 'operator' | 'value'>;
}

export const PROMOTER_GROUPS: readonly PromoterGroup[] = [
  { name: 'promoters', label: 'Promoters', tone: 'good', test: { operator: 'greater_or_equal', value: 9 } },
  { name: 'passives', label: 'Passives', tone: 'warn', test: { operator: 'in', value: [7, 8] } },
  { name: 'detractors', label: 'Detractors', tone: 'bad', test: { operator: 'less_or_equal', value: 6 } },
];
