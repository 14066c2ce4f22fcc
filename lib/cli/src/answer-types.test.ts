import { expect, it } from 'vitest';
import { toAnswerTypes } from './answer-types.ts';

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
    toAnswerTypes(definition, 'Lunch'),
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
