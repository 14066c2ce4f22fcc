import type { JsonObject } from '../json.ts';
import type { LintCode } from '../lint/lint-codes.ts';
import type { LintCase } from './lint-case.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from './survey-of.ts';

/** A survey with the yes-or-no question q1, the text question q2 and some logic. */
export function logicOf(...logic: readonly JsonObject[]) {
  return surveyOf([yesNo('q1'), textQuestion('q2')], { logic });
}

/** A survey in which one condition on q1, a question with these members, shows q2. */
export function logicOn(members: JsonObject, operator: string, value?: unknown) {
  return surveyOf([{ id: 'q1', ...members }, textQuestion('q2')], {
    logic: [rule('q2', 'show', 'q1', operator, value)],
  });
}
const sameTextOptions = [
  { id: 'a', text: 'Yes' },
  { id: 'b', text: 'Yes' },
];

/** Cases of the codes of logic. */
export const LOGIC_CASES = {
  UNKNOWN_SOURCE: [
    [
      'a question that is not there',
      logicOf(rule('q2', 'show', 'nope', 'is_answered')),
      '/survey/logic/0/conditions/0',
    ],
    ['an inherited name', logicOf(rule('q2', 'show', 'constructor', 'is_answered')), '/survey/logic/0/conditions/0'],
    [
      'none named',
      logicOf({ question_id: 'q2', conditions: [{ operator: 'is_answered' }] }),
      '/survey/logic/0/conditions/0',
    ],
  ],
  UNKNOWN_TARGET: [
    ['a question that is not there', logicOf(rule('nope', 'show', 'q1', 'is_answered')), '/survey/logic/0'],
    ['none named', logicOf({ conditions: [{ source_question: 'q1', operator: 'is_answered' }] }), '/survey/logic/0'],
    ['a skip to nowhere', logicOf(rule('q1', 'skip_to', 'q1', 'is_answered')), '/survey/logic/0'],
    [
      'a skip from nowhere',
      logicOf({ ...rule('nope', 'skip_to', 'q1', 'is_answered'), target_question: 'q2' }),
      '/survey/logic/0',
    ],
  ],
  UNKNOWN_OPTION: [
    [
      'an option that is not there',
      logicOf(rule('q2', 'show', 'q1', 'equals', 'maybe')),
      '/survey/logic/0/conditions/0/value',
    ],
    ['one of a list', logicOf(rule('q2', 'show', 'q1', 'in', ['yes', 'maybe'])), '/survey/logic/0/conditions/0/value'],
    [
      'other, where it is not allowed',
      logicOf(rule('q2', 'show', 'q1', 'equals', 'other')),
      '/survey/logic/0/conditions/0/value',
    ],
  ],
  AMBIGUOUS_OPTION: [
    [
      'a text of two options',
      logicOn({ type: 'single_choice', options: sameTextOptions }, 'equals', 'Yes'),
      '/survey/logic/0/conditions/0/value',
    ],
  ],
  BAD_OPERATOR: [
    ['an unknown one', logicOf(rule('q2', 'show', 'q1', 'resembles', 'yes')), '/survey/logic/0/conditions/0/operator'],
    [
      'none',
      logicOf({ question_id: 'q2', conditions: [{ source_question: 'q1' }] }),
      '/survey/logic/0/conditions/0/operator',
    ],
    [
      'an inherited name',
      logicOf(rule('q2', 'show', 'q1', 'constructor', 'yes')),
      '/survey/logic/0/conditions/0/operator',
    ],
    ['an order of texts', logicOn({ type: 'text' }, 'greater_than', 'a'), '/survey/logic/0/conditions/0/operator'],
    [
      'an order of options',
      logicOf(rule('q2', 'show', 'q1', 'less_than', 'yes')),
      '/survey/logic/0/conditions/0/operator',
    ],
    [
      'contains of one option',
      logicOf(rule('q2', 'show', 'q1', 'contains', 'yes')),
      '/survey/logic/0/conditions/0/operator',
    ],
    ['matches of a number', logicOn({ type: 'rating' }, 'matches', '1'), '/survey/logic/0/conditions/0/operator'],
    ['equals of files', logicOn({ type: 'file_upload' }, 'equals', 'a'), '/survey/logic/0/conditions/0/operator'],
    [
      'in of a matrix',
      logicOn({ type: 'matrix', rows: ['r'], columns: ['c'] }, 'in', ['c']),
      '/survey/logic/0/conditions/0/operator',
    ],
  ],
  BAD_VALUE: [
    ['none', logicOf(rule('q2', 'show', 'q1', 'equals')), '/survey/logic/0/conditions/0/value'],
    ['a word for a number', logicOn({ type: 'rating' }, 'equals', 'many'), '/survey/logic/0/conditions/0/value'],
    ['an impossible date', logicOn({ type: 'date' }, 'less_than', '2023-02-30'), '/survey/logic/0/conditions/0/value'],
    ['an impossible time', logicOn({ type: 'time' }, 'equals', '24:00'), '/survey/logic/0/conditions/0/value'],
    ['an empty list', logicOf(rule('q2', 'show', 'q1', 'in', [])), '/survey/logic/0/conditions/0/value'],
    ['a list for equals', logicOf(rule('q2', 'show', 'q1', 'equals', ['yes'])), '/survey/logic/0/conditions/0/value'],
    ['an empty text', logicOn({ type: 'text' }, 'contains', ''), '/survey/logic/0/conditions/0/value'],
    ['a number as pattern', logicOn({ type: 'text' }, 'matches', 1), '/survey/logic/0/conditions/0/value'],
  ],
  BAD_ACTION: [
    ['on the condition', logicOf(rule('q2', 'explode', 'q1', 'is_answered')), '/survey/logic/0/conditions/0/action'],
  ],
  BAD_SKIP: [
    ['backwards', logicOf({ ...rule('q2', 'skip_to', 'q1', 'is_answered'), target_question: 'q1' }), '/survey/logic/0'],
    ['to itself', logicOf({ ...rule('q2', 'skip_to', 'q1', 'is_answered'), target_question: 'q2' }), '/survey/logic/0'],
    [
      'from a section without questions',
      surveyOf([yesNo('q1'), textQuestion('q2')], {
        sections: [{ id: 's', title: 'Empty', question_ids: [] }],
        logic: [{ ...rule('s', 'skip_to', 'q1', 'is_answered'), target_question: 'q2' }],
      }),
      '/survey/logic/0',
    ],
  ],
  LOGIC_CYCLE: [['itself', logicOf(rule('q2', 'show', 'q2', 'is_answered')), '/survey/logic/0']],
  FORWARD_REFERENCE: [
    [
      'a later page',
      surveyOfPages([[textQuestion('q1')], [textQuestion('q2')]], {
        logic: [rule('q1', 'show', 'q2', 'is_answered')],
      }),
      '/survey/logic/0/conditions/0',
    ],
    [
      'a later page than one question of a section',
      surveyOfPages([[textQuestion('q1')], [textQuestion('q2')], [textQuestion('q3')]], {
        sections: [{ id: 's', question_ids: ['q3', 'q1'] }],
        logic: [rule('s', 'hide', 'q2', 'is_answered')],
      }),
      '/survey/logic/0/conditions/0',
    ],
  ],
  UNUSUAL_VALUE: [
    ['a single value of in', logicOf(rule('q2', 'show', 'q1', 'in', 'yes')), '/survey/logic/0/conditions/0/value'],
    ['a single value of not_in', logicOn({ type: 'rating' }, 'not_in', 3), '/survey/logic/0/conditions/0/value'],
    ['a text for a rating', logicOn({ type: 'rating' }, 'equals', '3'), '/survey/logic/0/conditions/0/value'],
    ['a number for a text', logicOn({ type: 'text' }, 'equals', 3), '/survey/logic/0/conditions/0/value'],
    [
      'a number for an option',
      logicOn({ type: 'likert', options: ['1'] }, 'in', [1]),
      '/survey/logic/0/conditions/0/value',
    ],
    [
      'a value of is_answered',
      logicOf(rule('q2', 'show', 'q1', 'is_answered', false)),
      '/survey/logic/0/conditions/0/value',
    ],
  ],
  VALUE_OUT_OF_RANGE: [
    ['more than the scale', logicOn({ type: 'rating' }, 'greater_or_equal', 6), '/survey/logic/0/conditions/0/value'],
    ['between two steps', logicOn({ type: 'rating', step: 2 }, 'in', [1, 2]), '/survey/logic/0/conditions/0/value'],
    [
      'a date before the first one',
      logicOn({ type: 'date', min: '2026-01-01' }, 'less_than', '2025-12-31'),
      '/survey/logic/0/conditions/0/value',
    ],
    [
      'a time after the last one',
      logicOn({ type: 'time', max: '12:00' }, 'equals', '12:01'),
      '/survey/logic/0/conditions/0/value',
    ],
  ],
  MISSING_CONDITIONS: [['an empty list', logicOf({ question_id: 'q2', conditions: [] }), '/survey/logic/0']],
  BROWSER_PATTERN: [
    ...['[^\\S]x', '[[:^digit:]]', 'a(?i)b'].map(
      (pattern) =>
        [pattern, logicOn({ type: 'text' }, 'matches', pattern), '/survey/logic/0/conditions/0/value'] as const,
    ),
  ],
  UNREACHABLE_QUESTION: [
    [
      'conditions that contradict each other',
      logicOf({
        question_id: 'q2',
        conditions: ['yes', 'no'].map((value) => ({ source_question: 'q1', operator: 'equals', value })),
      }),
      '/survey/pages/0/questions/1',
    ],
    [
      'an answer and none',
      logicOf({
        question_id: 'q2',
        conditions: ['is_answered', 'is_not_answered'].map((operator) => ({ source_question: 'q1', operator })),
      }),
      '/survey/pages/0/questions/1',
    ],
  ],
  REQUIRED_ALWAYS_HIDDEN: [
    [
      'a required question behind an unreachable one',
      surveyOf([yesNo('q1'), textQuestion('q2'), textQuestion('q3', { required: true })], {
        logic: [
          {
            question_id: 'q2',
            conditions: ['yes', 'no'].map((value) => ({ source_question: 'q1', operator: 'equals', value })),
          },
          rule('q3', 'hide', 'q2', 'is_not_answered'),
        ],
      }),
      '/survey/pages/0/questions/2',
    ],
  ],
} as const satisfies { readonly [Code in LintCode]?: readonly LintCase[] };
