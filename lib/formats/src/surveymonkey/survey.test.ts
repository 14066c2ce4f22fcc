import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readSurveyMonkeySurvey } from './survey.ts';

const text = fixture(import.meta.url, 'details.json').toString();
const details = readSurveyFile(readSurveyMonkeySurvey, text);
const read = (data: unknown) => readSurveyFile(readSurveyMonkeySurvey, JSON.stringify(data));
const question = (members: object) => ({
  id: '1',
  family: 'single_choice',
  subtype: 'vertical',
  headings: [{ heading: 'A' }],
  ...members,
});
const detailsOf = (...questions: object[]) => ({ id: '1', title: 'T', pages: [{ id: '1', questions }] });
const rows = [{ id: '5', text: 'Row' }];
/** Limits of dates: ambiguous day and month, and one that is already a day. */
const limitsOf: Readonly<Record<string, readonly [min: string, max: string]>> = {
  text_length: ['3', '9'],
  date_us: ['02/09/2024', '03/30/2024'],
  date_intl: ['02/09/2024', '2024-12-31'],
};
const choices = [{ id: '6', text: 'Choice', weight: 1 }];

describe('details of SurveyMonkey', () => {
  it('become a survey with its pages, and texts instead of HTML', async () => {
    const { survey, problems } = await details;
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: 'Staying with us',
      supported_languages: ['en'],
      pages: [
        { title: 'Your stay', source_data: { source_id: 'p1' } },
        { title: 'The house', description: 'Nearly done' },
        { title: 'Thank you for your patience', source_data: { source_id: '21' } },
      ],
      source_data: { source: 'surveymonkey', source_id: '100', nickname: 'stay' },
    });
  });

  it.each<[string, JsonObject]>([
    [
      '1',
      {
        type: 'single_choice',
        title: 'Which room?',
        required: true,
        allow_other: true,
        options: [{ id: '11', text: 'Blue' }, { id: '12' }],
      },
    ],
    ['2', { type: 'single_choice', source_data: { sorting: { type: 'random' } } }],
    [
      '2_comment',
      { type: 'textarea', title: 'Which floor? – Notes', source_data: { source_id: '2', part: 'comment' } },
    ],
    ['3', { type: 'multiple_choice', required: true, min_selections: 1, max_selections: 2, allow_other: true }],
    ['4', { type: 'text', min_length: 2, max_length: 40 }],
    ['5', { type: 'rating', min: 0, max: 100, step: 5, labels: { 0: 'Empty', 100: 'Full' } }],
    ['6', { type: 'file_upload' }],
    ['7', { type: 'text', format: 'email' }],
    ['8', { type: 'date', source_data: { date_format: 'date_us' } }],
    ['9', { type: 'textarea' }],
    ['10_101', { type: 'text', title: 'Words – One', source_data: { source_id: '10', row_id: '101' } }],
    ['11_112', { type: 'text', format: 'integer', required: true }],
    [
      '12',
      {
        type: 'matrix',
        required: true,
        required_rows: 1,
        rows: [{ id: '121' }, { id: '122' }],
        columns: [{ id: '123' }, { id: '124' }],
      },
    ],
    [
      '13',
      {
        type: 'likert',
        rows: [{ id: '131' }],
        options: [{ source_data: { weight: 1 } }, {}, { source_data: { is_na: true } }],
      },
    ],
    [
      '14',
      {
        type: 'rating',
        min: 1,
        max: 3,
        labels: { 1: 'Bad', 3: 'Good' },
        source_data: { weights: { 142: 1, 143: 2, 144: 3 } },
      },
    ],
    ['15', { type: 'matrix', multiple: true }],
    ['15_comment', { type: 'textarea' }],
    ['16', { type: 'matrix' }],
    [
      '17_172',
      { type: 'matrix', title: 'Who – Age', columns: [{ id: '173' }, { id: '174' }], source_data: { col_id: '172' } },
    ],
    ['17_175', { type: 'matrix', columns: [{ id: '176' }] }],
    ['18_181_date', { type: 'date', required: true }],
    ['18_181_time', { type: 'time', required: true }],
    ['19_191', { type: 'time', title: 'Breakfast' }],
    ['20_201', { type: 'text', required: true }],
    ['20_202', { type: 'text', format: 'email' }],
    ['22', { type: 'textarea', title: 'payment/single' }],
    ['23', { type: 'likert', options: [{ id: '232' }, { id: '233' }] }],
  ])('have the question %s as %j', async (id, members) => {
    expect((await details).questions.get(id)).toMatchObject(members);
  });

  it('cause one warning for everything that is lost or kept', async () => {
    const { warnings, questions } = await details;
    const reported = warnings.map(({ code, path }) => `${code} ${path}`);
    expect(reported).toEqual([
      'HTML_REMOVED /pages/0/questions/0/headings/0/heading',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/0/answers/choices/1',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/0/required',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/0/answers/other',
      'NO_SUCH_TYPE /pages/0/questions/1/family',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/1',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/3/validation',
      'NO_SUCH_TYPE /pages/0/questions/9/family',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/9/required',
      'NO_SUCH_TYPE /pages/0/questions/10/family',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/10/validation',
      'KEPT_AS_SOURCE_DATA /pages/1/questions/1/answers/choices/0',
      'KEPT_AS_SOURCE_DATA /pages/1/questions/1/answers/choices/2',
      'KEPT_AS_SOURCE_DATA /pages/1/questions/2/display_options',
      'NO_SUCH_TYPE /pages/1/questions/3/family',
      'NO_SUCH_TYPE /pages/1/questions/4/family',
      'NO_SUCH_TYPE /pages/1/questions/5/family',
      'NO_SUCH_TYPE /pages/1/questions/6/family',
      'NO_SUCH_TYPE /pages/1/questions/8/family',
      'NOT_IMPORTED /pages/1/questions/8/answers/rows/2',
      'NO_SUCH_TYPE /pages/1/questions/9/family',
      'NO_SUCH_TYPE /pages/1/questions/10/family',
      'TITLE_MADE /pages/1/questions/10/headings',
      'KEPT_AS_SOURCE_DATA ',
    ]);
    expect(questions.has('20_203')).toBe(false);
  });

  it('have errors of the survey with the question', async () => {
    const { toFileProblem } = await details;
    expect(toFileProblem({ path: '/survey/pages/1/questions/0/rows', code: 'X', detail: 'x' }).path).toBe(
      '/pages/1/questions/0',
    );
  });

  it('can have the responses in the same file', async () => {
    const responses = JSON.parse(fixture(import.meta.url, 'bulk.json').toString());
    const both = await read({ survey: JSON.parse(text), responses });
    const all = await Array.fromAsync(both.responses?.(() => {}) ?? []);
    expect(validateResponses(all, both.payload).stored).toHaveLength(1);
    expect(all).toHaveLength(5);
    expect(both.warnings[0]?.path).toBe('/survey/pages/0/questions/0/headings/0/heading');
  });

  it('require nothing if the file has responses', async () => {
    const data = detailsOf(
      question({ required: { type: 'all' }, answers: { choices: [{ id: '6', text: 'Choice' }] } }),
    );
    const responses = { data: [] };
    const both = await read({ survey: data, responses });
    expect((await read(data)).questions.get('1')).toHaveProperty('required', true);
    expect(both.questions.get('1')).not.toHaveProperty('required');
    expect(both.questions.get('1')?.['source_data']).toMatchObject({ required: { type: 'all' } });
    expect(both.warnings).toMatchObject([
      { path: '/survey/pages/0/questions/0/required', code: 'LOGIC_NOT_CONVERTED' },
    ]);
  });

  it('may limit choices from zero on', async () => {
    const answers = { choices: ['6', '7', '8'].map((id) => ({ id, text: id })) };
    const required = { type: 'range', amount: '0-2' };
    const { questions } = await read(detailsOf(question({ family: 'multiple_choice', required, answers })));
    expect(questions.get('1')).toMatchObject({ type: 'multiple_choice', max_selections: 2 });
    expect(questions.get('1')).not.toHaveProperty('min_selections');
  });

  it('require no files and no hidden questions', async () => {
    const file = { family: 'open_ended', subtype: 'single', display_options: { display_type: 'file_upload' } };
    const required = { type: 'all' };
    const { questions, codes } = await read(
      detailsOf(
        question({ id: '2', ...file, required }),
        question({ id: '3', family: 'open_ended', subtype: 'essay', visible: false, required }),
      ),
    );
    expect([...questions.values()].map(({ required: is }) => is)).toEqual([undefined, undefined]);
    expect(codes).toEqual(['KEPT_AS_SOURCE_DATA', 'NOT_IMPORTED']);
  });

  it('report a hidden text, and keep the comment of an unknown kind', async () => {
    const other = { id: '9', text: 'Why?', is_answer_choice: false };
    const { questions, warnings } = await read(
      detailsOf(
        question({ id: '2', family: 'presentation', subtype: 'descriptive_text', visible: false }),
        question({ family: 'hologram', subtype: '', answers: { other } }),
      ),
    );
    expect(questions.get('1')).toMatchObject({ type: 'textarea', source_data: { other: { text: 'Why?' } } });
    const details = warnings.map(({ detail }) => detail);
    expect(details).toContain('The hidden text 2 is shown');
    expect(details).toContain('Members without an equivalent are kept in source_data (reported once): text');
  });

  it('import hidden choices, rows and columns as inactive, and warn about those without an equivalent', async () => {
    const hidden = { id: '7', text: 'Hidden', visible: false };
    const other = { id: '8', text: 'Other', is_answer_choice: true, visible: false };
    const { questions, warnings } = await read(
      detailsOf(
        question({ id: '2', answers: { choices: [...choices, hidden], other } }),
        question({
          id: '3',
          family: 'matrix',
          subtype: 'menu',
          answers: { rows: [hidden, ...rows], cols: [hidden, { id: '9', text: 'C', choices: [...choices, hidden] }] },
        }),
      ),
    );
    const inactive = { id: '7', text: 'Hidden', inactive: true };
    expect(questions.get('2')).toMatchObject({ options: [{ id: '6' }, inactive] });
    expect(questions.get('2')).not.toHaveProperty('allow_other');
    expect(questions.get('3_9')).toMatchObject({ rows: [inactive, { id: '5' }], columns: [{ id: '6' }, inactive] });
    expect([...questions.keys()]).toEqual(['2', '3_9']);
    const reported = warnings.filter(({ code }) => code === 'NOT_IMPORTED').map(({ path }) => path);
    expect(reported).toEqual(['/pages/0/questions/0/answers/other']);
  });

  it.each([
    [{ type: 'at_least', amount: '1' }, [undefined, undefined, undefined, undefined]],
    [{ type: 'at_least', amount: '2' }, [true, true, true, true]],
    [{ type: 'all' }, [true, true, true, true]],
  ])('with %j of two date questions require %j', async (required, expected) => {
    const moments = { family: 'datetime', subtype: 'both', answers: { rows: [...rows, { id: '6', text: 'Other' }] } };
    const { questions } = await read(detailsOf(question({ ...moments, required })));
    expect([...questions.values()].map((one) => one['required'])).toEqual(expected);
  });

  it.each([
    ['an unknown kind', { family: 'best_worst', subtype: 'single' }],
    ['no choices', { answers: {} }],
  ])('with %s stay required as texts', async (_, members) => {
    const { questions } = await read(detailsOf(question({ ...members, required: { type: 'all' } })));
    expect(questions.get('1')).toMatchObject({ type: 'textarea', required: true });
  });

  it('keep members with reserved names separately', async () => {
    const theirs = { source_id: 'theirs', type: 'theirs', row_id: 'theirs' };
    const { survey, questions } = await read({
      ...detailsOf(
        question({ ...theirs, family: 'open_ended', subtype: 'multi', answers: { rows } }),
        question({ ...theirs, id: '2', answers: { choices: [{ id: '6', text: 'Choice', source_id: 'theirs' }] } }),
      ),
      source: 'theirs',
    });
    expect(survey['source_data']).toMatchObject({ source: 'surveymonkey' });
    expect(questions.get('1_5')?.['source_data']).toMatchObject({
      source_id: '1',
      type: 'open_ended/multi',
      row_id: '5',
    });
    expect(questions.get('2')?.['options']).toMatchObject([{ source_data: { source_id: '6' } }]);
  });

  it('accept texts as long as in SurveyMonkey', async () => {
    const { questions } = await read(detailsOf(question({ family: 'open_ended', subtype: 'single' })));
    expect(questions.get('1')).toMatchObject({ type: 'text', max_length: 20_000 });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['text_length', { subtype: 'essay' }, { type: 'textarea', min_length: 3, max_length: 9 }],
    ['date_us', {}, { type: 'date', min: '2024-02-09', max: '2024-03-30' }],
    ['date_intl', {}, { type: 'date', min: '2024-09-02', max: '2024-12-31' }],
    [
      'date_us',
      { subtype: 'multi', answers: { rows } },
      { type: 'date', min: '2024-02-09', source_data: { row_id: '5', date_format: 'date_us' } },
    ],
    ['date_us', { family: 'datetime', subtype: 'both', answers: { rows } }, { type: 'date', max: '2024-03-30' }],
  ])('with the validation %s get a rule, without a warning: %j', async (type, members, expected) => {
    const [min, max] = limitsOf[type] ?? [];
    const { questions, codes, problems } = await read(
      detailsOf(question({ family: 'open_ended', subtype: 'single', ...members, validation: { type, min, max } })),
    );
    expect([...questions.values()][0]).toMatchObject(expected);
    expect(codes).not.toContain('KEPT_AS_SOURCE_DATA');
    expect(problems).toEqual([]);
  });

  it('check the length of a comment', async () => {
    const other = { id: '7', text: 'Why?', is_answer_choice: false };
    const validation = { type: 'text_length', min: '0', max: '50' };
    const { questions, codes } = await read(detailsOf(question({ validation, answers: { choices, other } })));
    expect(questions.get('1_comment')).toMatchObject({ type: 'textarea', max_length: 50 });
    expect(codes).toEqual(['KEPT_AS_SOURCE_DATA', 'NO_SUCH_TYPE']);
  });

  it.each([
    ['the ends of numbers', { type: 'integer', min: '2', max: '99' }, 'min, max'],
    ['an expression', { type: 'regex', min: 'a+' }, 'type, min'],
    ['a day that there is not', { type: 'date_us', min: '02/30/2024', max: '03/30/2024' }, 'min'],
    ['days that contradict each other', { type: 'date_us', min: '03/30/2024', max: '03/01/2024' }, 'min, max'],
    ['its own words', { type: 'email', text: 'No address', min: null, max: '', sum: null, sum_text: 'Sum' }, 'text'],
  ])('with the validation %s keep it, with a warning', async (_, validation, names) => {
    const single = { family: 'open_ended', subtype: 'single', validation };
    const { questions, warnings, problems } = await read(detailsOf(question(single), question({ ...single, id: '2' })));
    expect(questions.get('1')?.['source_data']).toMatchObject({ validation });
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      { path: '/pages/0/questions/0/validation', code: 'KEPT_AS_SOURCE_DATA', detail: expect.stringMatching(names) },
    ]);
    expect(warnings[0]?.detail.endsWith(`: ${names}`)).toBe(true);
  });

  it('keep display options and error texts, with one warning', async () => {
    const looks = { display_options: { display_type: 'stars' }, required: { type: 'all', text: 'Please' } };
    const slider = { family: 'open_ended', subtype: 'single', display_options: { display_type: 'slider' } };
    const { questions, warnings } = await read(
      detailsOf(
        question({ id: '1', ...slider }),
        question({ id: '2', ...looks, answers: { choices } }),
        question({ id: '3', ...looks, answers: { choices } }),
      ),
    );
    expect(questions.get('3')?.['source_data']).toMatchObject(looks);
    const reported = warnings.map(({ code, path }) => `${code} ${path}`);
    expect(reported).toEqual([
      'KEPT_AS_SOURCE_DATA /pages/0/questions/1/answers/choices/0',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/1/required',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/1/display_options',
    ]);
  });

  it('keep scores, the text of "other", and other members of rows', async () => {
    const quiz = { quiz_options: { score: 2, is_correct: true } };
    const other = { id: '7', text: 'Something else', is_answer_choice: true };
    const scored = { choices: [{ id: '6', text: 'Choice', ...quiz }], other };
    const { questions, warnings } = await read(
      detailsOf(
        question({ id: '1', answers: scored }),
        question({ id: '2', family: 'multiple_choice', answers: scored }),
        question({
          id: '3',
          family: 'open_ended',
          subtype: 'multi',
          answers: { rows: [{ ...rows[0], hint: 'Here' }] },
        }),
      ),
    );
    for (const id of ['1', '2']) {
      expect(questions.get(id)).toMatchObject({
        options: [{ source_data: quiz }],
        source_data: { other: { text: 'Something else' } },
      });
    }
    expect(questions.get('3_5')?.['source_data']).toMatchObject({ items: [{ source_id: '5', hint: 'Here' }] });
    const reported = warnings.map(({ code, path }) => `${code} ${path}`);
    expect(reported).toEqual([
      'KEPT_AS_SOURCE_DATA /pages/0/questions/0/answers/choices/0',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/0/answers/other',
      'KEPT_AS_SOURCE_DATA /pages/0/questions/2/answers/rows/0',
    ]);
  });

  it('with too large menus are rejected before expanding them', async () => {
    const many = (name: string, members: object) =>
      Array.from({ length: 700 }, (_, index) => ({ id: `${name}${index}`, text: name, ...members }));
    const answers = { rows: many('r', {}), cols: many('c', { choices }) };
    const rejected = read(detailsOf(question({ family: 'matrix', subtype: 'menu', answers })));
    expect(await rejectionOf(rejected)).toMatchObject([{ path: '/pages/0/questions/0', code: 'LIMIT_EXCEEDED' }]);
  });

  it.each([
    ['no choices', { answers: {} }],
    [
      'the name of a member of all objects for a subtype',
      { family: 'datetime', subtype: 'constructor', answers: { rows } },
    ],
    ['invalid answers', { family: 'matrix', subtype: 'rating', answers: 'x' }],
    ['rows without choices', { family: 'matrix', subtype: 'single', answers: { rows } }],
    ['choices without rows', { family: 'matrix', subtype: 'single', answers: { choices } }],
    ['menus without choices', { family: 'matrix', subtype: 'menu', answers: { rows, cols: [{ id: '7', text: 'C' }] } }],
    ['texts without rows', { family: 'open_ended', subtype: 'multi', answers: { rows: [] } }],
    [
      'more selections than choices',
      { family: 'multiple_choice', required: { type: 'exactly', amount: '9' }, answers: { choices } },
    ],
    [
      'an invalid amount',
      { family: 'multiple_choice', required: { type: 'at_least', amount: 'two' }, answers: { choices } },
    ],
    [
      'lengths that contradict each other',
      { family: 'open_ended', subtype: 'single', validation: { type: 'text_length', min: '9', max: '1' } },
    ],
    [
      'a slider whose ends contradict each other',
      {
        family: 'open_ended',
        subtype: 'single',
        display_options: { display_type: 'slider' },
        validation: { min: '9', max: '1' },
      },
    ],
    ['no family', { family: undefined }],
    ['an invalid id', { id: 'ä b' }],
    ['choices that are the same', { answers: { choices: [...choices, ...choices] } }],
  ])('pass lint with %s', async (_, members) => {
    const { questions, problems } = await read(detailsOf(question({ id: '0' }), question(members)));
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(1);
  });

  it.each([
    ['no object', [], '', 'The file must be an object with the details'],
    ['an error', { error: { message: 'Not for you' } }, '', 'Not for you'],
    ['a list of surveys', { data: [], page: 1 }, '', 'GET /v3/surveys/{id}/details'],
    [
      'a page of responses',
      { data: [{ id: '1', survey_id: '42', collection_mode: 'default', pages: [] }], total: 1 },
      '',
      'their survey is missing: export it with GET /v3/surveys/42/details',
    ],
    ['a list of responses', [{ id: '1', response_status: 'completed' }], '', 'GET /v3/surveys/{id}/details'],
    [
      'a response in place of the survey',
      {
        survey: {
          id: '1',
          survey_id: '42',
          response_status: 'completed',
          pages: [{ id: '7', questions: [{ id: '8' }] }],
        },
        responses: { data: [] },
      },
      '/survey',
      'their survey is missing: export it with GET /v3/surveys/42/details',
    ],
    ['a webhook notification', { event_type: 'response_completed' }, '', 'webhook'],
    ['a survey without its details', { id: '1', title: 'T' }, '/pages', 'GET /v3/surveys/{id}/details'],
    ['pages without questions', { pages: [{ id: '1' }] }, '/pages', 'questions'],
    ['invalid responses', { survey: { pages: [] }, responses: [] }, '/responses', 'data'],
  ])('are rejected if they are %s', async (_, data, path, detail) => {
    const [problem] = await rejectionOf(read(data));
    expect(problem).toMatchObject({ path, code: 'WRONG_TYPE' });
    expect(problem?.detail).toContain(detail);
  });
});
