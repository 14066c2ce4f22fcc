import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { Survey } from '../surveys/survey.ts';
import { defaultSettings } from '../surveys/survey-settings.ts';
import { testSurvey } from '../surveys/testing/test-survey.ts';
import { toSurveyCsv } from './survey-csv.ts';

const HEADER = '\uFEFFquestion_id,question_type,question_title,question_required,question_options,logic_conditions';

function surveyOf(definition: JsonObject, more: Partial<Survey> = {}): Survey {
  return {
    ...testSurvey,
    definition: { title: 'Lunch', supported_languages: ['en'], pages: [], ...definition },
    ...more,
  };
}

function csvOf(questions: readonly JsonObject[], logic?: readonly JsonObject[]) {
  const { text, omitted } = toSurveyCsv(
    surveyOf({ pages: [{ questions: [...questions] }], ...(logic && { logic: [...logic] }) }),
  );
  const [header, ...rows] = text.split('\r\n');
  expect([header, rows.pop()]).toEqual([HEADER, '']);
  return { rows, omitted: omitted.filter((name) => name !== 'title') };
}

const question = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: 'text', title: 'Why?', ...more });
const yesNo = {
  type: 'single_choice',
  options: [
    { id: 'y', text: 'Yes' },
    { id: 'n', text: 'No' },
  ],
};

describe('survey CSV', () => {
  it('has a row for each question, with its options and conditions', () => {
    const { rows, omitted } = csvOf(
      [
        question('q1', {
          type: 'single_choice',
          title: 'Came, "really"?',
          required: true,
          options: ['Yes', 'a|b', 'c\\'],
        }),
        question('q2', { type: 'rating', min: 0, max: 10 }),
        question('q3', { title: '', options: [] }),
      ],
      [
        {
          question_id: 'q2',
          conditions: [
            { source_question: 'q1', operator: 'in', value: ['Yes', 'a|b'], action: 'show' },
            { question_id: 'q1', operator: 'is_answered' },
          ],
        },
        {
          question_id: 'q3',
          match: 'any',
          conditions: [{ source_question: 'q2', operator: 'greater_than', value: 3 }],
        },
      ],
    );
    expect(rows).toEqual([
      'q1,single_choice,"Came, ""really""?",true,"Yes|a\\|b|c\\ ",',
      'q2,rating,Why?,false,0-10,q1:in:Yes|a\\|b;q1:is_answered',
      'q3,text,,false,,q2:greater_than:3',
    ]);
    expect(omitted).toEqual([]);
  });

  it('has no cell that is a formula', () => {
    const { rows } = csvOf(
      [question('-1', { title: '=1+1', type: 'single_choice', options: ['-', '+'] }), question('b', { title: "'=x" })],
      [{ question_id: 'b', conditions: [{ source_question: '-1', operator: 'equals', value: '-' }] }],
    );
    expect(rows).toEqual(["'-1,single_choice,'=1+1,false,'-|+,", "b,text,''=x,false,,'-1:equals:-"]);
  });

  it('has the texts of options, and in conditions the ids that an import derives from them', () => {
    const { rows, omitted } = csvOf(
      [question('q1', yesNo), question('q2')],
      [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'equals', value: 'y' }] }],
    );
    expect(rows).toEqual(['q1,single_choice,Why?,false,Yes|No,', 'q2,text,Why?,false,,q1:equals:Yes']);
    expect(omitted).toEqual(['options.id']);
  });

  it('has the ids of options with equal or missing texts', () => {
    const options = [{ id: 'a', text: 'Same' }, { id: 'b', text: 'Same' }, { id: 'c' }, { id: ' ' }, 7];
    const { rows, omitted } = csvOf([question('q1', { type: 'likert', options })]);
    expect(rows).toEqual(['q1,likert,Why?,false,a|b|c,']);
    expect(omitted).toEqual(['options', 'options.text']);
  });

  it('treats texts as equal that differ only in their Unicode form', () => {
    const options = ['\u00e9', { id: 'b', text: 'e\u0301' }];
    expect(csvOf([question('q1', { type: 'likert', options })]).rows).toEqual(['q1,likert,Why?,false,\u00e9|b,']);
  });

  it.each<[JsonObject, string, readonly string[]]>([
    [{}, '', []],
    [{ min: -5, max: 5 }, "'-5-5", []],
    [{ min: 7 }, '7-7', []],
    [{ max: 3 }, '1-3', []],
    [{ options: '1-7' }, '1-7', []],
    [{ options: [1, 2, 3] }, '1|2|3', []],
    [
      {
        options: [
          { id: '1', text: 'bad' },
          { id: '2', text: 'good' },
        ],
      },
      '1|2',
      ['options.text'],
    ],
    [{ options: ['1-7'], min: 2 }, '1-7', ['questions.min']],
    [{ min: 0.5, max: 1 }, '', ['questions.max', 'questions.min']],
    [{ options: [null, {}, ' '] }, '', ['options']],
    [{ step: 2, labels: { 1: 'bad' } }, '', ['questions.labels', 'questions.step']],
  ])('writes the scale of a rating with %j', (members, cell, left) => {
    const { rows, omitted } = csvOf([question('q1', { type: 'rating', ...members })]);
    expect(rows).toEqual([`q1,rating,Why?,false,${cell},`]);
    expect(omitted).toEqual(left);
  });

  it.each<[string, readonly JsonObject[]]>([
    [
      'another action',
      [{ question_id: 'q2', action: 'hide', conditions: [{ source_question: 'q1', operator: 'is_answered' }] }],
    ],
    [
      'one of several conditions',
      [
        {
          question_id: 'q2',
          match: 'any',
          conditions: [
            { source_question: 'q1', operator: 'is_answered' },
            { source_question: 'q1', operator: 'equals', value: 'Yes' },
          ],
        },
      ],
    ],
    ['no conditions', [{ question_id: 'q2', conditions: [] }]],
    ['an unknown target', [{ question_id: 'q9', conditions: [{ source_question: 'q1', operator: 'is_answered' }] }]],
    ['an unknown operator', [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'is' }] }]],
    [
      'an unknown option',
      [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'equals', value: 'x' }] }],
    ],
    [
      'a colon in the source',
      [{ question_id: 'q2', conditions: [{ source_question: 'q:1', operator: 'is_answered' }] }],
    ],
    [
      'a semicolon in the value',
      [{ question_id: 'q1', conditions: [{ source_question: 'q2', operator: 'equals', value: 'a;b' }] }],
    ],
    [
      'blanks around the value',
      [{ question_id: 'q1', conditions: [{ source_question: 'q2', operator: 'equals', value: ' a' }] }],
    ],
    ['an empty value', [{ question_id: 'q1', conditions: [{ source_question: 'q2', operator: 'equals', value: '' }] }]],
    [
      'a value that is no text',
      [{ question_id: 'q1', conditions: [{ source_question: 'q2', operator: 'equals', value: {} }] }],
    ],
    [
      'a set of values',
      [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'equals', value: ['y', 'n'] }] }],
    ],
    [
      'two rules that show one question',
      [1, 2].map(() => ({
        question_id: 'q2',
        conditions: [{ source_question: 'q1', operator: 'equals', value: 'y' }],
      })),
    ],
  ])('leaves logic out that has %s, as a whole, and says so', (_, logic) => {
    const { rows, omitted } = csvOf([question('q1', yesNo), question('q2')], logic);
    expect(rows).toEqual(['q1,single_choice,Why?,false,Yes|No,', 'q2,text,Why?,false,,']);
    expect(omitted).toEqual(['logic', 'options.id']);
  });

  it('lists everything that an import would not restore', () => {
    const { text, omitted } = toSurveyCsv(
      surveyOf(
        {
          title: { de: 'Mittag', en: 'Lunch' },
          supported_languages: ['de', 'en'],
          description: 'x',
          sections: [],
          theme: null,
          'név, "x"': 1,
          pages: [
            { title: 'One', questions: [question('q1', { title: { en: 'Why?', de: 'Warum?' }, max_length: 3 })] },
            {
              questions: [
                question(' q2', { type: 'matrix', rows: ['a'], columns: ['b'], options: ['x'], required: 'yes' }),
              ],
            },
          ],
          logic: [
            { question_id: 'q1', note: 1, conditions: [{ source_question: ' q2', operator: 'is_answered', note: 1 }] },
          ],
        },
        { schemaVersion: '2.0', version: 3, projectId: 'p-1', settings: { ...defaultSettings, access: 'links_only' } },
      ),
    );
    expect(text).toBe(`${HEADER}\r\nq1,text,Warum?,false,,\r\n" q2",matrix,Why?,false,,\r\n`);
    expect(omitted).toEqual([
      'description',
      'logic',
      'logic.note',
      'other',
      'pages',
      'pages.title',
      'project_id',
      'questions.columns',
      'questions.id',
      'questions.max_length',
      'questions.options',
      'questions.required',
      'questions.rows',
      'schema_version',
      'sections',
      'settings',
      'supported_languages',
      'title',
      'translations',
      'version',
    ]);
  });

  it('has the texts of the first language, however its tag is spelled', () => {
    const title = { en: 'Why?', pt_br: 'Por quê?' };
    const definition = { supported_languages: ['pt-BR', 'en'], pages: [{ questions: [question('q1', { title })] }] };
    expect(toSurveyCsv(surveyOf(definition)).text).toContain('q1,text,Por quê?,false');
  });

  it('has conditions for the first of several questions with the same id', () => {
    const { rows } = csvOf(
      [question('q1'), question('q2'), question('q2')],
      [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'contains', value: 'x:y' }] }],
    );
    expect(rows).toEqual(['q1,text,Why?,false,,', 'q2,text,Why?,false,,q1:contains:x:y', 'q2,text,Why?,false,,']);
  });

  it('lists a bounded number of members', () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, 1]));
    expect(toSurveyCsv(surveyOf(members)).omitted).toHaveLength(100);
  });
});
