import { expect, it } from 'vitest';
import { toAnswerTypes } from './answer-types.ts';

const CONDITIONS = 'export type Condition =';

/** The type of answers among the printed types. */
function answersOf(types: string): string {
  return types.slice(0, types.indexOf('\n/** A condition on'));
}

/** The types of conditions among the printed types. */
function conditionsOf(types: string): string {
  return types.slice(types.indexOf(CONDITIONS));
}

it('every known type of question has the type of its answers', () => {
  const definition = {
    pages: [
      {
        questions: [
          {
            id: 'drink',
            type: 'single_choice',
            title: 'Drink?',
            options: [{ id: 'tea', text: 'Tea' }, 'Water', 'other'],
          },
          { id: 'more', type: 'single_choice', title: { en: 'More?', de: 'Mehr?' }, options: ['a'], allow_other: true },
          {
            id: 'dishes',
            type: 'multiple_choice',
            title: "It's */\nall",
            options: [{ text: { en: 'Soup', de: 'Suppe' } }, "Chef's"],
          },
          { id: 'any', type: 'multiple_choice', options: ['a'], allow_other: true },
        ],
      },
      {
        questions: [
          { id: 'nps', type: 'rating', title: 'NPS' },
          { id: 'service', type: 'likert', options: ['no', 'yes'], rows: [{ id: 'fast' }, { id: 'kind' }] },
          { id: 'mood', type: 'likert', options: ['bad', 'good'] },
          { id: 'days', type: 'matrix', rows: ['mon'], columns: ['in', 'out'], multiple: true },
          { id: 'seat', type: 'matrix', rows: ['mon'], columns: ['in', 'out'] },
          { id: 'name', type: 'text', format: 'number' },
          { id: 'note', type: 'textarea' },
          { id: 'day', type: 'date' },
          { id: 'at', type: 'time' },
          { id: 'receipt', type: 'file_upload' },
          { id: 'new', type: 'hologram' },
        ],
      },
    ],
  };
  expect(
    answersOf(toAnswerTypes(definition, 'Lunch')),
  ).toBe(`/** Answers to "Lunch", by question id. Hidden and unanswered questions have none. */
export type Answers = {
  /** Drink? */
  'drink'?: 'tea' | 'Water' | 'other_option';
  /** More? */
  'more'?: 'a' | { option: 'other'; text: string };
  /** It's * / all */
  'dishes'?: ('Soup' | 'Chef\\'s')[];
  'any'?: ('a')[] | { options?: ('a')[]; other: string };
  /** NPS */
  'nps'?: number;
  'service'?: { 'fast'?: 'no' | 'yes'; 'kind'?: 'no' | 'yes' };
  'mood'?: 'bad' | 'good';
  'days'?: { 'mon'?: ('in' | 'out')[] };
  'seat'?: { 'mon'?: 'in' | 'out' };
  'name'?: string;
  'note'?: string;
  'day'?: string;
  'at'?: string;
  'receipt'?: { file_id: string }[];
};
`);
});

it('conditions have the operators and values of their source', () => {
  const questions = [
    { id: 'drink', type: 'single_choice', options: ['tea', "Chef's"], allow_other: true },
    { id: 'dishes', type: 'multiple_choice', options: ['soup'] },
    { id: 'weight', type: 'text', format: 'number' },
    { id: 'receipt', type: 'file_upload' },
  ];
  const order = "'greater_than' | 'greater_or_equal' | 'less_than' | 'less_or_equal'";
  const parts = "'language' | 'link_id' | 'external_id' | `metadata.$" + '{string}`';
  expect(conditionsOf(toAnswerTypes({ pages: [{ questions }] }, 'Lunch'))).toBe(`export type Condition =
  | { source_question: 'drink'; operator: 'equals' | 'not_equals'; value: 'tea' | 'Chef\\'s' | 'other' }
  | { source_question: 'drink'; operator: 'in' | 'not_in'; value: ('tea' | 'Chef\\'s' | 'other')[] }
  | { source_question: 'drink'; operator: 'is_answered' | 'is_not_answered' }
  | { source_question: 'dishes'; operator: 'contains' | 'not_contains'; value: 'soup' }
  | { source_question: 'dishes'; operator: 'in' | 'not_in' | 'equals' | 'not_equals'; value: 'soup'[] }
  | { source_question: 'dishes'; operator: 'is_answered' | 'is_not_answered' }
  | { source_question: 'weight'; operator: 'equals' | 'not_equals' | ${order} | 'contains' | 'not_contains' | 'matches'; value: string | number }
  | { source_question: 'weight'; operator: 'in' | 'not_in'; value: (string | number)[] }
  | { source_question: 'weight'; operator: 'is_answered' | 'is_not_answered' }
  | { source_question: 'receipt'; operator: 'is_answered' | 'is_not_answered' }
  | { source: 'duration'; operator: 'equals' | 'not_equals' | ${order}; value: number }
  | { source: 'duration'; operator: 'in' | 'not_in'; value: number[] }
  | { source: 'duration'; operator: 'is_answered' | 'is_not_answered' }
  | { source: ${parts}; operator: 'contains' | 'not_contains' | 'equals' | 'not_equals' | 'matches'; value: string }
  | { source: ${parts}; operator: 'in' | 'not_in'; value: string[] }
  | { source: ${parts}; operator: 'is_answered' | 'is_not_answered' };

/** Conditions for \`where\` of the client. */
export type Where = { match?: 'all' | 'any'; conditions: Condition[] };
`);
});
