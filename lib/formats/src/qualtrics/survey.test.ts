import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { qsf } from '../testing/write-qsf.ts';
import { readQualtricsSurvey } from './survey.ts';

const read = (name: string) => readSurveyFile(readQualtricsSurvey, fixture(import.meta.url, name));
const readJson = (value: unknown) => readSurveyFile(readQualtricsSurvey, JSON.stringify(value));

it.each([
  [0, undefined],
  [4, 0.0001],
  [5, 0.00001],
])('a slider with %i decimals has exactly the step %d', async (NumDecimals, step) => {
  const slider = { QuestionType: 'Slider', Selector: 'HSLIDER', Choices: {}, Configuration: { NumDecimals } };
  const { questions } = await readJson(qsf([slider]));
  expect(questions.get('QID1')).toMatchObject({ type: 'rating' });
  expect(questions.get('QID1')?.['step']).toBe(step);
});

describe('a Qualtrics survey with all question types', async () => {
  const { survey, questions, problems, warnings } = await read('kinds.qsf');
  const question = (id: string): JsonObject => questions.get(id) ?? {};

  it('passes lint', () => {
    expect(problems).toEqual([]);
  });

  it.each([
    ['QID1', { type: 'single_choice', title: 'Which meal?', required: true }],
    ['QID1_3_TEXT', { type: 'text', title: 'Which meal? – Other:', required: false }],
    ['QID2', { type: 'multiple_choice', min_selections: 1, max_selections: 2 }],
    ['QID3', { type: 'text', format: 'integer' }],
    ['QID4', { type: 'text', format: 'email' }],
    ['QID5', { type: 'date' }],
    ['QID6', { type: 'textarea', max_length: 500 }],
    ['QID7_1', { type: 'text', title: 'Who are you? – First name' }],
    ['QID7_2', { type: 'text', title: 'Who are you? – Last name' }],
    ['QID8', { type: 'likert' }],
    ['QID9', { type: 'matrix', multiple: true }],
    ['QID10_1_2', { type: 'textarea', title: 'What did you pay? – Tea – There' }],
    ['QID11_1', { type: 'rating', min: 0, max: 10, step: 0.1 }],
    ['QID12_1', { type: 'rating', min: 0, max: 5 }],
    ['QID13', { type: 'rating', min: 0, max: 10 }],
    ['QID14', { type: 'matrix' }],
    ['QID15_1', { type: 'text', format: 'number' }],
    ['QID16_1', { type: 'likert', title: 'Side by side – Taste' }],
    ['QID16_2', { type: 'matrix', multiple: true }],
    ['QID16_3_1_1', { type: 'textarea' }],
    ['QID17', { type: 'file_upload' }],
    ['QID18_2', { type: 'single_choice', title: 'Your profile – Colour' }],
    ['QID21', { type: 'single_choice' }],
  ])('has %s as %j', (id, members) => {
    expect(question(id)).toMatchObject(members);
  });

  it('keeps order, codes and exclusiveness of choices', () => {
    expect(question('QID1')['options']).toEqual([
      { id: '2', text: 'Lunch', source_data: { source_id: '2', recode: '20' } },
      { id: '1', text: 'Breakfast', source_data: { source_id: '1', recode: '10', variable: 'early' } },
      { id: '3', text: 'Other:', source_data: { source_id: '3', recode: '30' } },
    ]);
    expect(question('QID2')['options']).toMatchObject([{}, {}, { id: '3', exclusive: true }]);
    expect(question('QID21')['options']).toMatchObject([{ id: '0' }, { id: '1' }]);
    expect(question('QID8')['rows']).toMatchObject([{ source_data: { export_tag: 'warm' } }, {}]);
  });

  it('shows the text entry of a choice if it is chosen', () => {
    const conditions = [{ source_question: 'QID1', operator: 'equals', value: '3', action: 'show' }];
    expect(survey['logic']).toContainEqual({ question_id: 'QID1_3_TEXT', conditions });
  });

  it('has pages by page breaks, and a section for each block except the trash', () => {
    const pages = survey['pages'] as JsonObject[];
    expect(pages.map(({ questions: onPage }) => (onPage as JsonObject[]).length)).toEqual([8, 11, 11]);
    expect(survey['sections']).toMatchObject([
      { id: 'BL_1', title: 'Kinds' },
      { id: 'BL_3', title: 'More kinds' },
    ]);
    expect(questions.has('QID22')).toBe(false);
  });

  it('has a text between questions as description of the page', () => {
    expect(survey['pages']).toMatchObject([{}, {}, { description: 'About drinks\n\nPlease read.' }]);
  });

  it('keeps everything else, and warns at the first occurrence', () => {
    expect(survey['source_data']).toMatchObject({
      source: 'qualtrics',
      source_id: 'SV_kinds',
      elements: [{ Element: 'SO' }],
      questions: [{ source_id: 'QID19' }, { source_id: 'QID20', type: 'HotSpot/OnOff' }],
      flow: { Type: 'Root' },
    });
    expect(question('QID15_1')['source_data']).toMatchObject({
      Validation: { Type: 'ChoicesTotal', ChoiceTotal: '100' },
    });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'KEPT_AS_SOURCE_DATA /SurveyElements/5/Payload/Configuration',
      'HTML_REMOVED /SurveyElements/23/Payload/QuestionText',
      'NO_SUCH_TYPE /SurveyElements/23/Payload',
      'NO_SUCH_TYPE /SurveyElements/18/Payload',
      'NO_SUCH_TYPE /SurveyElements/19/Payload',
      'KEPT_AS_SOURCE_DATA /SurveyElements/19/Payload/Validation',
      'ID_CHANGED /SurveyElements/20/Payload',
      'NO_SUCH_TYPE /SurveyElements/24/Payload',
      'NOT_IMPORTED /SurveyElements/26/Payload',
      'KEPT_AS_SOURCE_DATA /SurveyElements/2',
      'KEPT_AS_SOURCE_DATA /SurveyElements/1/Payload/Flow/1',
    ]);
  });

  it('is the same on each import', async () => {
    expect((await read('kinds.qsf')).payload).toEqual((await read('kinds.qsf')).payload);
  });
});

describe('texts of Qualtrics', async () => {
  const { survey, questions, codes } = await read('translated.qsf');

  it('come in all languages, as plain text', () => {
    expect(survey['supported_languages']).toEqual(['de', 'en', 'zh-Hans']);
    expect(questions.get('QID1')).toMatchObject({
      title: { de: 'Was essen Sie?', en: 'What do you eat?', 'zh-Hans': '你吃什么？' },
      options: [{ text: { de: 'Suppe & Brot', en: 'Soup & bread', 'zh-Hans': '汤' } }, {}],
    });
  });

  it('use the name of a question if its text is empty', () => {
    expect(questions.get('QID3')).toMatchObject({ title: 'q3' });
    expect(codes).toContain('EMPTY_TITLE');
  });
});

describe('a file that is not a Qualtrics survey', () => {
  it.each([
    ['no JSON', '{', ''],
    ['a list', '[]', '/SurveyEntry'],
    ['a survey of ours', '{"survey": {}}', '/SurveyEntry'],
    ['no elements', '{"SurveyEntry": {}}', '/SurveyElements'],
    ['no question', '{"SurveyEntry": {}, "SurveyElements": []}', '/SurveyElements'],
    ['an invalid element', '{"SurveyEntry": {}, "SurveyElements": [1]}', '/SurveyElements/0'],
  ])('is rejected if it is %s', async (_case, text, path) => {
    expect(await rejectionOf(readSurveyFile(readQualtricsSurvey, text))).toMatchObject([{ path }]);
  });
});

describe('an unusual Qualtrics survey', () => {
  it('is read without a flow, and with blocks that are an object', async () => {
    const blocks = { 1: { ID: 'BL_1', BlockElements: [{ Type: 'Question', QuestionID: 'QID1' }] } };
    const { problems, questions, codes } = await readJson(qsf([{}, {}], { blocks }));
    expect([problems, [...questions.keys()], codes]).toEqual([[], ['QID1'], ['NOT_IMPORTED']]);
  });

  it('keeps texts that mean off, because they can mean anything else', async () => {
    const choice = { Display: 'A', Image: '', Note: 'No', Flag: false, Weight: 0, List: [] };
    const { questions } = await readJson(
      qsf([{ QuestionType: 'MC', Selector: 'SAVR', Choices: { 1: choice }, Footnote: 'off', QuestionJS: false }]),
    );
    const question = questions.get('QID1') ?? {};
    expect(question['options']).toMatchObject([{ source_data: { source_id: '1', Note: 'No', Weight: 0 } }]);
    expect(JSON.stringify(question['options'])).not.toMatch(/Image|Flag|List/);
    expect(question['source_data']).toMatchObject({ Footnote: 'off' });
    expect(question['source_data']).not.toHaveProperty('QuestionJS');
  });

  it.each(['Choices', 'Answers'])('names the list of items with logic: %s', async (list) => {
    const items = { 1: { Display: 'A', ...(list === 'Choices' ? { DisplayLogic: {} } : {}) } };
    const answers = { 1: { Display: 'B', ...(list === 'Answers' ? { DisplayLogic: {} } : {}) } };
    const { warnings } = await readJson(
      qsf([{ QuestionType: 'Matrix', Selector: 'Likert', Choices: items, Answers: answers }]),
    );
    const paths = warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ path }) => path);
    expect(paths).toEqual([`/SurveyElements/1/Payload/${list}`]);
  });

  it('keeps a question without choices as a text', async () => {
    const { problems, questions, codes } = await readJson(qsf([{ QuestionType: 'MC', Selector: 'SAVR', Choices: [] }]));
    expect([problems, questions.get('QID1')?.['type'], codes]).toEqual([[], 'text', ['NO_SUCH_TYPE']]);
  });

  it.each([
    [
      'members that are something else',
      { Choices: 'x', Validation: 3, Language: 'de', DisplayLogic: [], RecodeValues: 1 },
    ],
    ['a name from the prototype', { QuestionID: '__proto__', DataExportTag: 'constructor' }],
    ['a type from the prototype', { QuestionType: 'constructor', Selector: 'toString' }],
    ['limits that contradict each other', { Validation: { Settings: { MinChars: '9', MaxChars: '3' } } }],
    ['a minimum above the maximum of all texts', { Validation: { Settings: { MinChars: '30000' } } }],
    [
      'choices in themselves',
      { QuestionType: 'MC', Selector: 'MAVR', Choices: { 1: { Display: { a: 1 } } }, ChoiceOrder: 7 },
    ],
    ['a flow that goes round', { QuestionText: ['x'] }],
  ])('is read with %s', async (_case, question) => {
    const flow = {
      Element: 'FL',
      Payload: { Flow: [{ Type: 'Branch', BranchLogic: 1, Flow: [{ Type: 'Block', ID: 'BL_1' }] }] },
    };
    expect((await readJson(qsf([question, {}], { elements: [flow] }))).problems).toEqual([]);
  });
});

describe('a too large Qualtrics survey', () => {
  const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [index, { Display: 'a' }]));

  it.each([
    ['cells', { QuestionType: 'Matrix', Selector: 'TE', Choices: many(500), Answers: many(500) }],
    ['fields', { QuestionType: 'TE', Selector: 'FORM', Choices: many(1_001) }],
    [
      'texts with choices',
      { QuestionType: 'TE', Selector: 'FORM', QuestionText: 'a'.repeat(2_000), Choices: many(900) },
    ],
    [
      'columns',
      {
        QuestionType: 'SBS',
        Choices: many(400),
        AdditionalQuestions: Object.fromEntries(
          Array.from({ length: 400 }, (_, index) => [
            index,
            { QuestionType: 'Matrix', Selector: 'Likert', Answers: many(1) },
          ]),
        ),
      },
    ],
  ])('is rejected because of its %s', async (_case, question) => {
    const reading = readSurveyFile(readQualtricsSurvey, JSON.stringify(qsf([question])));
    expect(await rejectionOf(reading)).toMatchObject([{ code: 'LIMIT_EXCEEDED' }]);
  });
});

describe('Qualtrics members with reserved names', () => {
  it('are kept separately', async () => {
    const Choices = { 1: { Display: 'a', source_id: '9', recode: '7' } };
    const question = { QuestionType: 'MC', Selector: 'SAVR', Choices, source_id: 'QID9', date_format: 'x' };
    const { questions } = await readSurveyFile(readQualtricsSurvey, JSON.stringify(qsf([question])));
    expect(questions.get('QID1')).toMatchObject({
      source_data: { source_id: 'QID1', more: { source_id: 'QID9', date_format: 'x' } },
      options: [{ source_data: { source_id: '1', more: { source_id: '9', recode: '7' } } }],
    });
  });
});
