import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readFormbricksSurvey } from './survey.ts';

const read = (contents: string | Uint8Array) => readSurveyFile(readFormbricksSurvey, contents);
const readJson = (value: unknown) => read(JSON.stringify(value));

describe('a survey of Formbricks', async () => {
  const { survey, questions, problems, codes, warnings } = await read(fixture(import.meta.url, 'survey.json'));

  it('passes lint and has its texts', () => {
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: 'Canteen',
      supported_languages: ['en', 'de'],
      welcome_screen: { title: { en: 'Hello', de: 'Hallo' }, description: { en: 'A short survey' } },
      thank_you_screen: { title: { en: 'Thanks', de: 'Danke' } },
      source_data: { source: 'formbricks', source_id: 'cm1survey0000000000000001', displayOption: 'displayOnce' },
    });
  });

  it.each([
    [
      'meal',
      {
        type: 'single_choice',
        title: { en: 'Which meal?', de: 'Welches Essen?' },
        description: { en: 'One of them' },
        required: true,
        allow_other: true,
        options: [{ id: 'c1', text: { en: 'Soup', de: 'Suppe' } }, { id: 'c2' }],
        source_data: { shuffleOption: 'all' },
      },
    ],
    ['drinks', { type: 'multiple_choice', allow_other: true, options: { length: 2 } }],
    ['taste', { type: 'rating', min: 1, max: 7, labels: { 1: { en: 'Bad' }, 7: { en: 'Good' } } }],
    ['recommend', { type: 'rating', min: 0, max: 10 }],
    ['why', { type: 'textarea', min_length: 2, max_length: 500 }],
    ['spent', { type: 'text', format: 'number' }],
    ['day', { type: 'date' }],
    ['agree', { type: 'single_choice', options: [{ id: 'accepted', text: { en: 'I agree' } }] }],
    ['look', { type: 'single_choice', description: { en: 'Menu' }, options: [{ id: 'clicked' }, { id: 'dismissed' }] }],
    ['pictures', { type: 'multiple_choice', options: [{ id: 'p1', text: 'Picture 1' }, { id: 'p2' }] }],
    ['file', { type: 'file_upload', max_files: 1, max_bytes: 2_097_152, accept: ['.png', '.jpg'] }],
    ['grid', { type: 'matrix', rows: [{ id: 'r1' }, { id: 'r2' }], columns: [{ id: '0' }, { id: '1' }] }],
    ['order', { type: 'matrix', rows: [{ id: 'o1' }, { id: 'o2' }], columns: [{ id: '1' }, { id: '2' }] }],
    ['home_addressLine1', { type: 'text', title: { en: 'Where? – Address line 1' }, required: true }],
    ['home_zip', { type: 'text' }],
    ['you_email', { type: 'text', format: 'email' }],
    ['meeting', { type: 'single_choice', options: [{ id: 'booked' }] }],
    ['odd', { type: 'textarea', title: 'hologram' }],
  ])('has the question %s', (id, expected) => {
    expect(questions.get(id)).toMatchObject(expected);
  });

  it('has jumps as logic, and warnings', () => {
    expect(questions.has('home_city')).toBe(true);
    expect(questions.has('home_addressLine2')).toBe(false);
    expect(survey['logic']).toMatchObject([{ question_id: 'drinks' }]);
    expect(new Set(codes)).toEqual(
      new Set(['NO_SUCH_TYPE', 'KEPT_AS_SOURCE_DATA', 'PLACEHOLDER_KEPT', 'TITLE_MADE', 'HTML_REMOVED']),
    );
    expect(warnings.find(({ code }) => code === 'PLACEHOLDER_KEPT')?.detail).toContain('#recall:');
  });
});

const BLOCKS = {
  id: 's',
  name: 'Blocks',
  blocks: [
    {
      id: 'b1',
      name: 'First',
      elements: [
        { id: 'a', type: 'openText', headline: { default: 'A?' }, required: true, inputType: 'number' },
        { id: 'b', type: 'consent', headline: { default: 'B?' }, label: { default: 'Yes' }, required: false },
      ],
      logic: [
        {
          id: 'l',
          conditions: {
            connector: 'or',
            conditions: [
              {
                leftOperand: { type: 'element', value: 'a' },
                operator: 'isGreaterThan',
                rightOperand: { type: 'static', value: '8' },
              },
              { leftOperand: { type: 'element', value: 'b' }, operator: 'isAccepted' },
            ],
          },
          actions: [
            { objective: 'calculate', variableId: 'v' },
            { objective: 'jumpToBlock', target: 'b3' },
          ],
        },
      ],
      logicFallback: 'b2',
    },
    { id: 'b2', name: 'Second', elements: [{ id: 'c', type: 'openText', headline: 'C?', required: true }] },
    { id: 'b3', name: 'Third', elements: [{ id: 'd', type: 'nps', headline: { default: 'D?' }, required: true }] },
  ],
};

describe('a survey of blocks', () => {
  it('has a page for each block, and its jumps', async () => {
    const { survey, problems, codes, definition } = await readJson({ survey: BLOCKS });
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      pages: [{ questions: { length: 2 } }, { questions: [{ id: 'c' }] }, { questions: [{ id: 'd' }] }],
      source_data: { logic: [{ id: 'b1', logicFallback: 'b2' }] },
    });
    expect(codes).toContain('LOGIC_NOT_CONVERTED');
    const shown = (answers: Record<string, unknown>) =>
      definition.validate({ d: 1, ...answers } as never, { lenient: true }).errors.map(({ path }) => path);
    expect(shown({ a: '9' })).toEqual([]);
    expect(shown({ a: '1', b: 'accepted' })).toEqual([]);
    expect(shown({ a: '1' })).toEqual(['/data/c']);
  });

  const withCondition = (condition: object, types: readonly object[] = []) => ({
    name: 'One',
    questions: [
      { id: 'q', type: 'openText', headline: { default: 'Q?' }, required: false, longAnswer: false, ...types[0] },
      {
        id: 'r',
        type: 'openText',
        headline: { default: 'R?' },
        required: false,
        longAnswer: false,
        logic: [
          {
            conditions: { connector: 'and', conditions: [condition] },
            actions: [{ objective: 'jumpToQuestion', target: 'end' }],
          },
        ],
      },
      { id: 's', type: 'openText', headline: { default: 'S?' }, required: false },
    ],
  });
  const CHOICES = {
    choices: [
      { id: 'x', label: { default: 'X' } },
      { id: 'y', label: { default: 'Y' } },
    ],
  };
  const left = { leftOperand: { type: 'question', value: 'q' } };
  const right = (value: unknown) => ({ rightOperand: { type: 'static', value } });

  it.each([
    ['equals', { ...left, operator: 'equals', ...right('a') }, {}],
    ['doesNotEqual', { ...left, operator: 'doesNotEqual', ...right('a') }, {}],
    ['contains', { ...left, operator: 'contains', ...right('a') }, {}],
    ['isSubmitted', { ...left, operator: 'isSubmitted' }, {}],
    ['isSkipped', { ...left, operator: 'isSkipped' }, {}],
    [
      'equalsOneOf',
      { ...left, operator: 'equalsOneOf', ...right(['x', 'y']) },
      { type: 'multipleChoiceSingle', ...CHOICES },
    ],
    [
      'includesAllOf',
      { ...left, operator: 'includesAllOf', ...right(['x', 'y']) },
      { type: 'multipleChoiceMulti', ...CHOICES },
    ],
    [
      'doesNotIncludeOneOf',
      { ...left, operator: 'doesNotIncludeOneOf', ...right(['x']) },
      { type: 'multipleChoiceMulti', ...CHOICES },
    ],
    ['isLessThanOrEqual', { ...left, operator: 'isLessThanOrEqual', ...right(3) }, { type: 'nps' }],
    ['isAfter', { ...left, operator: 'isAfter', ...right('2024-01-01') }, { type: 'date' }],
    ['isClicked', { ...left, operator: 'isClicked' }, { type: 'cta' }],
    ['isSkipped of a button', { ...left, operator: 'isSkipped' }, { type: 'cta' }],
  ])('converts the condition %s', async (_case, condition, type) => {
    const { survey, codes, problems } = await readJson(withCondition(condition, [type]));
    expect(problems).toEqual([]);
    expect(codes).not.toContain('LOGIC_NOT_CONVERTED');
    expect(survey['logic']).toMatchObject([{ question_id: 's' }]);
  });

  it.each([
    ['a variable', { leftOperand: { type: 'variable', value: 'v' }, operator: 'equals', ...right(1) }, {}],
    ['another question', { ...left, operator: 'equals', rightOperand: { type: 'question', value: 'r' } }, {}],
    ['an unknown question', { leftOperand: { type: 'question', value: 'z' }, operator: 'equals', ...right(1) }, {}],
    ['an unknown choice', { ...left, operator: 'equals', ...right('z') }, { type: 'multipleChoiceSingle', ...CHOICES }],
    [
      'a set of choices',
      { ...left, operator: 'equals', ...right(['x', 'y']) },
      { type: 'multipleChoiceMulti', ...CHOICES },
    ],
    [
      'a row',
      { leftOperand: { type: 'question', value: 'q', meta: { row: '0' } }, operator: 'equals', ...right('1') },
      {},
    ],
    ['an unknown operator', { ...left, operator: 'glows' }, {}],
    ['nothing', { operator: 'equals' }, {}],
  ])('does not convert a condition with %s', async (_case, condition, type) => {
    const { codes, survey, problems } = await readJson(withCondition(condition, [type]));
    expect(problems).toEqual([]);
    expect(codes).toContain('LOGIC_NOT_CONVERTED');
    expect(survey['source_data']).toMatchObject({ logic: [{ id: 'r' }] });
  });

  it('searches texts in the same case, and literally', async () => {
    const { survey } = await readJson(withCondition({ ...left, operator: 'contains', ...right('No.') }));
    expect(JSON.stringify(survey['logic'])).toContain(JSON.stringify('No\\.'));
    expect(JSON.stringify(survey['logic'])).not.toContain('contains');
  });

  it.each([
    ['equals', null],
    ['equals', ''],
    ['isLessThan', ''],
    ['isGreaterThan', null],
    ['isLessThan', []],
  ])('takes no missing number of %s for 0: %j', async (operator, value) => {
    const { warnings } = await readJson(withCondition({ ...left, operator, ...right(value) }, [{ type: 'nps' }]));
    expect(warnings.map(({ code }) => code)).toContain('LOGIC_NOT_CONVERTED');
  });

  it('says why a condition is not converted', async () => {
    const condition = { ...left, operator: 'equals', ...right(['x']) };
    const { warnings } = await readJson(withCondition(condition, [{ type: 'multipleChoiceMulti', ...CHOICES }]));
    expect(warnings.map(({ detail }) => detail).join()).toContain('it tests whether a choice is the only one');
  });

  it('converts conditions of old versions', async () => {
    const [q, , s] = withCondition({}).questions;
    const { survey, codes } = await readJson({
      name: 'Old',
      questions: [
        {
          ...q,
          type: 'multipleChoiceSingle',
          ...CHOICES,
          logic: [{ condition: 'equals', value: 'X', destination: 's' }],
        },
        { id: 'r', type: 'nps', headline: 'R?', logic: [{ condition: 'lessThan', value: 5, destination: 'end' }] },
        s,
      ],
    });
    expect(survey['logic']).toMatchObject([{ question_id: 'r' }, { question_id: 's' }]);
    expect(codes).not.toContain('LOGIC_NOT_CONVERTED');
  });
});

it.each([
  ['booked', 'cal'],
  ['uploaded', 'fileUpload'],
  ['notUploaded', 'fileUpload'],
])('converts the old condition %s', async (condition, type) => {
  const [q, r, s] = ['q', 'r', 's'].map((id) => ({ id, type: 'openText', headline: 'Q?', required: false }));
  const logic = [{ condition, destination: 's' }];
  const { survey, codes } = await readJson({ name: 'Old', questions: [{ ...q, type, logic }, r, s] });
  expect(survey['logic']).toMatchObject([{ question_id: 'r', conditions: [{ source_question: 'q' }] }]);
  expect(codes).not.toContain('LOGIC_NOT_CONVERTED');
});

it('has one language for several codes of it, and a warning', async () => {
  const languages = ['en', 'pt-BR', 'pt-br'].map((code) => ({ default: code === 'en', language: { code } }));
  const headline = { default: 'A?', 'pt-BR': 'B?', 'pt-br': 'C?' };
  const { survey, questions, warnings } = await readJson({
    name: 'S',
    languages,
    questions: [{ id: 'a', type: 'openText', headline }],
  });
  expect(survey).toMatchObject({ supported_languages: ['en', 'pt-BR'] });
  expect(questions.get('a')).toMatchObject({ title: { en: 'A?', 'pt-BR': 'B?' } });
  expect(warnings).toMatchObject([{ code: 'NOT_IMPORTED', detail: expect.stringContaining('pt-br') }]);
});

describe('a file that is not a survey of Formbricks', () => {
  it.each([
    ['no object', [], 'must be an object'],
    ['a list of surveys', { data: [{ id: '1', name: 'x' }] }, 'The file is a list: export the survey with GET'],
    ['responses alone', { data: [{ surveyId: 's', data: {} }] }, 'has responses and no survey'],
    ['no questions', { data: { id: 's' } }, 'must have questions or blocks'],
    ['responses of another kind', { survey: BLOCKS, responses: 7 }, 'must be a list, or an object with a list `data`'],
  ])('is rejected with %s', async (_case, value, detail) => {
    expect(await rejectionOf(readJson(value))).toMatchObject([{ detail: expect.stringContaining(detail) }]);
  });
});
