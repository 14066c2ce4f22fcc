import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readGoogleFormsSurvey } from './survey.ts';

const readFixture = (name: string) => readSurveyFile(readGoogleFormsSurvey, fixture(import.meta.url, name));
const read = (data: unknown) => readSurveyFile(readGoogleFormsSurvey, JSON.stringify(data));
const form = readFixture('all-kinds.json');
const asked = (id: string, members: object) => ({
  itemId: `i${id}`,
  title: 'A',
  questionItem: { question: { questionId: id, ...members } },
});
const text = (id: string) => asked(id, { required: true, textQuestion: {} });
const choice = (id: string, ...options: object[]) => asked(id, { choiceQuestion: { type: 'RADIO', options } });
const section = (itemId: string) => ({ itemId, title: itemId, pageBreakItem: {} });
const formOf = (...items: object[]) => ({ formId: 'F', info: { title: 'T' }, items });
const shown = (id: string, ...conditions: object[]) => ({ question_id: id, conditions });
const condition = (source: string, operator: string, value: unknown) => ({
  source_question: source,
  operator,
  value,
  action: 'show',
});

describe('a form of Google Forms', () => {
  it.each([{}, { items: null }, { items: [] }])('can have no items: %j', async (items) => {
    expect((await read({ formId: 'F', info: { title: 'T' }, ...items })).questions.size).toBe(0);
  });

  it('becomes a survey with a page for each section and text', async () => {
    const { survey, problems } = await form;
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: 'A day out',
      description: 'Tell us',
      supported_languages: ['en'],
      source_data: { source: 'google_forms', source_id: 'G1', quizSettings: { isQuiz: true } },
    });
    const pages = (survey['pages'] as JsonObject[]).map(({ title, description }) => [title, description]);
    expect(pages).toEqual([
      [undefined, undefined],
      ['Second part', 'Not long'],
      ['Read this', 'With care'],
      ['The house', undefined],
      ['A film', undefined],
    ]);
  });

  it.each<[string, JsonObject]>([
    [
      'a1',
      {
        type: 'text',
        title: 'Name',
        description: 'As on the list',
        required: true,
        source_data: { source_id: 'a1' },
      },
    ],
    ['a2', { type: 'textarea' }],
    [
      'a3',
      {
        type: 'single_choice',
        allow_other: true,
        options: [{ id: 'Red', text: 'Red' }, { id: 'Blue' }],
        source_data: { grading: { pointValue: 2 }, shuffle: true },
      },
    ],
    ['a4', { type: 'multiple_choice', allow_other: true, options: [{ id: 'Soup' }, { id: 'Bread, butter' }] }],
    ['a5', { type: 'single_choice' }],
    ['a6', { type: 'rating', min: 0, max: 7, labels: { 0: 'Bad', 7: 'Good' } }],
    ['a7', { type: 'rating', min: 1, max: 10, source_data: { iconType: 'HEART' } }],
    ['a8', { type: 'date' }],
    ['a9', { type: 'date', required: true }],
    ['a9_time', { type: 'time', required: true, source_data: { source_id: 'a9', part: 'time' } }],
    ['a10', { type: 'text' }],
    ['a11', { type: 'time' }],
    ['a12', { type: 'text' }],
    ['a13', { type: 'file_upload', max_files: 2, max_bytes: 1_048_576, source_data: { types: ['IMAGE'] } }],
    [
      'i14',
      {
        type: 'matrix',
        required: true,
        required_rows: 1,
        rows: [{ id: 'r1', text: 'Garden', source_data: { source_id: 'r1' } }, { id: 'r2' }],
        columns: [{ id: 'Nice' }, { id: 'Not' }],
      },
    ],
    ['i15', { type: 'matrix', multiple: true }],
    ['a16', { type: 'textarea', title: 'Question' }],
    ['a16_2', { type: 'text', title: 'The same id' }],
  ])('has the question %s as %j', async (id, members) => {
    expect((await form).questions.get(id)).toMatchObject(members);
  });

  it('warns once about everything that is lost or kept', async () => {
    expect((await form).warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'KEPT_AS_SOURCE_DATA /items/2/questionItem/question/choiceQuestion/options/0',
      'KEPT_AS_SOURCE_DATA /items/2/questionItem/question',
      'KEPT_AS_SOURCE_DATA /items/2/questionItem/question/choiceQuestion',
      'KEPT_AS_SOURCE_DATA /items/6/questionItem/question/ratingQuestion',
      'NO_SUCH_TYPE /items/9/questionItem/question',
      'NO_SUCH_TYPE /items/11/questionItem/question',
      'KEPT_AS_SOURCE_DATA /items/12/questionItem/question/fileUploadQuestion',
      'KEPT_AS_SOURCE_DATA /items/13/questionGroupItem/questions',
      'KEPT_AS_SOURCE_DATA /items/13/questionGroupItem/grid',
      'NO_SUCH_TYPE /items/16',
      'KEPT_AS_SOURCE_DATA /items/17',
      'NO_SUCH_TYPE /items/17',
      'KEPT_AS_SOURCE_DATA /items/18',
      'NO_SUCH_TYPE /items/18',
      'NO_SUCH_TYPE /items/19/questionItem/question',
      'TITLE_MADE /items/19',
      'ID_CHANGED /items/20',
      'KEPT_AS_SOURCE_DATA ',
      'KEPT_AS_SOURCE_DATA /settings',
    ]);
  });

  it('has a text for a date without a year, for which the API leaves out includeYear', async () => {
    const dates = [asked('a', { dateQuestion: {} }), asked('b', { dateQuestion: { includeYear: true } })];
    const { questions } = await read(formOf(...dates));
    expect([...questions.values()].map(({ type }) => type)).toEqual(['text', 'date']);
  });

  it('keeps members with reserved names separately', async () => {
    const question = asked('q', { source_id: 'theirs', choiceQuestion: { type: 'RADIO', options: [{ value: 'A' }] } });
    const { survey, questions } = await read({
      ...formOf({ ...question, source_id: 'theirs' }),
      source: 'theirs',
    });
    expect(survey['source_data']).toMatchObject({ source: 'google_forms' });
    expect(questions.get('q')?.['source_data']).toMatchObject({ source_id: 'q', type: 'choiceQuestion' });
  });

  it('requires no files, and keeps the required rows of a grid', async () => {
    const row = (id: string, required: boolean) => ({ questionId: id, required, rowQuestion: { title: id } });
    const grid = { columns: { type: 'RADIO', options: [{ value: 'c' }] } };
    const { questions, warnings } = await read(
      formOf(asked('f', { required: true, fileUploadQuestion: { maxFiles: 1 } }), {
        itemId: 'g',
        title: 'G',
        questionGroupItem: { questions: [row('r1', true), row('r2', false)], grid },
      }),
    );
    expect([questions.get('f')?.['required'], questions.get('f')?.['source_data']]).toMatchObject([
      undefined,
      { required: true },
    ]);
    expect(questions.get('g')).toMatchObject({
      required_rows: 1,
      rows: [{ source_data: { source_id: 'r1', required: true } }, { source_data: { source_id: 'r2' } }],
    });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'KEPT_AS_SOURCE_DATA /items/0',
      'KEPT_AS_SOURCE_DATA /items/1/questionGroupItem/questions',
    ]);
  });

  it('converts jumps of options, which apply at the end of their section', async () => {
    const { survey, warnings, questions } = await readFixture('sections.json');
    expect(survey['logic']).toEqual([
      shown('left', condition('way', 'not_in', ['Right', 'None'])),
      shown('right', condition('way', 'equals', 'Right')),
      shown('right', condition('way', 'not_in', ['Right', 'None']), condition('left', 'not_equals', 'End')),
    ]);
    expect(questions.get('left')?.['required']).toBe(true);
    expect(warnings).toEqual([]);
    expect(survey['source_data']).not.toHaveProperty('sections');
  });

  it('makes no rule for questions reached twice, or after two jumping questions in a section', async () => {
    const restart = await read(
      formOf(choice('a', { value: 'x', goToAction: 'RESTART_FORM' }, { value: 'y' }), section('s'), text('b')),
    );
    expect(restart.survey['logic']).toBeUndefined();
    expect(restart.warnings).toMatchObject([{ path: '/items/2', code: 'LOGIC_NOT_CONVERTED' }]);
    expect(restart.questions.get('b')).toMatchObject({ source_data: { required: true } });
    expect(restart.questions.get('b')).not.toHaveProperty('required');
    expect(restart.survey['source_data']).toMatchObject({ sections: [{ question: 'a' }] });

    const end = { value: 'x', goToAction: 'SUBMIT_FORM' };
    const two = await read(
      formOf(choice('a', end, { value: 'y' }), choice('b', end, { value: 'y' }), section('s'), text('c')),
    );
    expect(two.warnings).toMatchObject([{ path: '/items/3', code: 'LOGIC_NOT_CONVERTED' }]);
    expect(two.warnings[0]?.detail).toContain('several questions of a section jump');
  });

  it('warns about a jump to a missing section', async () => {
    const { warnings } = await read(
      formOf(choice('a', { value: 'x', goToSectionId: 'nowhere' }), section('s'), text('b')),
    );
    expect(warnings[0]?.detail).toContain('a jump leads to nowhere, which does not exist');
  });

  it('can have its responses in the same file', async () => {
    const data = {
      form: formOf(text('a')),
      responses: {
        responses: [
          {
            responseId: 'r',
            createTime: '2024-01-01T00:00:00Z',
            answers: { a: { textAnswers: { answers: [{ value: 'x' }] } } },
          },
        ],
      },
    };
    const { responses, payload } = await read(data);
    const all = await Array.fromAsync(responses?.(() => {}) ?? []);
    expect(validateResponses(all, payload).stored).toEqual([{ a: 'x' }]);
  });

  it.each([{}, { nextPageToken: 'x' }])('can have a reply without responses: %j', async (reply) => {
    const { responses, problems } = await read({ form: formOf(text('a')), responses: reply });
    expect([responses, problems]).toEqual([undefined, []]);
  });

  it('has a page for an unknown item', async () => {
    const { warnings } = await read(formOf(text('a'), { itemId: 'b', title: 'B' }));
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'An unknown item has no equivalent question type and becomes the title of a page',
    ]);
  });

  it('reports an error of the survey with its item', async () => {
    const { toFileProblem } = await form;
    expect(toFileProblem({ path: '/survey/pages/0/questions/3/options', code: 'X', detail: 'x' }).path).toBe(
      '/items/3',
    );
  });

  it.each([
    ['no options', choice('b')],
    ['only an option of own wording', choice('b', { isOther: true })],
    ['options that are the same, or nothing', choice('b', { value: 'x' }, { value: 'x' }, {}, { value: 'other' })],
    ['a scale whose ends contradict each other', asked('b', { scaleQuestion: { low: 5, high: 1 } })],
    ['an invalid scale', asked('b', { scaleQuestion: { low: 'x', high: 1e9 } })],
    ['no stars', asked('b', { ratingQuestion: { ratingScaleLevel: 0 } })],
    [
      'a grid without rows',
      { itemId: 'b', title: 'G', questionGroupItem: { grid: { columns: { options: [{ value: 'x' }] } } } },
    ],
    ['a grid without columns', { itemId: 'b', title: 'G', questionGroupItem: { questions: [{ questionId: 'r' }] } }],
    ['no ids', { title: 'A', questionItem: { question: { textQuestion: {} } } }],
    ['an invalid id', asked('ä b', { textQuestion: {} })],
  ])('passes lint with %s', async (_, item) => {
    const { problems, questions } = await read(formOf(text('a'), item));
    expect([problems, questions.size]).toEqual([[], 2]);
  });

  it.each([
    ['no object', [], ''],
    ['what is no form', { title: 'T', type: 'object' }, '/items'],
    ['invalid items', { formId: 'F', items: [3] }, '/items'],
    ['what an Apps Script wrote', { title: 'T', items: [{ type: 'MULTIPLE_CHOICE', title: 'A' }] }, '/items'],
    ['invalid responses', { form: formOf(), responses: [] }, '/responses'],
  ])('is rejected if it is %s', async (_, data, path) => {
    expect(await rejectionOf(read(data))).toMatchObject([{ path, code: 'WRONG_TYPE' }]);
  });
});
