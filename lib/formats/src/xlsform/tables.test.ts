// biome-ignore-all lint/suspicious/noTemplateCurlyInString: forms name their questions so
import { itemsOf } from '@survey/questionnaire/json';
import { describe, expect, it } from 'vitest';
import { parseRows } from '../testing/parse-rows.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { withinBounds } from '../testing/within-bounds.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readXlsformTableResponses } from './responses.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey, readXlsformXlsxSurvey } from './survey.ts';

const csv = fixture(import.meta.url, 'tables.csv');
const tables = await readSurveyFile(readXlsformCsvSurvey, csv);

/** A form of rows `type,name,label,hint,required,relevant,appearance,constraint,choice_filter`, with the lists a and b. */
const readRows = (...rows: readonly string[]) =>
  readSurveyFile(
    readXlsformCsvSurvey,
    [
      'survey',
      ',type,name,label,hint,required,relevant,appearance,constraint,choice_filter',
      ...rows.map((row) => `,${row}`),
      'choices',
      ',list_name,name,label',
      ',a,1,One',
      ',a,2,Two',
      ',b,1,One',
    ].join('\n'),
  );
const GROUP = 'begin_group,g,G,,,,table-list,,';
const END = 'end_group';
/** Types of the converted questions, by id. */
async function typesOf(...rows: readonly string[]) {
  const { questions, problems } = await readRows(...rows);
  expect(problems).toEqual([]);
  return Object.fromEntries([...questions].map(([id, { type }]) => [id, type]));
}

describe('tables of a form', () => {
  it('pass lint, with one question for each table and no section', () => {
    expect(tables.problems).toEqual([]);
    expect([...tables.questions].map(([id, { type }]) => [id, type])).toEqual([
      ['came', 'single_choice'],
      ['party', 'likert'],
      ['brands', 'matrix'],
      ['skills', 'likert'],
      ['why', 'textarea'],
      ['plans', 'likert'],
      ['tired', 'single_choice'],
      ['hungry', 'single_choice'],
      ['meal', 'textarea'],
    ]);
    expect(tables.survey['sections']).toMatchObject([
      { id: 'page', question_ids: ['why', 'plans'] },
      { id: 'asked', question_ids: ['tired', 'hungry'] },
    ]);
  });

  it('have label, hint and notes of a table-list group', () => {
    expect(tables.questions.get('party')).toEqual({
      id: 'party',
      type: 'likert',
      title: { en: 'The party', de: 'Das Fest' },
      description: { en: 'How was it?\n\nThink of last week', de: 'Wie war es?\n\nThink of last week' },
      required: true,
      required_rows: 1,
      rows: [
        { id: 'food', text: { en: 'Food', de: 'Essen' }, source_data: { source_id: 'party/food', required: true } },
        { id: 'music', text: { en: 'Music', de: 'Musik' }, source_data: { source_id: 'party/music' } },
        { id: 'people', text: { en: 'People', de: 'Leute' }, source_data: { source_id: 'party/people' } },
      ],
      options: [
        { id: '1', text: { en: 'Bad', de: 'Schlecht' }, source_data: { source_id: '1' } },
        { id: '2', text: { en: 'Good', de: 'Gut' }, source_data: { source_id: '2' } },
      ],
      source_data: { source_id: 'party', type: 'select_one scale' },
    });
  });

  it('with multiple choice are a matrix, which keeps other appearances', () => {
    expect(tables.questions.get('brands')).toMatchObject({
      type: 'matrix',
      multiple: true,
      required: true,
      rows: [
        { id: 'brand_a', source_data: { source_id: 'brands/brand_a' } },
        { id: 'brand_b', source_data: { source_id: 'brands/brand_b' } },
      ],
      columns: [{ id: 'home' }, { id: 'work' }],
      source_data: { appearance: 'table-list w4' },
    });
    expect(tables.questions.get('brands')).not.toHaveProperty('required_rows');
    expect(tables.questions.get('brands')).not.toHaveProperty('rows.0.source_data.required');
  });

  it('below a header have its label, and the name of their group', () => {
    expect(tables.questions.get('skills')).toMatchObject({
      title: { en: 'How well do you do it?', de: 'Wie gut kannst du es?' },
      description: 'Be honest',
      rows: [{ id: 'cook' }, { id: 'sing' }],
      source_data: { source_id: 'skills', header: { name: 'skills_head' } },
    });
  });

  it('below a header have its name if the group has other questions', () => {
    expect(tables.questions.get('plans')).toMatchObject({
      title: { en: 'Plans', de: 'Pläne' },
      rows: [{ id: 'again' }, { id: 'guests' }],
    });
    expect(tables.questions.get('plans')?.['source_data']).toEqual({
      source_id: 'page/plans',
      type: 'select_one yes_no',
    });
  });

  it('are shown and required like their group or all their rows', () => {
    const entry = (question_id: string, condition: object) => ({ question_id, conditions: [condition] });
    expect(tables.survey['logic']).toEqual([
      entry('plans', { action: 'require', source_question: 'why', operator: 'equals', value: 'fun' }),
      entry('party', { action: 'show', source_question: 'came', operator: 'equals', value: 'yes' }),
      entry('skills', { action: 'show', source_question: 'came', operator: 'equals', value: 'no' }),
      entry('meal', { action: 'show', source_question: 'hungry', operator: 'equals', value: 'yes' }),
    ]);
  });

  it.each([
    ['KEPT_AS_SOURCE_DATA', 'row 6, column required: Not all rows are required: 1 must be answered'],
    ['NO_SUCH_TYPE', 'row 26, column appearance: The rows of asked become a question each, not a table'],
  ])('%s names the location: %s', (code, detail) => {
    expect(tables.warnings).toContainEqual({
      path: '',
      code,
      detail: expect.stringContaining(`sheet survey, ${detail}`),
    });
  });

  it('are the same in a workbook', async () => {
    const workbook = await readSurveyFile(readXlsformXlsxSurvey, await writeXlsx(await parseRows(csv)));
    expect(workbook.payload).toEqual(tables.payload);
  });

  it('are found in an asset of Kobo, with its submissions', async () => {
    const content = {
      translations: ['English (en)', 'French (fr)'],
      survey: [
        { type: 'begin_group', name: 'g', appearance: 'field-list' },
        { type: 'select_one', select_from_list_name: 'l', name: 'head', label: ['All', 'Tout'], appearance: 'label' },
        {
          type: 'select_one',
          select_from_list_name: 'l',
          $autoname: 'r',
          label: ['R', 'R'],
          appearance: 'list-nolabel',
        },
        { type: 'end_group' },
      ],
      choices: [{ list_name: 'l', name: 'x', label: ['X', 'X'] }],
    };
    const asset = { content, submissions: [{ _id: 1, 'g/r': 'x', 'g/head': 'x' }] };
    const { questions, problems, responses } = await readSurveyFile(readXlsformJsonSurvey, JSON.stringify(asset));
    expect(problems).toEqual([]);
    expect(questions.get('g')).toMatchObject({ type: 'likert', title: { en: 'All', fr: 'Tout' }, rows: [{ id: 'r' }] });
    // The header takes no answer; an answer to it is kept in the metadata.
    const found = await Array.fromAsync(responses?.(() => {}) ?? []);
    expect(found).toMatchObject([{ answers: { g: { r: 'x' } }, metadata: { source_data: { 'g/head': 'x' } } }]);
  });
});

describe('a group with the appearance of a table', () => {
  it('has its label as title, and the label of the header as description', async () => {
    const { questions } = await readRows(
      'begin_group,g,G,Hint,,,field-list,,',
      'select_one a,h,H,,,,label,,',
      'select_one a,r,R,,,,list-nolabel,,',
      END,
    );
    expect(questions.get('g')).toMatchObject({ title: 'G', description: 'H\n\nHint' });
  });

  it('with one select is a table of one row', async () => {
    expect(await typesOf(GROUP, 'select_one a,r,R,,,,,,', END)).toEqual({ g: 'likert' });
  });

  it('is a question of its outer group', async () => {
    const { survey, questions } = await readRows('begin_group,o,O,,,,,,', GROUP, 'select_one a,r,R,,,,,,', END, END);
    expect(survey['sections']).toMatchObject([{ id: 'o', question_ids: ['g'] }]);
    expect(questions.get('g')).toMatchObject({ rows: [{ source_data: { source_id: 'o/g/r' } }] });
  });

  it('can have the name of another question, and any row names', async () => {
    const { questions, codes, problems } = await readRows(
      'text,g,T,,,,,,',
      GROUP,
      'select_one a,__proto__,R,,,,,,',
      'select_one a,other,,,,,,,',
      'select_one a,other,,,,,,,',
      END,
    );
    expect(problems).toEqual([]);
    expect(codes).toEqual(['ID_CHANGED']);
    expect(questions.get('g_2')).toMatchObject({
      rows: [{ id: '__proto__' }, { id: 'other_option', text: 'other' }, { id: 'other_option_2' }],
    });
  });

  it('ends with the sheet if it is not closed', async () => {
    expect(await typesOf(GROUP, 'select_one a,r,R,,,,,,', 'select_one a,s,S,,,,,,')).toEqual({ g: 'likert' });
  });

  it('can have a thousand rows, and is rejected above the limit', async () => {
    const many = (count: number) =>
      readRows(GROUP, ...Array.from({ length: count }, (_, index) => `select_one a,r${index},R,,,,,,`), END);
    const { questions, problems } = await many(1_000);
    expect(problems).toEqual([]);
    expect(itemsOf(questions.get('g')?.['rows'])).toHaveLength(1_000);
    expect((await many(2_001)).problems).toMatchObject([{ code: 'LIMIT_EXCEEDED' }]);
  });

  it('is rejected at its row if the survey becomes too large', async () => {
    const label = 'x'.repeat(1_000);
    const rows = Array.from({ length: 1_500 }, (_, index) => `select_one a,r${index},${label},,,,,,`);
    expect(await rejectionOf(readRows(GROUP, ...rows, END))).toMatchObject([
      { code: 'LIMIT_EXCEEDED', detail: expect.stringContaining('sheet survey, row 3') },
    ]);
  });

  it('keeps an unsupported condition like a question', async () => {
    const relevant = 'count(${q}) > 1';
    const { questions, codes } = await readRows(
      'select_one a,q,Q,,,,,,',
      `begin_group,g,G,,,${relevant},table-list,,`,
      'select_one a,r,R,,yes,,,,',
      END,
    );
    expect(codes).toEqual(['LOGIC_NOT_CONVERTED']);
    expect(questions.get('g')).toMatchObject({ source_data: { relevant } });
    expect(questions.get('g')).not.toHaveProperty('required');
  });

  it('keeps unknown cells of its header and rows', async () => {
    const { questions } = await readSurveyFile(
      readXlsformCsvSurvey,
      [
        'survey',
        ',type,name,label,appearance,header,image',
        ',begin_group,g,G,field-list,mine,',
        ',select_one a,h,H,label,,h.png',
        ',select_one a,r,R,list-nolabel,,r.png',
        ',end_group',
        'choices',
        ',list_name,name',
        ',a,1',
      ].join('\n'),
    );
    expect(questions.get('g')).toMatchObject({
      rows: [{ source_data: { source_id: 'g/r', image: 'r.png' } }],
      source_data: { in_file: { header: 'mine' }, header: { name: 'h', image: 'h.png' } },
    });
  });
});

describe('rows that differ from a table stay questions, with a warning', () => {
  const ONE = 'select_one a,r,R,,,,,,';
  const TWO = 'select_one a,s,S,,,,,,';

  it.each<readonly [string, readonly string[], object]>([
    ['there is no select_one or select_multiple', ['text,t,T,,,,,,'], { t: 'textarea' }],
    ['there is no select_one or select_multiple', ['rank a,t,T,,,,,,'], { t: 'matrix' }],
    ['there is no select_one or select_multiple', [], {}],
    ['there are rows of other types', [ONE, 'text,t,T,,,,,,'], { r: 'single_choice', t: 'textarea' }],
    ['there are rows of other types', [ONE, 'note,n,N,,,,,,', TWO], { r: 'single_choice', s: 'single_choice' }],
    [
      'there are rows of other types',
      [ONE, 'begin_group,i,I,,,,,,', TWO, END],
      { r: 'single_choice', s: 'single_choice' },
    ],
    ['there are rows of other types', [ONE, 'begin_repeat,i,I,,,,,,', TWO, END], { r: 'single_choice', i: 'textarea' }],
    ['some take one choice', [ONE, 'select_multiple a,s,S,,,,,,'], { r: 'single_choice', s: 'multiple_choice' }],
    ['the rows have different lists', [ONE, 'select_one b,s,S,,,,,,'], { r: 'single_choice', s: 'single_choice' }],
    ['the list has no choices', ['select_one c,s,S,,,,,,'], { s: 'text' }],
    ['or_other', [ONE, 'select_one a or_other,s,S,,,,,,'], { r: 'single_choice', s: 'single_choice' }],
    ['a hint', [ONE, 'select_one a,s,S,Hint,,,,,'], { r: 'single_choice', s: 'single_choice' }],
    ['a name is missing', [ONE, 'select_one a,,S,,,,,,'], { r: 'single_choice' }],
    [
      'relevant differs between the rows',
      [ONE, "select_one a,s,S,,,${q} = 'x',,,"],
      { r: 'single_choice', s: 'single_choice' },
    ],
    [
      'required differs between the rows',
      [ONE, "select_one a,s,S,,${q} = 'x',,,,"],
      { r: 'single_choice', s: 'single_choice' },
    ],
    ['constraint', [ONE, "select_one a,s,S,,,,,. != '1',"], { r: 'single_choice', s: 'single_choice' }],
    ['choice_filter', [ONE, 'select_one a,s,S,,,,,,x = 1'], { r: 'single_choice', s: 'single_choice' }],
  ])('%s: %j', async (reason, rows, types) => {
    const form = ['text,q,Q,,,,,,', GROUP, ...rows, END];
    expect(await typesOf(...form)).toEqual({ q: 'textarea', ...types });
    const { warnings } = await readRows(...form);
    expect(warnings).toContainEqual({
      path: '',
      code: 'NO_SUCH_TYPE',
      detail: expect.stringMatching(
        new RegExp(`^sheet survey, row 4, column appearance: The rows of g become a question each.*: .*${reason}`),
      ),
    });
  });

  it.each([
    ['relevant', "text,t,T,,,${ r } = '1',,,"],
    ['required', "text,t,T,,${r} = '1',,,,"],
    ['relevant of a group', "begin_group,i,I,,,selected(${r}, '1'),,,"],
  ])('%s tests a row', async (_, row) => {
    const { questions, warnings } = await readRows(GROUP, ONE, TWO, END, row, 'text,u,U,,,,,,');
    expect([...questions.keys()]).toEqual(expect.arrayContaining(['r', 's', 'u']));
    expect(warnings).toContainEqual(
      expect.objectContaining({ detail: expect.stringContaining('a condition tests a row') }),
    );
  });

  it.each([
    ['the rows have different lists', 'select_one b,h,H,,,,label,,'],
    ['a name is missing', 'select_one a,,H,,,,label,,'],
    ['relevant differs between the rows', "select_one a,h,H,,,${q} = 'x',label,,"],
    ['a condition tests a row', 'select_one a,q,H,,,,label,,'],
    ['choice_filter', 'select_one a,h,H,,,,label,,x = 1'],
  ])('below a header: %s, %s', async (reason, header) => {
    const { questions, warnings } = await readRows(
      'text,q,Q,,,,,,',
      header,
      'select_one a,r,R,,,,list-nolabel,,',
      "text,t,T,,,${q} = 'x',,,",
    );
    expect(questions.get('r')).toMatchObject({ type: 'single_choice' });
    expect(warnings).toContainEqual(expect.objectContaining({ detail: expect.stringContaining(reason) }));
  });

  it('both the group and the rows have a condition', async () => {
    const relevant = "${q} = 'x'";
    const { questions, survey } = await readRows(
      'text,q,Q,,,,,,',
      `begin_group,g,G,,,${relevant},table-list,,`,
      `select_one a,r,R,,,${relevant},,,`,
      END,
    );
    expect([...questions.keys()]).toEqual(['q', 'r']);
    expect(survey['logic']).toHaveLength(2);
  });

  it('there is no header directly above them', async () => {
    const BARE = ['select_one a,r,R,,,,list-nolabel,,', 'select_one a,s,S,,,,list-nolabel,,'];
    const types = { t: 'textarea', r: 'single_choice', s: 'single_choice' };
    expect(await typesOf('text,t,T,,,,,,', ...BARE)).toEqual(types);
    const between = await typesOf('select_one a,h,H,,,,label,,', 'text,t,T,,,,,,', ...BARE);
    expect(between).toEqual({ h: 'single_choice', ...types });
    expect(await typesOf('begin_group,g,G,,,,field-list,,', ...BARE, END)).toEqual({ g: 'likert' });
  });

  it('a header alone, or selects with only the appearance list, are no table', async () => {
    const { questions, codes } = await readRows(
      'select_one a,h,H,,,,label,,',
      'text,t,T,,,,,,',
      'select_one a,r,R,,,,list,,',
      'select_one a,s,S,,,,list,,',
    );
    expect([...questions.keys()]).toEqual(['h', 't', 'r', 's']);
    expect(codes).toEqual(['KEPT_AS_SOURCE_DATA']);
  });

  it('in a repeat, rows are kept with it', async () => {
    const OTHER = 'select_one b,s,S,,,,,,';
    const { questions, warnings } = await readRows('begin_repeat,p,P,,,,,,', GROUP, ONE, OTHER, END, END);
    expect(questions.get('p')).toMatchObject({ source_data: { rows: [{ rows: [{ name: 'r' }, { name: 's' }] }] } });
    expect(warnings.filter(({ detail }) => detail.includes('not a table'))).toEqual([]);
  });

  it('deeply nested groups do no harm', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => [GROUP, `select_one a,r${index},R,,,,,,`]).flat();
    const { questions } = await readRows('begin_repeat,p,P,,,,,,', ...rows.slice(0, 120), END, END, ...rows.slice(-2));
    expect(questions.size).toBeGreaterThan(0);
    expect((await readRows(...rows)).questions.size).toBe(50);
  });
});

it('submissions to a table with many choices in many languages are read row by row', async () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const letters = [...'abcdefghij'];
  const languages = letters.flatMap((one) => letters.map((other) => `label::${one}${other}`));
  const { payload } = await readSurveyFile(
    readXlsformCsvSurvey,
    [
      'survey',
      ',type,name,appearance',
      ',begin_group,g,table-list',
      ...numbers(1_900).map((row) => `,select_multiple a,r${row},`),
      ',end_group,,',
      'choices',
      `,list_name,name,${languages.join()}`,
      ...numbers(50).map((choice) => `,a,c${choice},${languages.map((_, index) => `L${choice}-${index}`).join()}`),
    ].join('\n'),
  );
  const header = numbers(1_900).map((row) => `r${row}/L3-7`);
  const cells = header.map(() => '1').join();
  const contents = [header.join(), ...numbers(20).map(() => cells)].join('\n');
  const { stored } = await withinBounds('it', () => readResponseFile(readXlsformTableResponses, contents, payload));
  expect(stored).toHaveLength(20);
  expect(stored[0]).toMatchObject({ g: { r0: ['c3'], r1899: ['c3'] } });
});
