import type { JsonObject } from '../../json.ts';
import type { Operator } from '../../logic/operators.ts';

/** An answer in our form and in that of survey-core, where `comment` is the text of other. */
interface Answer {
  readonly ours: unknown;
  readonly surveyCore: unknown;
  readonly comment?: string;
}

/** A kind of question that both systems support, with answers and conditions. */
export interface QuestionKind {
  readonly ours: JsonObject;
  readonly surveyCore: JsonObject;
  readonly answers: readonly Answer[];
  readonly operators: readonly (readonly [operator: Operator, values: readonly unknown[]])[];
}

function same(...values: readonly unknown[]): readonly Answer[] {
  return values.map((value) => ({ ours: value, surveyCore: value }));
}

const PRESENCE: QuestionKind['operators'] = [
  ['is_answered', [undefined]],
  ['is_not_answered', [undefined]],
];

function equality(values: readonly unknown[], lists: readonly unknown[]): QuestionKind['operators'] {
  return [...PRESENCE, ['equals', values], ['not_equals', values], ['in', lists], ['not_in', lists]];
}

function order(values: readonly unknown[]): QuestionKind['operators'] {
  return [
    ['greater_than', values],
    ['greater_or_equal', values],
    ['less_than', values],
    ['less_or_equal', values],
  ];
}

const ids = ['a', 'b', 'c'];
const idLists = [['a'], ['b', 'other'], ['a', 'b', 'c']];
const words = ['red', 'green apple', 'Blue', '3 apples', 'Äpfel'];
const wordOperators: QuestionKind['operators'] = [
  ...equality(['red', 'Blue', 'nothing'], [['red', 'Äpfel'], ['nothing']]),
  ['contains', ['apple', 'BLUE', 'e', 'x']],
  ['not_contains', ['apple', 'BLUE', 'e', 'x']],
  ['matches', ['^[a-z]+$', 'apple', 'p{2}', '^$']],
];
const dates = ['2023-12-31', '2024-02-29', '2024-10-01'];
const times = ['08:59', '09:00', '17:30'];
const numbers = [0, 1, 3, 5];
const numerals = ['0', '2', '10', '-3', '007'];

export const QUESTION_KINDS: Readonly<Record<string, QuestionKind>> = {
  single_choice: {
    ours: { type: 'single_choice', options: ids, allow_other: true },
    surveyCore: { type: 'radiogroup', choices: ids, showOtherItem: true },
    answers: [...same(...ids), { ours: { option: 'other', text: 'x' }, surveyCore: 'other', comment: 'x' }],
    operators: equality([...ids, 'other'], idLists),
  },
  multiple_choice: {
    ours: { type: 'multiple_choice', options: ids, allow_other: true },
    surveyCore: { type: 'checkbox', choices: ids, showOtherItem: true },
    answers: [
      ...same(['a'], ['c', 'a'], ['a', 'b', 'c']),
      { ours: { options: ['b'], other: 'x' }, surveyCore: ['b', 'other'], comment: 'x' },
    ],
    operators: [
      ...equality([['a'], ['a', 'c'], ['other', 'b']], idLists),
      ['contains', [...ids, 'other']],
      ['not_contains', [...ids, 'other']],
    ],
  },
  text: { ours: { type: 'text' }, surveyCore: { type: 'text' }, answers: same(...words), operators: wordOperators },
  textarea: {
    ours: { type: 'textarea' },
    surveyCore: { type: 'comment' },
    answers: same(...words, 'red\nBlue'),
    operators: wordOperators,
  },
  number: {
    ours: { type: 'text', format: 'number' },
    surveyCore: { type: 'text', inputType: 'number' },
    answers: same(...numerals),
    operators: [
      ...equality(
        [0, 2, '10', 7],
        [
          [0, 10],
          ['2', 7],
        ],
      ),
      ...order([0, 2, 9]),
    ],
  },
  rating: {
    ours: { type: 'rating', min: 0 },
    surveyCore: { type: 'rating', rateMin: 0, rateMax: 5 },
    answers: same(...numbers),
    operators: [...equality(numbers, [[0, 3], [5]]), ...order(numbers)],
  },
  likert: {
    ours: { type: 'likert', options: ids },
    surveyCore: { type: 'radiogroup', choices: ids },
    answers: same(...ids),
    operators: equality(ids, [['a'], ['b', 'c']]),
  },
  likert_rows: {
    ours: { type: 'likert', options: ids, rows: ['r', 's'] },
    surveyCore: { type: 'matrix', columns: ids, rows: ['r', 's'] },
    answers: same({ r: 'a', s: 'b' }),
    operators: PRESENCE,
  },
  matrix: {
    ours: { type: 'matrix', columns: ids, rows: ['r'], multiple: true },
    surveyCore: { type: 'matrix', columns: ids, rows: ['r'], cellType: 'checkbox' },
    answers: same({ r: ['a', 'c'] }),
    operators: PRESENCE,
  },
  date: {
    ours: { type: 'date' },
    surveyCore: { type: 'text', inputType: 'date' },
    answers: same(...dates),
    operators: [...equality(dates, [dates.slice(1), ['2000-01-01']]), ...order(dates)],
  },
  time: {
    ours: { type: 'time' },
    surveyCore: { type: 'text', inputType: 'time' },
    answers: same(...times),
    operators: [...equality(times, [times.slice(1), ['00:00']]), ...order(times)],
  },
  file_upload: {
    ours: { type: 'file_upload' },
    surveyCore: { type: 'file', allowMultiple: true },
    answers: [{ ours: [{ file_id: 'f' }], surveyCore: [{ name: 'f', content: 'f' }] }],
    operators: PRESENCE,
  },
};
