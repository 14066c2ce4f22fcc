import { describe, expect, it } from 'vitest';
import { readResponseFile, readSurveyFile } from '../testing/read-files.ts';
import { readSurveyjsResponses } from './responses.ts';
import { readSurveyjsSurvey } from './survey.ts';

const read = (...elements: readonly object[]) =>
  readSurveyFile(readSurveyjsSurvey, JSON.stringify({ elements: [{ type: 'text', name: 'first' }, ...elements] }));

const answersOf = async (payload: Awaited<ReturnType<typeof read>>['payload'], ...results: readonly object[]) =>
  readResponseFile(readSurveyjsResponses, JSON.stringify(results), payload);

describe('questions that some respondents could not answer are not required', () => {
  it('files, which are not imported with a response', async () => {
    const { payload, questions, warnings } = await read(
      { type: 'file', name: 'cv', isRequired: true },
      { type: 'file', name: 'photo', requiredIf: "{first} = 'x'" },
    );
    expect(questions.get('cv')).not.toHaveProperty('required');
    expect(questions.get('cv')).toMatchObject({ source_data: { required: true } });
    expect(questions.get('photo')).toMatchObject({ source_data: { requiredIf: "{first} = 'x'" } });
    expect(warnings.map(({ code }) => code)).toEqual(['KEPT_AS_SOURCE_DATA', 'LOGIC_NOT_CONVERTED']);
    const { stored } = await answersOf(payload, { first: 'x', cv: [{ name: 'a.pdf' }] });
    expect(stored).toEqual([{ first: 'x' }]);
  });

  it('rows that can be hidden', async () => {
    const rows = ['a', { value: 'b', visibleIf: "{first} = 'x'" }];
    const { payload, questions, codes } = await read(
      { type: 'matrix', name: 'all', rows, columns: ['1', '2'], eachRowRequired: true, isRequired: true },
      { type: 'matrix', name: 'filtered', rows: ['a'], columns: ['1'], rowsVisibleIf: '{item} = 1', isRequired: true },
      { type: 'matrixdropdown', name: 'm', rows, choices: ['1'], columns: [{ name: 'c', isRequired: true }] },
      {
        type: 'matrixdropdown',
        name: 'n',
        rows: ['a'],
        columns: [{ name: 'c', cellType: 'text', isRequired: true, visibleIf: '{first} = 1' }],
      },
    );
    for (const id of ['all', 'filtered', 'm.c', 'n.c.a']) expect(questions.get(id)).not.toHaveProperty('required');
    expect(questions.get('all')).toMatchObject({ source_data: { isRequired: true, eachRowRequired: true } });
    expect(codes).toContain('LOGIC_NOT_CONVERTED');
    const { stored, failures } = await answersOf(payload, { first: 'y', all: { a: '1' } });
    expect(failures).toEqual([]);
    expect(stored).toHaveLength(1);
  });

  it('all rows are required if all are shown', async () => {
    const { questions } = await read({
      type: 'matrix',
      name: 'all',
      rows: ['a', 'b'],
      columns: ['1'],
      eachRowRequired: true,
    });
    expect(questions.get('all')).toMatchObject({ required: true });
  });

  it('an element that becomes several questions, of which any is enough', async () => {
    const items = [{ name: 'street' }, { name: 'town', isRequired: true }];
    const { questions, survey, warnings } = await read(
      { type: 'multipletext', name: 'home', items, isRequired: true },
      { type: 'multipletext', name: 'work', items: [{ name: 'a' }, { name: 'b' }], requiredIf: "{first} = 'x'" },
    );
    expect(questions.get('home.street')).not.toHaveProperty('required');
    expect(questions.get('home.street')).toMatchObject({ source_data: { isRequired: true } });
    expect(questions.get('home.town')).toMatchObject({ required: true });
    expect(questions.get('work.a')).toMatchObject({ source_data: { requiredIf: "{first} = 'x'" } });
    expect(survey).not.toHaveProperty('logic');
    expect(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ path }) => path)).toEqual([
      '/elements/1/isRequired',
      '/elements/2/requiredIf',
    ]);
  });

  it('a comment is not required with its question', async () => {
    const { survey, problems } = await read({
      type: 'radiogroup',
      name: 'a',
      choices: ['x'],
      showCommentArea: true,
      requiredIf: "{first} = 'x'",
    });
    expect(problems).toEqual([]);
    expect(survey['logic']).toMatchObject([{ question_id: 'a' }]);
  });
});

it('each hidden element is reported', async () => {
  const { warnings } = await read(
    { type: 'text', name: 'a', visible: false },
    { type: 'text', name: 'b', visible: false },
  );
  expect(warnings.map(({ path }) => path)).toEqual(['/elements/1/visible', '/elements/2/visible']);
});

describe('texts', () => {
  it('a condition of a panel with only texts is not converted', async () => {
    const { warnings } = await read({
      type: 'panel',
      name: 'p',
      elements: [{ type: 'html', name: 'h', html: 'Hello' }],
      visibleIf: "{first} = 'x'",
    });
    expect(warnings).toContainEqual(
      expect.objectContaining({ path: '/elements/1/visibleIf', code: 'LOGIC_NOT_CONVERTED' }),
    );
  });

  it('a condition of a page with only texts is not converted either', async () => {
    const pages = [
      { name: 'p', elements: [{ type: 'text', name: 'first' }] },
      { name: 'q', elements: [{ type: 'html', name: 'h', html: 'Hello' }], visibleIf: "{first} = 'x'" },
    ];
    const { survey, warnings } = await readSurveyFile(readSurveyjsSurvey, JSON.stringify({ pages }));
    expect(survey).not.toHaveProperty('logic');
    expect(warnings).toMatchObject([
      { code: 'NO_SUCH_TYPE' },
      { path: '/pages/1/visibleIf', code: 'LOGIC_NOT_CONVERTED' },
    ]);
  });
});

describe('odd names', () => {
  it.each(['constructor', 'toString', '__proto__'])(
    '%s is a kind of cell, a column and a row like any other',
    async (name) => {
      const matrix = { type: 'matrixdropdown', name: 'm', rows: ['r'], columns: [{ name, cellType: name }] };
      const { payload, questions, problems } = await read(matrix, { ...matrix, name: 'n', cellType: name });
      expect(problems).toEqual([]);
      expect(questions.size).toBe(3);
      const { stored } = await answersOf(payload, { first: 'x', m: { r: {} } });
      expect(stored).toEqual([{ first: 'x' }]);
    },
  );

  it('a column can have the name of a prototype member', async () => {
    const { payload } = await read({
      type: 'matrixdropdown',
      name: 'm',
      rows: ['r'],
      choices: ['1'],
      columns: [{ name: 'constructor' }],
    });
    const { stored, failures } = await answersOf(payload, { first: 'x', m: { r: { other: 1 } } });
    expect(failures).toEqual([]);
    expect(stored).toEqual([{ first: 'x' }]);
  });

  it('members with reserved names are kept separately', async () => {
    const { payload, questions } = await read({
      type: 'radiogroup',
      name: 'a',
      source_id: 'elsewhere',
      kept_as: 'json',
      choices: [{ value: 'x', source_id: 'y', part: 'time' }],
    });
    expect(questions.get('a')).toMatchObject({
      source_data: { source_id: 'a', in_file: { source_id: 'elsewhere', kept_as: 'json' } },
      options: [{ source_data: { source_id: 'x', in_file: { source_id: 'y', part: 'time' } } }],
    });
    expect((await answersOf(payload, { a: 'x' })).stored).toEqual([{ a: 'x' }]);
  });

  it('a choice that is also a special option is converted once', async () => {
    const { questions, problems } = await read({
      type: 'checkbox',
      name: 'a',
      choices: ['x', { value: 'none', text: 'Nothing' }],
      showNoneItem: true,
    });
    expect(problems).toEqual([]);
    expect(questions.get('a')).toMatchObject({ options: [{ id: 'x' }, { id: 'none', text: 'Nothing' }] });
  });
});

describe('results that need conversion', () => {
  it('in an undeclared language, with large metadata', async () => {
    const { payload } = await read();
    const { responses, warnings } = await answersOf(
      payload,
      { first: 'x', locale: 'fr' },
      { first: 'x', locale: 'EN' },
      { first: 'x', more: 'y'.repeat(9_000), most: 'z'.repeat(9_000) },
    );
    expect(responses).toMatchObject([{ language: 'fr', metadata: undefined }, { language: 'EN' }, {}]);
    // The metadata has room for one of the two.
    expect(responses[2]).toMatchObject({ metadata: { source_data: { most: 'z'.repeat(9_000) } } });
    expect(warnings.map(({ code }) => code)).toContain('NOT_IMPORTED');
  });

  it('with more choices than any question has', async () => {
    const { payload } = await read({ type: 'checkbox', name: 'a', choices: ['x'] });
    const { stored, failures } = await answersOf(payload, { a: Array.from({ length: 100_000 }, (_, index) => index) });
    expect(stored).toEqual([]);
    expect(failures.length).toBeGreaterThan(0);
  });

  it('with parts that the survey no longer has', async () => {
    const { payload } = await read(
      { type: 'multipletext', name: 'contact', items: [{ name: 'phone' }] },
      { type: 'matrixdropdown', name: 'm', rows: ['r'], choices: ['1'], columns: [{ name: 'c' }] },
      { type: 'matrixdropdown', name: 'n', rows: ['r'], columns: [{ name: 'c', cellType: 'text' }] },
      { type: 'radiogroup', name: 'a', choices: ['x'], showOtherItem: true },
    );
    const { responses } = await answersOf(
      payload,
      {
        contact: { phone: '1', fax: '2' },
        m: { r: { c: '1', gone: '2' } },
        n: { r: { c: 'x' }, s: { c: 'y' } },
        a: 'other',
        'a-Comment': 'z',
        'first-Comment': 'old',
      },
      { contact: 'odd' },
    );
    const lost = (column: string, value: unknown) =>
      expect.objectContaining({ column, code: 'UNKNOWN_QUESTION', value });
    expect(responses).toMatchObject([
      {
        answers: { 'contact.phone': '1', 'm.c': { r: '1' }, 'n.c.r': 'x', a: { option: 'other', text: 'z' } },
        metadata: { source_data: { 'first-Comment': 'old' } },
        unassigned: [
          { column: 'first-Comment', code: 'UNKNOWN_QUESTION' },
          lost('contact', { fax: '2' }),
          lost('m', { r: { gone: '2' } }),
          lost('n', { s: { c: 'y' } }),
        ],
      },
      { answers: {}, unassigned: [lost('contact', 'odd')] },
    ]);
  });

  it('in cells of ratings and Booleans with scales and texts of their own', async () => {
    const columns = [
      { name: 'stars', cellType: 'rating', rateMax: 10 },
      { name: 'steps', cellType: 'rating', rateMin: 2, rateCount: 3, rateStep: 2 },
      { name: 'again', cellType: 'boolean', labelTrue: 'Sure', valueFalse: 'never' },
      { name: 'huge', cellType: 'rating', rateMax: 1_000 },
    ];
    const { payload, questions, problems } = await read({ type: 'matrixdropdown', name: 'm', rows: ['r'], columns });
    expect(problems).toEqual([]);
    expect(questions.get('m.stars')).toMatchObject({ columns: { length: 10 } });
    expect(questions.get('m.steps')).toMatchObject({ columns: [{ id: '2' }, { id: '4' }, { id: '6' }] });
    expect(questions.get('m.again')).toMatchObject({ columns: [{ text: 'Sure' }, { id: 'never', text: 'No' }] });
    expect(questions.get('m.huge.r')).toMatchObject({ type: 'textarea' });
    const { stored } = await answersOf(payload, { m: { r: { stars: 7, steps: 6, again: 'never' } } });
    expect(stored).toEqual([{ 'm.stars': { r: '7' }, 'm.steps': { r: '6' }, 'm.again': { r: 'never' } }]);
  });

  it('with an "other" without text', async () => {
    const { payload } = await read(
      { type: 'radiogroup', name: 'a', choices: ['x'], showOtherItem: true },
      { type: 'checkbox', name: 'b', choices: ['x'], showOtherItem: true },
    );
    const { stored, failures } = await answersOf(payload, { a: 'other', b: ['x', 'other'] });
    expect(failures).toEqual([]);
    expect(stored).toEqual([{ a: { option: 'other', text: 'Other' }, b: { options: ['x'], other: 'Other' } }]);
  });

  it('with a minimum length, as far as a text can have it', async () => {
    const validator = (minLength: number) => [{ type: 'text', minLength }];
    const { questions, problems } = await read(
      { type: 'text', name: 'a', validators: validator(1_500) },
      { type: 'text', name: 'b', validators: validator(30_000) },
      { type: 'comment', name: 'c', validators: validator(30_000) },
      { type: 'text', name: 'd', inputType: 'email', validators: validator(1_500) },
    );
    expect(problems).toEqual([]);
    expect(questions.get('a')).toMatchObject({ min_length: 1_500, max_length: 20_000 });
    for (const id of ['b', 'c', 'd']) {
      expect(questions.get(id)).not.toHaveProperty('min_length');
      expect(questions.get(id)).toMatchObject({ source_data: { min_length: expect.any(Number) } });
    }
  });

  it('with a long text, unless a pattern is applied to it', async () => {
    const { payload, questions, problems } = await read(
      { type: 'text', name: 'long' },
      { type: 'text', name: 'short' },
      { type: 'text', name: 'last', visibleIf: "{short} = 'x'" },
    );
    expect(problems).toEqual([]);
    expect(questions.get('short')).not.toHaveProperty('max_length');
    const { stored } = await answersOf(payload, { long: 'y'.repeat(15_000) });
    expect(stored).toHaveLength(1);
  });
});
