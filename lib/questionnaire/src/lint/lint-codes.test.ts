import { describe, expect, it } from 'vitest';
import { checkShape } from '../check-shape.ts';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from '../testing/survey-of.ts';
import { LINT_CODES, type LintCode } from './lint-codes.ts';
import type { LintProblem } from './report.ts';

const question = '/survey/pages/0/questions/0';
const logicOf = (...logic: readonly JsonObject[]) => surveyOf([yesNo('q1'), textQuestion('q2')], { logic });
const logicOn = (members: JsonObject, operator: string, value?: unknown) =>
  surveyOf([{ id: 'q1', ...members }, textQuestion('q2')], { logic: [rule('q2', 'show', 'q1', operator, value)] });
const choice = (options: unknown, members: JsonObject = {}) => surveyOf([yesNo('q', { options, ...members })]);
const twins = [
  { id: 'a', text: 'Yes' },
  { id: 'b', text: 'Yes' },
];

/** For each code: what has it, and where it is found. Shape codes are tried in more ways in check-shape.test.ts. */
const CASES: { readonly [Code in LintCode]: readonly (readonly [what: string, definition: unknown, path: string])[] } =
  {
    MISSING_MEMBER: [['no survey', { schema_version: '1.0', version: 1 }, '/survey']],
    WRONG_TYPE: [
      ['required as a text', surveyOf([textQuestion('q', { required: 'yes' })]), `${question}/required`],
      ['allow_other as a number', choice(['a'], { allow_other: 1 }), `${question}/allow_other`],
      ['options as an object', choice({ a: 'A' }), `${question}/options`],
      ['a pattern as a number', surveyOf([textQuestion('q', { pattern: 1 })]), `${question}/pattern`],
      ['accept as a number', surveyOf([{ type: 'file_upload', accept: 1 }]), `${question}/accept`],
      ['a description as a number', surveyOf([textQuestion('q', { description: 1 })]), `${question}/description`],
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
    BAD_SCHEMA_VERSION: [['one number', { ...surveyOf([]), schema_version: '1' }, '/schema_version']],
    BAD_VERSION: [['zero', { ...surveyOf([]), version: 0 }, '/version']],
    EMPTY_TITLE: [['an empty title', surveyOf([], { title: '' }), '/survey/title']],
    MISSING_LANGUAGE: [['no language', surveyOf([], { supported_languages: [] }), '/survey/supported_languages']],
    BAD_LANGUAGE: [['a phrase', surveyOf([], { supported_languages: ['my own'] }), '/survey/supported_languages/0']],
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
      [
        'two sections',
        surveyOf([textQuestion('q')], { sections: [{ id: 's' }, { id: 's' }] }),
        '/survey/sections/1/id',
      ],
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
        'more rows than there are',
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
        'a huge program',
        surveyOf([textQuestion('q', { pattern: '(\\pL{500}|\\pN{500}|\\pS{500})' })]),
        `${question}/pattern`,
      ],
      ['a condition', logicOn({ type: 'text' }, 'matches', '('), '/survey/logic/0/conditions/0/value'],
    ],
    UNKNOWN_FORMAT: [['iban', surveyOf([textQuestion('q', { format: 'iban' })]), `${question}/format`]],
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
      [
        'one of a list',
        logicOf(rule('q2', 'show', 'q1', 'in', ['yes', 'maybe'])),
        '/survey/logic/0/conditions/0/value',
      ],
      [
        'other, where it is not allowed',
        logicOf(rule('q2', 'show', 'q1', 'equals', 'other')),
        '/survey/logic/0/conditions/0/value',
      ],
    ],
    AMBIGUOUS_OPTION: [
      [
        'a text of two options',
        logicOn({ type: 'single_choice', options: twins }, 'equals', 'Yes'),
        '/survey/logic/0/conditions/0/value',
      ],
    ],
    BAD_OPERATOR: [
      [
        'an unknown one',
        logicOf(rule('q2', 'show', 'q1', 'resembles', 'yes')),
        '/survey/logic/0/conditions/0/operator',
      ],
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
      [
        'an impossible date',
        logicOn({ type: 'date' }, 'less_than', '2023-02-30'),
        '/survey/logic/0/conditions/0/value',
      ],
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
      [
        'backwards',
        logicOf({ ...rule('q2', 'skip_to', 'q1', 'is_answered'), target_question: 'q1' }),
        '/survey/logic/0',
      ],
      [
        'to itself',
        logicOf({ ...rule('q2', 'skip_to', 'q1', 'is_answered'), target_question: 'q2' }),
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
    MISSING_CONDITIONS: [['an empty list', logicOf({ question_id: 'q2', conditions: [] }), '/survey/logic/0']],
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
        'an option',
        surveyOf([yesNo('q', { options: [{ id: 'a', text: { en: 'A' } }] })], { supported_languages: ['en', 'de'] }),
        `${question}/options/0/text`,
      ],
    ],
    UNDECLARED_LANGUAGE: [
      ['a language too much', surveyOf([textQuestion('q')], { title: { en: 'A', 'a/b': 'B' } }), '/survey/title/a~1b'],
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
  };

const problemsOf = (definition: unknown): readonly LintProblem[] => {
  const { errors, warnings } = compile(definition).lint;
  return [...checkShape(definition), ...errors, ...warnings];
};

describe.each(Object.entries(CASES))('%s', (code, cases) => {
  it.each(cases)('is reported for %s', (_, definition, path) => {
    expect(problemsOf(definition)).toContainEqual(expect.objectContaining({ code, path }));
  });
});

describe('lint', () => {
  it('sorts problems by the level of their code', () => {
    for (const [, definition] of Object.values(CASES).flat()) {
      const { errors, warnings } = compile(definition).lint;
      expect(errors.filter(({ code }) => LINT_CODES[code].level !== 'error')).toEqual([]);
      expect(warnings.filter(({ code }) => LINT_CODES[code].level !== 'warning')).toEqual([]);
    }
  });

  it('finds nothing in a sound survey with everything in it', () => {
    const definition = surveyOfPages(
      [
        [
          yesNo('q1', { allow_other: true, title: { en: 'One', DE: 'Eins' } }),
          { id: 'q2', type: 'rating', options: '1-5' },
        ],
        [
          {
            id: 'q3',
            type: 'multiple_choice',
            options: [{ id: 'a', text: 'A', exclusive: true }, 'B'],
            max_selections: 2,
          },
          { id: 'q4', type: 'likert', options: ['no', 'yes'], rows: [] },
          { id: 'q5', type: 'file_upload', accept: ['image/*'], max_bytes: 10 },
        ],
      ],
      {
        supported_languages: ['en', 'de'],
        welcome_screen: { title: 'Hi' },
        sections: [{ id: 's', title: 'S', questions: ['q3', 'q4'] }],
        logic: [
          rule('s', 'show', 'q1', 'equals', 'other'),
          rule('q5', 'require', 'q2', 'greater_than', '3'),
          { action: 'disqualify', conditions: [{ question_id: 'q1', operator: 'equals', value: 'no' }] },
        ],
      },
    );
    expect(problemsOf(definition)).toEqual([]);
  });

  it('reports every problem at once, each with its question', () => {
    const definition = surveyOf([
      { id: 'a', type: 'single_choice' },
      { id: 'b', type: 'text', pattern: '(' },
    ]);
    expect(problemsOf(definition).map(({ code, question_id }) => [code, question_id])).toEqual([
      ['MISSING_OPTIONS', 'a'],
      ['BAD_PATTERN', 'b'],
    ]);
  });

  it('does not call a survey with a require in both directions a cycle', () => {
    const logic = [rule('q1', 'require', 'q2', 'is_not_answered'), rule('q2', 'require', 'q1', 'is_not_answered')];
    expect(problemsOf(logicOf(...logic))).toEqual([]);
  });

  it('does not change the definition', () => {
    const definition = surveyOf([{ type: 'single_choice', options: ['b', 'a'] }]);
    const before = structuredClone(definition);
    compile(definition).validate({});
    expect(definition).toEqual(before);
  });
});
