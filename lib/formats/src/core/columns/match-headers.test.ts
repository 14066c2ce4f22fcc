import { compile } from '@survey/questionnaire/compile';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createHeaderIndex, OTHER_WORDS } from './header-index.ts';
import { columnProblems, givenTargets, type MatchOptions, matchHeaders } from './match-headers.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['en', 'de'],
    pages: [
      {
        questions: [
          { id: 'q1', type: 'text', title: { en: '<b>How</b> was it?*', de: 'Wie war es?' } },
          {
            id: 'q2',
            type: 'multiple_choice',
            title: 'Days - all',
            options: [
              { id: 'mo', text: 'Monday' },
              { id: 'we', text: 'Wednesday [late]' },
            ],
            allow_other: true,
          },
          {
            id: 'q3',
            type: 'matrix',
            title: 'Meals',
            rows: [
              { id: 'r1', text: 'Soup: hot' },
              { id: 'r2', text: 'Rice' },
            ],
            columns: [
              { id: 'c1', text: 'Lunch' },
              { id: 'c2', text: 'Dinner' },
            ],
            multiple: true,
          },
          { id: 'q4', type: 'likert', title: 'Agree?', options: ['no', 'yes'], rows: ['Fast', 'Good'] },
          { id: 'q5', type: 'text', title: 'Name' },
          { id: 'q6', type: 'text', title: 'name:' },
          { id: 'q7', type: 'text', title: 'Again' },
          { id: 'q8', type: 'text', title: 'Again' },
          { id: 'q9', type: 'single_choice', title: 'Which?', options: ['a'], allow_other: true },
          { id: 'submitted_at', type: 'date', title: 'Sent' },
          { id: 'q10', type: 'multiple_choice', title: 'Again', options: ['x', { id: 'y', text: 'x' }] },
          { id: 'q11', type: 'text', title: 'Again (q8)' },
          { id: 'q12', type: 'text', title: 'Phone (q1)' },
          { id: 'q13', type: 'text', title: 'Phone' },
        ],
      },
    ],
  },
};
const index = createHeaderIndex(payload, compile(payload));
const match = (
  headings: readonly string[],
  columns: Readonly<Record<string, string>> = {},
  words?: MatchOptions['words'],
) =>
  matchHeaders(headings, index, {
    columns: Object.entries(columns).map(([heading, target]) => ({ heading, target })),
    ...(words !== undefined && { words }),
  });
const nameOf = (heading: string) => match([heading])[0]?.target?.name;
const errorsOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.errors.map(({ code, detail }) => [code, detail]);
    throw error;
  }
  throw new Error('nothing was thrown');
};

const problemsOf = (...given: Parameters<typeof columnProblems>) =>
  columnProblems(...given).map(({ code, detail }) => [code, detail]);

describe('an index of headings', () => {
  const questions = [
    { id: 'a', type: 'text', title: 'How?' },
    { id: 'b', type: 'text', title: 'how' },
    { id: 'c', type: 'multiple_choice', title: 'It´s', options: [{ id: 'A  B', text: 'Changed' }] },
    {
      id: 'd',
      type: 'matrix',
      title: 'Grid',
      rows: [{ id: 'r', text: 'a] [b' }],
      columns: [{ id: 'k', text: 'c' }],
      multiple: true,
    },
  ];
  const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions }] };
  const own = { schema_version: '1.0', version: 1, survey };
  const { find, itemFinderOf } = createHeaderIndex(own, compile(own));

  it.each([
    ['3. How?', 'a'],
    ['3. how', 'b'],
    ["It's [Changed]", 'c[A  B]'],
    ["It's [A  B]", 'c[A  B]'],
    ['Grid [a] [b] [c]', 'd[r][k]'],
  ])('finds the target of %j', (heading, name) => {
    expect(find(heading).targets.map((target) => target.name)).toEqual([name]);
  });

  it('finds an id with several spaces', () => {
    expect(itemFinderOf('c')('options', 'A  B')).toEqual(['A  B']);
  });
});

describe('matchHeaders', () => {
  it.each([
    ['q1', 'q1'],
    ['How was it?', 'q1'],
    ['  HOW  was it', 'q1'],
    ['1. How was it?', 'q1'],
    ['Q1. wie war es', 'q1'],
    ['Ｈow was it？', 'q1'],
    ['q2', 'q2'],
    ['q2[mo]', 'q2[mo]'],
    ['q2[Monday]', 'q2[mo]'],
    ['Days - all', 'q2'],
    ['Days – all [Monday]', 'q2[mo]'],
    ['Days - all - monday', 'q2[mo]'],
    ['Days - all [Wednesday [late]]', 'q2[we]'],
    ['Days - all: Wednesday [late]', 'q2[we]'],
    ['Days - all [other]', 'q2.other'],
    ['Days - all - Other (please specify)', 'q2.other'],
    ['Which? [other]', 'q9.other'],
    ['Meals [Rice]', 'q3[r2]'],
    ['Meals >> Soup: hot', 'q3[r1]'],
    ['Meals: Soup: hot', 'q3[r1]'],
    ['Meals [Soup: hot] [Lunch]', 'q3[r1][c1]'],
    ['Meals - Rice - Dinner', 'q3[r2][c2]'],
    ['Meals | Rice | Dinner', 'q3[r2][c2]'],
    ['Agree? [Fast]', 'q4[Fast]'],
    ['Agree_Good', 'q4[Good]'],
    ['Agree? (Good)', 'q4[Good]'],
    ['Name', 'q5'],
    ['name:', 'q6'],
    ['Again (q7)', 'q7'],
    ['Again  (q8)', 'q11'],
    ['Again (q10)', 'q10'],
    ['Again [x] (q10[y])', 'q10[y]'],
    ['Again (q9)', undefined],
    ['Phone (q1)', 'q12'],
    ['Phone (q13)', 'q13'],
    ['Phone (q12)', undefined],
    ['external_id', 'external_id'],
    ['response:submitted_at', 'response:submitted_at'],
    ['response:id', 'id'],
    ['', undefined],
    ['Agree?', undefined],
    ['Meals [Fish]', undefined],
    ['__proto__', undefined],
    ['?', undefined],
  ])('finds the target of %j', (heading, name) => {
    expect(nameOf(heading)).toBe(name);
  });

  it('knows words for other texts in any script', () => {
    for (const part of ['Other (please specify)', 'Другое (укажите)', 'Другое:']) expect(part).toMatch(OTHER_WORDS);
    for (const part of ['Otherwise', 'Other_2', 'Otheré', 'Другоебы']) expect(part).not.toMatch(OTHER_WORDS);
  });

  it('ranks names before titles, and titles before titles with a part', () => {
    expect(match(['q1', 'Which?', 'Agree? [Good]', 'x']).map(({ foundBy }) => foundBy)).toEqual([
      'name',
      'title',
      'part',
      undefined,
    ]);
  });

  it('prefers a question over a detail of the response with the same name', () => {
    expect(match(['submitted_at'])[0]?.target).toMatchObject({ kind: 'answer' });
  });

  it('rejects a title of several questions by name', () => {
    expect(problemsOf(match(['q1', 'Again', 'NAME']), 3)).toEqual([
      ['BAD_HEADER', 'row 3, column Again: the column can be q7, q8, q10; name its question with columns'],
      ['BAD_HEADER', 'row 3, column NAME: the column can be q5, q6; name its question with columns'],
    ]);
    expect(match(['Again'], { Again: 'q8' })).toMatchObject([
      { target: { name: 'q8' }, foundBy: 'option', problem: undefined },
    ]);
  });

  it('rejects two columns for the same answer by name', () => {
    expect(problemsOf(match(['q1', 'q1', 'How was it?', 'Foo', 'Foo']), 1)).toEqual([
      ['BAD_HEADER', 'row 1, column q1: the column is duplicate'],
      ['BAD_HEADER', 'row 1, column How was it?: the column q1 is for q1 too; exclude one with columns'],
    ]);
    const both = [
      ['q2', 'q2[mo]'],
      ['q2[mo]', 'q2'],
      ['q3[r1][c1]', 'q3[r1]'],
    ];
    for (const headings of both) expect(match(headings)[1]?.problem).toMatch(/^the column .* is for/);
    expect(match(['q3[r1][c1]', 'q3[r2]', 'q2', 'q2.other']).map(({ problem }) => problem)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes targets by heading or position, and excludes columns', () => {
    const columns = { when: 'submitted_at', '#2': 'q1', q5: '', Mail: 'metadata.email' };
    const matched = match(['When', 'x', 'q5', 'Mail'], columns);
    expect(matched.map(({ target, isExcluded }) => [target?.name, isExcluded])).toEqual([
      ['submitted_at', false],
      ['q1', false],
      [undefined, true],
      ['metadata.email', false],
    ]);
  });

  it('lists what exists if the option names an unknown column or target', () => {
    const columns = { Nope: 'q1', When: 'q99', Twice: 'q1', Mail: 'metadata.__proto__' };
    const errors = errorsOf(() => match(['When', 'Mail', 'Twice', 'Twice'], columns));
    expect(errors.map(([code]) => code)).toEqual([
      'UNKNOWN_COLUMN',
      'UNKNOWN_TARGET',
      'AMBIGUOUS_COLUMN',
      'UNKNOWN_TARGET',
    ]);
    expect(errors[0]?.[1]).toBe('columns: the table has no column Nope; it has When, Mail, Twice, Twice');
    expect(errors[1]?.[1]).toMatch(
      /^columns: there is no target q99; there are id, submitted_at, .*external_id, q1, .* and \d+ more, and metadata.NAME$/,
    );
    expect(errors[2]?.[1]).toMatch(/name them #3, #4$/);
  });

  it('reads the headings once for all names of the option', () => {
    let reads = 0;
    const headings = new Proxy(
      Array.from({ length: 100 }, (_, at) => `Heading ${at}`),
      {
        get(target, name, receiver) {
          if (/^\d+$/.test(String(name))) reads += 1;
          return Reflect.get(target, name, receiver);
        },
      },
    );
    const columns = Array.from({ length: 100 }, (_, at) => ({ heading: `heading ${at}?`, target: '' }));
    expect(givenTargets(headings, columns).size).toBe(100);
    expect(reads).toBe(100);
  });

  it('takes words of a tool if no other column has the target', () => {
    const words = new Map([['timestamp', 'started_at']]);
    expect(match(['Timestamp'], {}, words)[0]).toMatchObject({ target: { name: 'started_at' }, foundBy: 'word' });
    expect(match(['Timestamp', 'started_at'], {}, words).map(({ target }) => target?.name)).toEqual([
      undefined,
      'started_at',
    ]);
  });

  it('ignores columns of exports that cannot be imported', () => {
    expect(match(['survey_version', 'link_id'])).toMatchObject([
      { target: undefined, isExcluded: true },
      { target: undefined, isExcluded: true },
    ]);
  });
});

it('compares pieces of headings up to a number of characters, and whole headings always', () => {
  const questions = [
    { id: 'm', type: 'matrix', title: 'When?', rows: ['Soup', 'Rice'], columns: ['noon', 'night'], multiple: true },
  ];
  const payload = {
    schema_version: '1.0',
    version: 1,
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] },
  };
  const index = createHeaderIndex(payload, compile(payload));
  const namesOf = (heading: string) => index.find(heading).targets.map(({ name }) => name);
  expect(namesOf('When? - Soup - noon')).toEqual(['m[Soup][noon]']);
  for (let count = 0; count < 500; count += 1) namesOf(`When?: ${count} ${'x: y - z / w_b.c|'.repeat(110)}`);
  expect(namesOf('When? - Rice - night')).toEqual([]);
  expect(namesOf('When? - Soup - noon')).toEqual(['m[Soup][noon]']);
  expect(namesOf('m[Rice][night]')).toEqual(['m[Rice][night]']);
});
