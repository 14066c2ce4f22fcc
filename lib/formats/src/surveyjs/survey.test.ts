import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readSurveyjsSurvey } from './survey.ts';

const read = (document: unknown) => readSurveyFile(readSurveyjsSurvey, JSON.stringify(document));
const kinds = await readSurveyFile(readSurveyjsSurvey, fixture(import.meta.url, 'kinds.json'));
const logic = await readSurveyFile(readSurveyjsSurvey, fixture(import.meta.url, 'logic.json'));

describe('a SurveyJS survey with all question types', () => {
  it('passes lint, and has its texts in all languages', () => {
    expect(kinds.problems).toEqual([]);
    expect(kinds.survey).toMatchObject({
      title: { en: 'Lunch', de: 'Mittagessen' },
      supported_languages: ['en', 'de'],
      thank_you_screen: { description: 'Thank you' },
      source_data: { source: 'surveyjs', showProgressBar: 'top' },
      pages: [{ id: 'choices', title: 'Choices', description: 'Please answer everything.' }, {}, {}],
    });
  });

  it.each<readonly [string, object]>([
    [
      'ate',
      {
        type: 'single_choice',
        required: true,
        title: { en: 'Did you eat?', de: 'Hast du gegessen?' },
        description: 'Be honest',
        allow_other: true,
        options: [
          { id: 'yes', text: 'Yes, of course', source_data: { source_id: 'yes' } },
          { id: '0', text: { en: 'No', de: 'Nein' }, source_data: { source_id: 0 } },
        ],
        source_data: { source_id: 'ate', type: 'radiogroup', colCount: 2 },
      },
    ],
    [
      'dishes',
      {
        type: 'multiple_choice',
        min_selections: 1,
        max_selections: 2,
        options: [
          { id: 'soup' },
          { id: 'other_option', text: 'Another' },
          { id: '3' },
          { id: 'none', text: 'Nothing', exclusive: true },
        ],
      },
    ],
    ['seat', { type: 'single_choice', options: [{ id: '1' }, { id: '3' }, { id: '5' }] }],
    ['country', { type: 'text', source_data: { choicesByUrl: { url: 'https://example.org/countries' } } }],
    ['tags', { type: 'textarea', source_data: { kept_as: 'json', choicesFromQuestion: 'dishes' } }],
    ['face', { type: 'multiple_choice', options: [{ id: 'a', source_data: { source_id: 'a', imageLink: 'a.png' } }] }],
    [
      'again',
      {
        type: 'single_choice',
        required: true,
        options: [
          { id: 'true', text: 'Sure' },
          { id: 'never', text: 'No' },
        ],
      },
    ],
    [
      'order',
      {
        type: 'matrix',
        required: true,
        required_rows: 1,
        rows: [{ id: 'price' }, { id: 'taste' }],
        columns: [{ id: '1' }, { id: '2' }],
      },
    ],
    ['name', { type: 'text', max_length: 50, pattern: '^[A-Z]' }],
    ['full_name', { type: 'text', title: 'full name', source_data: { source_id: 'full name' } }],
    ['mail', { type: 'text', format: 'email' }],
    [
      'age',
      { type: 'text', format: 'number', source_data: { min: 0, validators: [{ type: 'numeric', maxValue: 120 }] } },
    ],
    ['day', { type: 'date', min: '2024-01-01', source_data: { max: '{today}' } }],
    ['at', { type: 'time' }],
    ['moment', { type: 'text', source_data: { input_type: 'datetime-local' } }],
    ['more', { type: 'textarea', min_length: 5, max_length: 500 }],
    [
      'address.street',
      { type: 'text', title: 'Address: Street', required: true, source_data: { source_id: 'address', item: 'street' } },
    ],
    ['address.zip', { type: 'text', title: 'Address: zip' }],
    ['sum', { type: 'text', source_data: { expression: '{age} + 1' } }],
    ['taste', { type: 'rating', min: 1, max: 5 }],
    ['taste-Comment', { type: 'textarea', title: 'Why?' }],
    ['stars', { type: 'rating', min: 1, max: 7, labels: { 1: 'bad', 7: 'good' } }],
    ['steps', { type: 'rating', min: 2, max: 6, step: 2, labels: { 4: 'four' } }],
    ['words', { type: 'single_choice', options: [{ id: 'low' }, { id: 'high' }] }],
    ['heat', { type: 'rating', min: 10, max: 30, step: 5 }],
    ['range', { type: 'textarea' }],
    [
      'quality',
      {
        type: 'matrix',
        required: true,
        required_rows: 1,
        columns: [{ id: '1', text: 'good' }, { id: '2' }],
        rows: [{ id: 'food' }, { id: 'service' }],
      },
    ],
    ['checks', { type: 'matrix', required: true, multiple: true }],
    ['scale', { type: 'likert', options: [{ id: 'low' }, { id: 'high' }] }],
    [
      'budget.people',
      {
        type: 'matrix',
        title: 'budget: People',
        rows: [{ id: 'q1', text: 'First' }, { id: 'q2' }],
        columns: [{ id: 'few' }, { id: 'many' }],
      },
    ],
    ['budget.kinds', { type: 'matrix', multiple: true }],
    ['budget.note.q1', { type: 'text', source_data: { source_id: 'budget', column: 'note', row: 'q1' } }],
    ['budget.score', { type: 'matrix', columns: [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }, { id: '5' }] }],
    ['team', { type: 'textarea', source_data: { kept_as: 'json' } }],
    ['children', { type: 'textarea', source_data: { templateElements: [{ type: 'text', name: 'child' }] } }],
    ['cv', { type: 'file_upload', max_files: 1, max_bytes: 1024, accept: 'image/*,.pdf' }],
    ['sign', { type: 'file_upload', accept: 'image/*' }],
    ['odd', { type: 'textarea', required: true, source_data: { type: 'yesno' } }],
    ['secret', { type: 'text', source_data: { visible: false } }],
  ])('%s becomes the nearest type', (id, question) => {
    expect(kinds.questions.get(id)).toMatchObject(question);
  });

  it('invisible questions are not required', () => {
    expect(kinds.questions.get('secret')).not.toHaveProperty('required');
  });

  it.each([
    ['NO_SUCH_TYPE', '/pages/0/elements/0', 'part of the description'],
    ['NO_SUCH_TYPE', '/pages/0/elements/4', 'no choices in the file'],
    ['NO_SUCH_TYPE', '/pages/2/elements/14', 'yesno'],
    ['ID_CHANGED', '/pages/1/elements/1/name', 'the new id is full_name'],
    ['KEPT_AS_SOURCE_DATA', '/pages/0/elements/1/colCount', 'colCount'],
    ['KEPT_AS_SOURCE_DATA', '/pages/0/elements/6/choices/0/imageLink', 'imageLink'],
    ['KEPT_AS_SOURCE_DATA', '/pages/1/elements/3/validators', 'validators'],
    ['LOGIC_NOT_CONVERTED', '/pages/1/elements/9/expression', 'expression'],
    ['LOGIC_NOT_CONVERTED', '/pages/2/elements/15/visible', 'not required'],
    ['HTML_REMOVED', '/pages/0/elements/0', 'HTML'],
  ])('%s at %s has a clear detail', (code, path, detail) => {
    expect(kinds.warnings).toContainEqual({ path, code, detail: expect.stringContaining(detail) });
  });

  it('an unknown member causes one warning', () => {
    const paths = kinds.warnings.map(({ code, path }) => `${code} ${path.split('/').at(-1)}`);
    expect(paths.filter((path) => path === 'LOGIC_NOT_CONVERTED visibleIf').length).toBeLessThan(2);
    expect(new Set(kinds.warnings.map((warning) => JSON.stringify(warning))).size).toBe(kinds.warnings.length);
  });

  it('an error of a question names the location of its element', () => {
    expect(kinds.toFileProblem({ path: '/survey/pages/1/questions/1/id', code: 'X', detail: '' }).path).toBe(
      '/pages/1/elements/1',
    );
  });
});

describe('conditions of SurveyJS', () => {
  it('those of questions show, those of pages and panels hide', () => {
    expect(logic.problems).toEqual([]);
    expect(logic.survey['logic']).toEqual(
      [
        { question_id: 'c', conditions: [{ source_question: 'a', operator: 'is_answered', action: 'require' }] },
        { question_id: 'inner', conditions: [{ source_question: 'c', operator: 'is_not_answered', action: 'hide' }] },
        { question_id: 'p2', conditions: [{ source_question: 'a', operator: 'equals', value: 'z', action: 'hide' }] },
        {
          question_id: 'b',
          conditions: [{ source_question: 'a', operator: 'in', value: ['x', 'y'], action: 'show' }],
        },
        {
          question_id: 'later',
          conditions: [{ source_question: 'a', operator: 'equals', value: 'x', action: 'show' }],
        },
      ].map((entry) => expect.objectContaining(entry)),
    );
    expect(logic.survey['sections']).toMatchObject([
      { id: 'inner', title: 'Inner', question_ids: ['later', 'last'] },
      { id: 'p2', question_ids: ['later', 'last', 'loose'] },
    ]);
  });

  it.each([
    ['d', 'it uses calc, which is not a question of the survey'],
    ['e', 'later is on a later page than e'],
    ['f', 'a question or a value is missing at the end of the expression'],
    ['g', 'it calls age'],
    ['h', 'it never holds'],
  ])('the condition of %s is kept with the reason, and the question is optional', (id, reason) => {
    expect(logic.questions.get(id)).not.toHaveProperty('required');
    expect(logic.questions.get(id)).toHaveProperty('source_data.visibleIf');
    expect(logic.warnings.map(({ detail }) => detail)).toContainEqual(expect.stringContaining(reason));
  });

  it('triggers, calculated values and enableIf are kept, with warnings', () => {
    expect(logic.survey).toMatchObject({ source_data: { triggers: [{}], calculatedValues: [{}] } });
    const paths = logic.warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/triggers', '/calculatedValues', '/pages/0/elements/5/enableIf']));
  });
});

describe('files that are not a SurveyJS survey', () => {
  it.each([
    ['a list', []],
    ['an object without questions', { title: 'x', pages: [{ elements: [{ type: 'html' }] }] }],
    ['a result', { ate: 'yes' }],
    ['pages that are no list', { pages: { elements: [] } }],
    ['responses that are no list', { survey: { elements: [{ type: 'text', name: 'a' }] }, responses: {} }],
  ])('%s is rejected', async (_, document) => {
    expect(await rejectionOf(read(document))).toMatchObject([{ code: 'NO_SURVEY' }]);
  });

  it.each([
    ['no JSON', '{"pages": ['],
    ['__proto__', '{"pages": [], "__proto__": {"a": 1}}'],
    ['deep nesting', `{"elements": ${'['.repeat(200)}${']'.repeat(200)}}`],
    ['another encoding', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ])('%s is rejected with the location', async (_, contents) => {
    const [problem] = await rejectionOf(readSurveyFile(readSurveyjsSurvey, contents));
    expect(problem?.detail).not.toBe('');
  });

  it.each([
    // SurveyJS shows `default` for its own language, English, and only for untranslated languages otherwise.
    [undefined, { en: 'English', default: 'Shown' }, 'Shown', ['en']],
    ['en', { default: 'Shown', en: 'English' }, 'Shown', ['en']],
    ['de', { default: 'English', de: 'Gezeigt' }, 'Gezeigt', ['de']],
    ['de', { de: 'Gezeigt', default: 'English' }, 'Gezeigt', ['de']],
    ['de', { default: 'Gezeigt', fr: 'Montré' }, { de: 'Gezeigt', fr: 'Montré' }, []],
    ['de', { default: 'Gezeigt', de: 'Gezeigt' }, 'Gezeigt', []],
    ['pt-br', { 'pt-br': 'Mostrado', pt_BR: 'Outro' }, 'Mostrado', ['pt-BR']],
  ])('with the locale %s show the right one of the texts %j', async (locale, title, expected, reported) => {
    const { questions, warnings } = await read({ locale, elements: [{ type: 'text', name: 'a', title }] });
    expect(questions.get('a')?.['title']).toEqual(expected);
    const details = warnings.filter(({ code }) => code === 'NOT_IMPORTED').map(({ detail }) => detail);
    expect(details).toEqual(
      reported.map((tag) => expect.stringMatching(new RegExp(`^A text has two versions in ${tag}; the version `))),
    );
  });

  it('members of another type are kept', async () => {
    const { questions, codes } = await read({
      elements: [{ type: 'text', name: 'a', maxLength: 'long', inputType: 7, minValueExpression: '1' }],
    });
    expect(questions.get('a')?.['source_data']).toMatchObject({ maxLength: 'long', inputType: 7 });
    expect(codes).toContain('KEPT_AS_SOURCE_DATA');
  });

  it('unusual members do no harm', async () => {
    const { questions, problems } = await read({
      title: { default: 7, 'not a tag!': 'x' },
      elements: [
        { type: 'radiogroup', name: 'a', choices: [null, {}, [], { text: 'no value' }, 'x', 'x', { value: {} }, true] },
        { type: 'constructor', name: 'b' },
        { type: 5, name: 6, visibleIf: { a: 1 }, isRequired: 'yes', validators: 'none', title: [] },
        { type: 'matrix', name: 'm', rows: 'r', columns: {} },
        null,
        { type: 'text' },
        { type: 'panel', elements: [{ type: 'panel', name: 'a' }] },
      ],
    });
    expect([...questions.keys()]).toEqual(['a', 'b', '6', 'm']);
    expect(problems).toEqual([]);
  });

  it('huge conditions are kept with the reason', async () => {
    const visibleIf = Array.from({ length: 200 }, () => "{a} = 'x'").join(' or '.padEnd(40));
    const later = Array.from({ length: 60 }, (_, index) => ({ type: 'text', name: `q${index}`, visibleIf }));
    const { survey, warnings, problems } = await read({
      elements: [{ type: 'radiogroup', name: 'a', choices: ['x', 'y'] }, ...later],
    });
    expect(survey['logic']).toHaveLength(51);
    expect(warnings.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('more than 500000 characters'));
    expect(problems).toEqual([]);
  });

  it('a too large logo is not imported', async () => {
    const { survey, problems, codes } = await read({
      logo: `data:image/png;base64,${'A'.repeat(1_500_000)}`,
      elements: [{ type: 'text', name: 'a', visibleIf: '{nope} = 1', placeholder: 'x' }],
    });
    expect(problems).toEqual([]);
    expect(codes).toContain('NOT_IMPORTED');
    expect(survey).toMatchObject({
      source_data: { source: 'surveyjs' },
      pages: [{ questions: [{ source_data: { source_id: 'a', visibleIf: '{nope} = 1' } }] }],
    });
  });

  it('contradictory limits are kept in source_data', async () => {
    const { questions, problems, codes } = await read({
      elements: [
        { type: 'checkbox', name: 'a', choices: ['x', 'y'], minSelectedChoices: 3 },
        { type: 'text', name: 'b', validators: [{ type: 'text', minLength: 9, maxLength: 5 }] },
        { type: 'text', name: 'c', inputType: 'date', min: '2024-02-01', max: '2024-01-01' },
        { type: 'comment', name: 'd', validators: [{ type: 'text', minLength: 50_000 }] },
      ],
    });
    expect(problems).toEqual([]);
    expect(questions.get('a')).toMatchObject({ source_data: { min_selections: 3 } });
    expect(questions.get('b')).toMatchObject({ max_length: 5, source_data: { min_length: 9 } });
    expect(questions.get('c')).toMatchObject({ max: '2024-01-01', source_data: { min: '2024-02-01' } });
    expect(codes.filter((code) => code === 'KEPT_AS_SOURCE_DATA')).toHaveLength(3);
  });

  it('too deeply nested panels are not imported', async () => {
    let element: object = { type: 'text', name: 'deep' };
    for (let depth = 0; depth < 25; depth += 1) element = { type: 'panel', name: 'p', elements: [element] };
    const { questions, codes } = await read({ elements: [{ type: 'text', name: 'a' }, element] });
    expect([...questions.keys()]).toEqual(['a']);
    expect(codes).toContain('NOT_IMPORTED');
  });
});
