import type { JsonObject } from '../json.ts';
import type { LintCode } from '../lint/lint-codes.ts';
import type { LintCase } from './lint-case.ts';
import { logicOf, logicOn } from './lint-logic-cases.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from './survey-of.ts';

/** Path of the first question. */
const question = '/survey/pages/0/questions/0';
function choice(options: unknown, members: JsonObject = {}) {
  return surveyOf([yesNo('q', { options, ...members })]);
}

/** Cases of all codes except those of logic. check-shape.test.ts has more cases of shape. */
export const DEFINITION_CASES = {
  MISSING_MEMBER: [['no survey', { schema_version: '1.0', version: 1 }, '/survey']],
  UNKNOWN_MEMBER: [['a misspelt name', surveyOf([textQuestion('q', { requierd: true })]), `${question}/requierd`]],
  WRONG_TYPE: [
    ['required as a text', surveyOf([textQuestion('q', { required: 'yes' })]), `${question}/required`],
    ['allow_other as a number', choice(['a'], { allow_other: 1 }), `${question}/allow_other`],
    ['options as an object', choice({ a: 'A' }), `${question}/options`],
    ['a pattern as a number', surveyOf([textQuestion('q', { pattern: 1 })]), `${question}/pattern`],
    ['accept as a number', surveyOf([{ type: 'file_upload', accept: 1 }]), `${question}/accept`],
    ['a description as a number', surveyOf([textQuestion('q', { description: 1 })]), `${question}/description`],
    ['rating labels as a text', surveyOf([{ type: 'rating', labels: 'bad to good' }]), `${question}/labels`],
    ['a number as a label', surveyOf([{ type: 'rating', labels: { 1: 'bad', 5: 5 } }]), `${question}/labels/5`],
    ['a screen as a text', surveyOf([textQuestion('q')], { welcome_screen: 'Hi' }), '/survey/welcome_screen'],
    [
      'an unknown match',
      logicOf({ match: 'some', ...rule('q2', 'show', 'q1', 'is_answered') }),
      '/survey/logic/0/match',
    ],
    ['a section id as a number', surveyOf([textQuestion('q')], { sections: [{ id: 1 }] }), '/survey/sections/0/id'],
    [
      'section questions as a text',
      surveyOf([textQuestion('q')], { sections: [{ questions: 'q' }] }),
      '/survey/sections/0/questions',
    ],
  ],
  BAD_SCHEMA_VERSION: [
    ['one number', { ...surveyOf([]), schema_version: '1' }, '/schema_version'],
    ['another version', { ...surveyOf([]), schema_version: '1.1' }, '/schema_version'],
  ],
  BAD_VERSION: [['zero', { ...surveyOf([]), version: 0 }, '/version']],
  EMPTY_TITLE: [
    ['an empty title', surveyOf([], { title: '' }), '/survey/title'],
    ['a title without a visible character', surveyOf([], { title: '\u200b' }), '/survey/title'],
  ],
  MISSING_LANGUAGE: [['no language', surveyOf([], { supported_languages: [] }), '/survey/supported_languages']],
  BAD_LANGUAGE: [
    ['a phrase', surveyOf([], { supported_languages: ['my own'] }), '/survey/supported_languages/0'],
    ['a repeated subtag', surveyOf([], { supported_languages: ['de-1996-1996'] }), '/survey/supported_languages/0'],
  ],
  UNKNOWN_TYPE: [['a slider', surveyOf([{ type: 'slider' }]), `${question}/type`]],
  LIMIT_EXCEEDED: [
    ['too many options', choice(Array.from({ length: 2_001 }, (_, index) => `o${index}`)), `${question}/options`],
    [
      'logic that affects too many questions',
      surveyOf(
        Array.from({ length: 1_000 }, (_, index) => textQuestion(`q${index}`)),
        {
          logic: Array.from({ length: 101 }, () => ({
            question_id: 'q0',
            target_question: 'q999',
            action: 'skip_to',
            conditions: [{ source_question: 'q0', operator: 'is_answered' }],
          })),
        },
      ),
      '/survey/logic/100',
    ],
    [
      'a length above the largest one',
      surveyOf([textQuestion('q', { max_length: 100_001 })]),
      `${question}/max_length`,
    ],
    ...(['contains', 'not_contains', 'matches'] as const).map(
      (operator) =>
        [
          `too many conditions of ${operator} on long texts`,
          surveyOf([{ id: 'q1', type: 'textarea' }, textQuestion('q2')], {
            logic: Array.from({ length: 601 }, (_, index) => rule('q2', 'show', 'q1', operator, `a${index}`)),
          }),
          '/survey/logic/600/conditions/0',
        ] as const,
    ),
    [
      'a pattern and a condition that are too expensive together',
      surveyOf([textQuestion('q1', { pattern: 'a[ab]{150}[cd]', max_length: 18_000 }), textQuestion('q2')], {
        logic: [rule('q2', 'show', 'q1', 'matches', 'b[ab]{150}[cd]')],
      }),
      '/survey/logic/0/conditions/0',
    ],
  ],
  NO_QUESTIONS: [
    ['no page', surveyOfPages([]), '/survey/pages'],
    ['an empty page', surveyOf([]), '/survey/pages'],
  ],
  BAD_ID: [
    ['a space', surveyOf([textQuestion('my question')]), `${question}/id`],
    ['an empty id', surveyOf([textQuestion('')]), `${question}/id`],
    ['a letter beyond ASCII', surveyOf([textQuestion('ä')]), `${question}/id`],
    ['129 characters', surveyOf([textQuestion('a'.repeat(129))]), `${question}/id`],
  ],
  DUPLICATE_ID: [
    ['two questions', surveyOfPages([[textQuestion('q')], [textQuestion('q')]]), '/survey/pages/1/questions/0/id'],
    ['two sections', surveyOf([textQuestion('q')], { sections: [{ id: 's' }, { id: 's' }] }), '/survey/sections/1/id'],
    [
      'a question named like the column of other texts',
      surveyOf([yesNo('q', { allow_other: true }), textQuestion('q.other')]),
      '/survey/pages/0/questions/1/id',
    ],
  ],
  MISSING_OPTIONS: [
    ['no options', choice(undefined), `${question}/options`],
    ['empty options', choice([]), `${question}/options`],
    ['a likert without a scale', surveyOf([{ type: 'likert', rows: ['r'] }]), `${question}/options`],
    ['a matrix without rows', surveyOf([{ type: 'matrix', columns: ['c'] }]), `${question}/rows`],
    ['a matrix without columns', surveyOf([{ type: 'matrix', rows: ['r'] }]), `${question}/columns`],
  ],
  BAD_OPTION: [
    ['a number', choice(['a', 1]), `${question}/options/1`],
    ['an empty text', choice(['']), `${question}/options/0`],
    ['neither id nor text', choice([{}]), `${question}/options/0`],
    ['a number as id', choice([{ id: 1, text: 'A' }]), `${question}/options/0`],
    ['an empty id', choice([{ id: '', text: 'A' }]), `${question}/options/0`],
    ['exclusive as a text', choice([{ id: 'a', exclusive: 'yes' }]), `${question}/options/0`],
  ],
  DUPLICATE_OPTION: [
    ['the same text twice', choice(['a', 'a']), `${question}/options/1`],
    ['the same text in two Unicode forms', choice(['\u00e9', 'e\u0301']), `${question}/options/1`],
    ['a text that is the id of another', choice([{ id: 'a', text: 'A' }, 'a']), `${question}/options/1`],
    ['rows', surveyOf([{ type: 'matrix', rows: ['r', 'r'], columns: ['c'] }]), `${question}/rows/1`],
  ],
  RESERVED_OPTION: [['an option other', choice([{ id: 'other', text: 'Other' }]), `${question}/options/0`]],
  BAD_RANGE: [
    ['lengths', surveyOf([textQuestion('q', { min_length: 2, max_length: 1 })]), `${question}/min_length`],
    ['a negative length', surveyOf([textQuestion('q', { max_length: -1 })]), `${question}/max_length`],
    ['a length as a text', surveyOf([{ type: 'textarea', max_length: '9' }]), `${question}/max_length`],
    [
      'selections',
      surveyOf([{ type: 'multiple_choice', options: ['a', 'b'], min_selections: 2, max_selections: 1 }]),
      `${question}/min_selections`,
    ],
    [
      'more selections than options',
      surveyOf([{ type: 'multiple_choice', options: ['a'], min_selections: 2 }]),
      `${question}/min_selections`,
    ],
    [
      'more selections than options that are not exclusive',
      surveyOf([{ type: 'multiple_choice', options: ['a', { id: 'none', exclusive: true }], min_selections: 2 }]),
      `${question}/min_selections`,
    ],
    [
      'no selections',
      surveyOf([{ type: 'multiple_choice', options: ['a'], max_selections: 0 }]),
      `${question}/max_selections`,
    ],
    ['a rating from 5 to 1', surveyOf([{ type: 'rating', min: 5, max: 1 }]), `${question}/min`],
    ['a rating in steps of 0', surveyOf([{ type: 'rating', step: 0 }]), `${question}/step`],
    ['a rating of words', surveyOf([{ type: 'rating', options: ['bad', 'good'] }]), `${question}/options`],
    ['an impossible date', surveyOf([{ type: 'date', min: '2023-02-29' }]), `${question}/min`],
    ['dates', surveyOf([{ type: 'date', min: '2024-01-02', max: '2024-01-01' }]), `${question}/min`],
    ['times', surveyOf([{ type: 'time', min: '10:00:01', max: '10:00' }]), `${question}/min`],
    [
      'more required rows than rows',
      surveyOf([{ type: 'matrix', rows: ['r'], columns: ['c'], required_rows: 2 }]),
      `${question}/required_rows`,
    ],
    ['no files', surveyOf([{ type: 'file_upload', max_files: 0 }]), `${question}/max_files`],
    ['a fractional size', surveyOf([{ type: 'file_upload', max_bytes: 1.5 }]), `${question}/max_bytes`],
  ],
  BAD_PATTERN: [
    ['a look-ahead', surveyOf([textQuestion('q', { pattern: '(?=a)' })]), `${question}/pattern`],
    ['a back-reference', surveyOf([textQuestion('q', { pattern: '(a)\\1' })]), `${question}/pattern`],
    ['an open bracket', surveyOf([textQuestion('q', { pattern: '[' })]), `${question}/pattern`],
    [
      'a pattern that is too large for the longest answer',
      surveyOf([textQuestion('q', { max_length: 100_000, pattern: 'a{50}' })]),
      `${question}/pattern`,
    ],
    ['a condition', logicOn({ type: 'text' }, 'matches', '('), '/survey/logic/0/conditions/0/value'],
  ],
  UNKNOWN_FORMAT: [['iban', surveyOf([textQuestion('q', { format: 'iban' })]), `${question}/format`]],
  UNKNOWN_SECTION_QUESTION: [
    [
      'question_ids',
      surveyOf([textQuestion('q')], { sections: [{ id: 's', question_ids: ['q', 'nope'] }] }),
      '/survey/sections/0/question_ids/1',
    ],
    [
      'questions',
      surveyOf([textQuestion('q')], { sections: [{ id: 's', questions: [1] }] }),
      '/survey/sections/0/questions/0',
    ],
  ],
  MISSING_TRANSLATION: [
    [
      'a declared language',
      surveyOf([textQuestion('q', { title: { en: 'A' } })], { supported_languages: ['en', 'de'] }),
      `${question}/title`,
    ],
    [
      'an empty translation',
      surveyOf([textQuestion('q')], { description: { en: 'A', de: '' }, supported_languages: ['en', 'de'] }),
      '/survey/description',
    ],
    [
      'a label of a rating',
      surveyOf([{ type: 'rating', labels: ['bad', { en: 'good' }] }], { supported_languages: ['en', 'de'] }),
      `${question}/labels/1`,
    ],
    [
      'an option',
      surveyOf([yesNo('q', { options: [{ id: 'a', text: { en: 'A' } }] })], { supported_languages: ['en', 'de'] }),
      `${question}/options/0/text`,
    ],
  ],
  UNDECLARED_LANGUAGE: [
    ['an undeclared language', surveyOf([textQuestion('q')], { title: { en: 'A', 'a/b': 'B' } }), '/survey/title/a~1b'],
  ],
} as const satisfies { readonly [Code in LintCode]?: readonly LintCase[] };
