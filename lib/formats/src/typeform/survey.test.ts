import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readTypeformSurvey } from './survey.ts';

const readFixture = (name: string) => readSurveyFile(readTypeformSurvey, fixture(import.meta.url, name));
const read = (form: unknown) => readSurveyFile(readTypeformSurvey, JSON.stringify(form));
const types = readFixture('all-types.json');
const questionOf = async (id: string) => (await types).questions.get(id);
const reported = ({ warnings }: Awaited<typeof types>) => warnings.map(({ code, path }) => `${code} ${path}`);
const field = (members: object) => ({ id: 'a', ref: 'a', title: 'A', type: 'short_text', ...members });
const formOf = (...fields: object[]) => ({ id: 'F', title: 'F', fields });

describe('a form of Typeform', () => {
  it('becomes a survey with its title, language, screens and groups as sections', async () => {
    const { survey, problems } = await types;
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: 'Visit us again?',
      supported_languages: ['en'],
      welcome_screen: { title: 'Hello', description: 'It takes a minute' },
      thank_you_screen: { title: 'Thank you', description: 'See you' },
      sections: [
        { id: 'f21', title: 'About you', question_ids: ['p1', 'p2'], source_data: { source_id: 'f21' } },
        { id: 'f22', title: 'The last ones', question_ids: ['g1', 'g2'] },
      ],
      source_data: { source: 'typeform', source_id: 'Ab3dEf', hidden: ['campaign'], variables: { score: 0 } },
    });
    expect((survey['pages'] as JsonObject[]).map(({ title }) => title)).toEqual([
      undefined,
      'Nearly there',
      'About you',
      'The last ones',
      undefined,
      'Pay',
    ]);
  });

  it.each<[string, JsonObject]>([
    ['f01', { type: 'text', required: true, max_length: 80, description: 'As you like to be called' }],
    ['f02', { type: 'textarea' }],
    ['f03', { type: 'text', format: 'email' }],
    ['f04', { type: 'text', format: 'url' }],
    ['f05', { type: 'text', format: 'phone', source_data: { default_country_code: 'de' } }],
    ['f06', { type: 'text', format: 'number', source_data: { min_value: 1, max_value: 20 } }],
    ['f07', { type: 'single_choice', allow_other: true, source_data: { randomize: true } }],
    ['f08', { type: 'multiple_choice', required: true, allow_other: true, min_selections: 1, max_selections: 2 }],
    ['f09', { type: 'single_choice' }],
    ['f10', { type: 'single_choice' }],
    ['f11', { type: 'single_choice', required: true, options: [{ id: 'yes' }, { id: 'no' }] }],
    ['f12', { type: 'single_choice', options: [{ id: 'accept' }, { id: 'decline' }] }],
    ['f13', { type: 'rating', min: 1, max: 7, labels: { 1: 'Hard', 4: 'So so', 7: 'Easy' } }],
    ['f14', { type: 'rating', min: 0, max: 10 }],
    ['f15', { type: 'rating', min: 1, max: 6, source_data: { shape: 'star' } }],
    ['f16', { type: 'date', source_data: { structure: 'DDMMYYYY' } }],
    ['f17', { type: 'file_upload', max_files: 1 }],
    ['f18', { type: 'matrix', required: true, required_rows: 1 }],
    ['f19', { type: 'matrix', rows: [{ id: 'k1' }, { id: 'k2' }], columns: [{ id: '1' }, { id: '2' }] }],
    ['p1', { type: 'text' }],
    ['g2', { type: 'file_upload' }],
    ['f23', { type: 'text' }],
    ['f25', { type: 'textarea', title: 'multi_format' }],
    ['f25_2', { type: 'text', title: 'The same id' }],
  ])('has the field %s as %j', async (id, members) => {
    expect(await questionOf(id)).toMatchObject(members);
  });

  it('keeps the ids of choices; a matrix column has the ids of all rows', async () => {
    expect((await questionOf('f07'))?.['options']).toEqual([
      { id: 'c1', text: 'Blue', source_data: { source_id: 'c1', ref: 'blue' } },
      { id: 'c2', text: 'Red', source_data: { source_id: 'c2', ref: 'red' } },
    ]);
    expect(await questionOf('f18')).toMatchObject({
      rows: [
        { id: 'r1', text: 'At the desk', source_data: { source_id: 'r1' } },
        { id: 'r2', text: 'At the table' },
      ],
      columns: [
        { id: 'm1', text: 'Good', source_data: { choice_ids: ['m1', 'm3'] } },
        { id: 'm2', text: 'Bad', source_data: { choice_ids: ['m2', 'm4'] } },
      ],
    });
  });

  it('converts jumps on answers, and makes questions of other jumps optional', async () => {
    const { survey, questions } = await types;
    expect((survey['logic'] as JsonObject[]).filter(({ question_id: id }) => id === 'f12')).toEqual([
      {
        question_id: 'f12',
        conditions: [{ source_question: 'f11', operator: 'not_equals', value: 'no', action: 'show' }],
      },
    ]);
    const contact = questions.get('p1');
    expect([contact?.['required'], contact?.['source_data']]).toMatchObject([undefined, { required: true }]);
    expect(survey['source_data']).toHaveProperty('logic');
  });

  it('warns about everything that is lost or kept', async () => {
    const { warnings } = await types;
    expect(reported(await types)).toEqual(
      expect.arrayContaining([
        'KEPT_AS_SOURCE_DATA /thankyou_screens',
        'PLACEHOLDER_KEPT /fields/1',
        'KEPT_AS_SOURCE_DATA /fields/5/validations',
        'KEPT_AS_SOURCE_DATA /fields/8/properties/choices/0',
        'NO_SUCH_TYPE /fields/18/type',
        'NO_SUCH_TYPE /fields/19/type',
        'NO_SUCH_TYPE /fields/21/properties/fields/1/type',
        'NO_SUCH_TYPE /fields/23/type',
        'NO_SUCH_TYPE /fields/24/type',
        'TITLE_MADE /fields/24/title',
        'ID_CHANGED /fields/25/id',
        'LOGIC_NOT_CONVERTED /logic/0/actions/0',
        'LOGIC_NOT_CONVERTED /fields/20',
        'LOGIC_NOT_CONVERTED /fields/21/properties/fields/0',
        'KEPT_AS_SOURCE_DATA ',
      ]),
    );
    expect(warnings.find(({ path }) => path === '/fields/20')?.detail).toBe(
      'The jumps to this question cannot be converted: it uses the variable score. It is always shown and not required',
    );
    expect(new Set(reported(await types)).size).toBe(warnings.length);
  });

  it('names the used screen in warnings', async () => {
    const screens = [
      { ref: 'default_tys', title: 'Done' },
      { ref: 'b', title: 'Bye {{field:a}}' },
    ];
    const { warnings } = await read({ ...formOf(field({})), thankyou_screens: screens });
    expect(warnings).toMatchObject([{ path: '/thankyou_screens/1', code: 'PLACEHOLDER_KEPT' }]);
  });

  it('jumps to the first of several fields with one name', async () => {
    const jump = {
      action: 'jump',
      details: { to: { type: 'thankyou', value: 'default_tys' } },
      condition: {
        op: 'equal',
        vars: [
          { type: 'field', value: 'a' },
          { type: 'constant', value: 'x' },
        ],
      },
    };
    const twins = formOf(field({}), field({ id: 'b' }), field({ id: 'c' }));
    const { survey, problems } = await read({ ...twins, logic: [{ type: 'field', ref: 'a', actions: [jump] }] });
    expect(problems).toEqual([]);
    expect((survey['logic'] as JsonObject[]).map(({ question_id: id }) => id)).toEqual(['b', 'c']);
  });

  it('converts nested groups to sections', async () => {
    const group = (id: string, ...fields: object[]) => field({ id, ref: id, type: 'group', properties: { fields } });
    const { survey } = await read(formOf(group('g', group('h', field({ id: 'b' })), field({ id: 'c' }), group('i'))));
    expect(survey['sections']).toMatchObject([
      { id: 'h', question_ids: ['b'] },
      { id: 'g', question_ids: ['b', 'c'] },
    ]);
  });

  it('accepts texts as long as in Typeform, unless a condition searches them', async () => {
    const jump = {
      action: 'jump',
      details: { to: { type: 'field', value: 'c' } },
      condition: {
        op: 'begins_with',
        vars: [
          { type: 'field', value: 'a' },
          { type: 'constant', value: 'x' },
        ],
      },
    };
    const fields = ['a', 'b', 'c'].map((id) => field({ id, ref: id }));
    const logic = [{ type: 'field', ref: 'a', actions: [jump] }];
    const { questions, problems } = await read({
      ...formOf(...fields, field({ id: 'd', ref: 'd', type: 'number' })),
      logic,
    });
    const lengths = [...questions.values()].map(({ max_length: length }) => length);
    expect([problems, lengths]).toEqual([[], [1_000, 20_000, 20_000, undefined]]);
  });

  it('has no minimum length above the maximum', async () => {
    const { questions, problems } = await read(formOf(field({ validations: { min_length: 30_000 } })));
    expect(problems).toEqual([]);
    expect(questions.get('a')).toMatchObject({ max_length: 20_000, source_data: { min_length: 30_000 } });
  });

  it('accepts texts as long as their minimum length, also if a condition searches them', async () => {
    const vars = [
      { type: 'field', value: 'a' },
      { type: 'constant', value: 'x' },
    ];
    const jump = {
      action: 'jump',
      details: { to: { type: 'field', value: 'c' } },
      condition: { op: 'ends_with', vars },
    };
    const long = field({ validations: { min_length: 2_000 } });
    const { questions, problems } = await read({
      ...formOf(long, field({ id: 'b', ref: 'b' }), field({ id: 'c', ref: 'c' })),
      logic: [{ type: 'field', ref: 'a', actions: [jump] }],
    });
    expect(problems).toEqual([]);
    expect(questions.get('a')).toMatchObject({ min_length: 2_000, max_length: 20_000 });
  });

  it('has a column for each choice of a matrix without a label, and several choices as in webhooks', async () => {
    const row = (id: string, ...choices: object[]) =>
      field({ id, ref: id, type: 'multiple_choice', allow_multiple_selections: true, properties: { choices } });
    const fields = [row('r1', { id: 'x' }, { id: 'y', label: ' ' }, { id: 'z', label: 'Z' }), row('r2', { id: 'x' })];
    const { questions } = await read(formOf(field({ type: 'matrix', properties: { fields } })));
    expect(questions.get('a')).toMatchObject({
      multiple: true,
      columns: [
        { text: 'x', source_data: { choice_ids: ['x', 'x'] } },
        { text: 'y', source_data: { choice_ids: ['y'] } },
        { text: 'Z', source_data: { choice_ids: ['z'] } },
      ],
    });
  });

  it('requires no files, and keeps the required rows of a matrix', async () => {
    const row = (id: string, required: boolean) =>
      field({
        id,
        type: 'multiple_choice',
        validations: { required },
        properties: { choices: [{ id: 'x', label: 'X' }] },
      });
    const { questions, warnings } = await read(
      formOf(
        field({ id: 'm', type: 'matrix', properties: { fields: [row('r1', true), row('r2', false)] } }),
        field({ id: 's', type: 'signature', validations: { required: true } }),
      ),
    );
    expect(questions.get('m')).toMatchObject({
      required_rows: 1,
      rows: [{ source_data: { required: true } }, { source_data: { source_id: 'r2' } }],
    });
    expect(questions.get('s')).not.toHaveProperty('required');
    expect(questions.get('s')?.['source_data']).toMatchObject({ required: true });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'KEPT_AS_SOURCE_DATA /fields/0/properties/fields',
      'NO_SUCH_TYPE /fields/1/type',
      'KEPT_AS_SOURCE_DATA /fields/1',
    ]);
  });

  it('keeps members with reserved names separately', async () => {
    const choice = { id: 'x', label: 'X', source_id: 'theirs' };
    const named = { id: 'a', type: 'dropdown', source_id: 'theirs', properties: { type: 'theirs', choices: [choice] } };
    const { survey, questions } = await read({ ...formOf(field(named)), source: 'theirs' });
    expect(survey['source_data']).toMatchObject({ source: 'typeform', source_id: 'F' });
    expect(questions.get('a')).toMatchObject({
      source_data: { source_id: 'a', type: 'dropdown' },
      options: [{ source_data: { source_id: 'x' } }],
    });
  });

  it('loses source_data that is too large', async () => {
    const theme = 'x'.repeat(2 * 1024 * 1024);
    const { survey, problems, codes } = await read({ ...formOf(field({})), theme });
    expect([problems, survey['source_data']]).toEqual([[], { source: 'typeform', source_id: 'F' }]);
    expect(codes).toEqual(['KEPT_AS_SOURCE_DATA', 'NOT_IMPORTED']);
  });

  it('is the same on each import', async () => {
    const again = await readFixture('all-types.json');
    expect(again.payload).toEqual((await types).payload);
  });

  it('can have translations and responses in the same file', async () => {
    const { survey, questions, responses, payload } = await readFixture('form-with-all.json');
    expect(survey).toMatchObject({ title: { en: 'A word', de: 'Ein Wort' }, supported_languages: ['en', 'de'] });
    expect(questions.get('a')).toMatchObject({
      title: { en: 'Colour', de: 'Farbe' },
      options: [{ id: 'c1', text: { en: 'Red', de: 'Rot' } }, { id: 'c2' }],
    });
    const all = await Array.fromAsync(responses?.(() => {}) ?? []);
    expect(all).toMatchObject([{ index: 0, id: 'r1', answers: { a: 'c2' } }]);
    expect(validateResponses(all, payload).failures).toEqual([]);
  });

  it('is read from a webhook payload, with choices and settings in other members', async () => {
    const webhook = await readFixture('webhook.json');
    const { survey, questions, responses } = webhook;
    expect(survey['title']).toBe('From a webhook');
    expect([...questions.values()]).toMatchObject([
      { type: 'multiple_choice', options: [{ id: 'c1' }] },
      { type: 'text' },
    ]);
    expect(reported(webhook)).toEqual(['NO_SUCH_TYPE /form_response/definition/fields/1/type']);
    expect(await Array.fromAsync(responses?.(() => {}) ?? [])).toMatchObject([
      { index: 0, id: 'tok', answers: { a: ['c1'], b: 'Here' } },
    ]);
  });

  it('reports an error of the survey with its field', async () => {
    const { toFileProblem } = await types;
    const at = (path: string) => toFileProblem({ path, code: 'X', detail: 'x' }).path;
    expect(at('/survey/pages/0/questions/3/title')).toBe('/fields/3');
    expect(at('/survey/pages/3/questions/1')).toBe('/fields/21/properties/fields/1');
  });

  it('gets a default title', async () => {
    expect((await read({ title: 7, fields: [field({})] })).survey['title']).toBe('Imported survey');
  });

  it('gets the title of the request if it has none', async () => {
    const file = fileOf(JSON.stringify({ fields: [field({})] }));
    const { payload } = await readTypeformSurvey(file, {
      title: 'A file',
      language: 'de',
      table: DETECT_ALL,
      warn: () => {},
    });
    expect(payload['survey']).toMatchObject({ title: 'A file', supported_languages: ['de'] });
  });

  it.each([
    [
      'limits that contradict each other',
      {
        type: 'multiple_choice',
        properties: { allow_multiple_selection: true, choices: [{ id: 'x', label: 'X' }] },
        validations: { min_selection: 3, max_selection: 2 },
      },
    ],
    ['lengths that contradict each other', { validations: { min_length: 9, max_length: 3 } }],
    ['steps that are no number', { type: 'opinion_scale', properties: { steps: 'ten' } }],
    ['a matrix without rows', { type: 'matrix', properties: { fields: [] } }],
    ['a ranking without choices', { type: 'ranking' }],
    ['no type', { type: undefined }],
    ['the name of a member of all objects for a type', { type: 'constructor' }],
    ['an invalid id', { id: 'ä/ö', ref: 7 }],
    [
      'choices that say the same, or nothing',
      { type: 'dropdown', properties: { choices: [{ label: 'x' }, { label: 'x' }, {}, 3] } },
    ],
    ['an option called other', { type: 'dropdown', properties: { choices: [{ id: 'other', label: 'Other' }] } }],
    ['invalid properties', { properties: [], validations: 'no' }],
  ])('passes lint with %s', async (_, members) => {
    const { questions, problems } = await read(formOf(field({ id: 'b' }), field(members)));
    expect([problems, questions.size]).toEqual([[], 2]);
  });

  it('has one warning about a ranking without choices', async () => {
    const { warnings } = await read(formOf(field({ type: 'ranking' })));
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'The ranking has no choices in this file and becomes a text',
    ]);
  });

  it.each([
    ['no object', [], ''],
    ['no fields', { title: 'T' }, '/fields'],
    ['a form without fields', { form: {} }, '/form/fields'],
    ['a translation alone', formOf({ id: 'a', title: 'Farbe' }), '/fields'],
    ['invalid translations', { form: formOf(field({})), translations: [] }, '/translations'],
    ['invalid responses', { form: formOf(field({})), responses: { items: 3 } }, '/responses'],
    ['a webhook without its form', { form_response: { answers: [] } }, '/form_response/definition'],
  ])('is rejected with %s', async (_, data, path) => {
    expect(await rejectionOf(read(data))).toMatchObject([{ path, code: 'WRONG_TYPE' }]);
  });
});

describe('choices that were deleted from a form', () => {
  const choices = [{ id: 'c1', ref: 'r1', label: 'Red' }];
  const form = formOf(
    field({ id: 'one', ref: 'one', type: 'multiple_choice', properties: { choices } }),
    field({
      id: 'group',
      ref: 'group',
      type: 'group',
      properties: {
        fields: [
          field({
            id: 'many',
            ref: 'many',
            type: 'multiple_choice',
            properties: { choices, allow_multiple_selection: true },
          }),
        ],
      },
    }),
    field({ id: 'list', ref: 'list', type: 'dropdown', properties: { choices } }),
    field({ id: 'open', ref: 'open', type: 'dropdown', properties: { choices, allow_other_choice: true } }),
  );
  const items = [
    { type: 'choice', field: { id: 'one' }, choice: { id: 'gone', ref: 'was', label: 'Blue' } },
    { type: 'choices', field: { id: 'many' }, choices: { ids: ['c1', 'x'], labels: ['Red', 'Green'] } },
    { type: 'text', field: { id: 'list' }, text: 'Grey' },
    { type: 'text', field: { id: 'open' }, text: 'My own' },
    { type: 'choice', field: { id: 'unknown' }, choice: { label: 'Blue' } },
  ];
  const response = { response_id: 'r', submitted_at: '2024-01-01T00:00:00Z', answers: items };

  it('become inactive options, if an answer has their label', async () => {
    const { questions, payload, responses, problems } = await read({
      form,
      responses: { items: [response, response] },
    });
    expect(problems).toEqual([]);
    expect(['one', 'many', 'list', 'open'].map((id) => questions.get(id)?.['options'])).toMatchObject([
      [{ id: 'c1' }, { id: 'gone', text: 'Blue', inactive: true }],
      [{ id: 'c1' }, { id: 'x', text: 'Green', inactive: true }],
      [{ id: 'c1' }, { id: 'Grey', text: 'Grey', inactive: true }],
      [{ id: 'c1' }],
    ]);
    expect(questions.get('one')?.['options']).toEqual([
      { id: 'c1', text: 'Red', source_data: { source_id: 'c1', ref: 'r1' } },
      { id: 'gone', text: 'Blue', inactive: true, source_data: { source_id: 'gone', ref: 'was' } },
    ]);
    const { stored, failures } = validateResponses(await Array.fromAsync(responses?.(() => {}) ?? []), payload);
    expect(failures).toEqual([]);
    const answers = { one: 'gone', many: ['c1', 'x'], list: 'Grey', open: { option: 'other', text: 'My own' } };
    expect(stored).toEqual([answers, answers]);
  });
});
