// biome-ignore-all lint/suspicious/noTemplateCurlyInString: forms name their questions so
import { describe, expect, it } from 'vitest';
import { parseRows } from '../testing/parse-rows.ts';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey, readXlsformXlsxSurvey } from './survey.ts';

const csv = fixture(import.meta.url, 'all.csv');
const all = await readSurveyFile(readXlsformCsvSurvey, csv);
const asset = await readSurveyFile(readXlsformJsonSurvey, fixture(import.meta.url, 'asset.json'));

it('an old workbook is named as one, whatever its name', async () => {
  const old = Buffer.from('d0cf11e0a1b11ae100000000', 'hex');
  expect(await rejectionOf(readSurveyFile(readXlsformXlsxSurvey, old))).toMatchObject([
    { code: 'OLD_WORKBOOK', detail: expect.stringContaining('.xls') },
  ]);
});

it('a choice without a name gets the id of its first label', async () => {
  const choices = 'choices\n,list_name,name,label::English (en),label::Deutsch (de)\n,l,,Big meal,Essen\n,l,b,B,B\n';
  const form = `survey\n,type,name,label::English (en)\n,select_one l,a,A\n${choices}`;
  const { questions } = await readSurveyFile(readXlsformCsvSurvey, form);
  expect(questions.get('a')?.['options']).toMatchObject([{ id: expect.stringMatching(/^big.?meal$/i) }, { id: 'b' }]);
});

it('each list without choices is reported', async () => {
  const { warnings } = await readSurveyFile(
    readXlsformCsvSurvey,
    'survey\n,type,name,label\n,select_one a,x,X\n,select_one a,y,Y\n,select_one b,z,Z\n,rank c,r,R\n,rank d,s,S\nchoices\n,list_name,name,label\n,d,1,One\n',
  );
  const details = warnings.filter(({ code }) => code === 'NO_SUCH_TYPE').map(({ detail }) => detail);
  expect(details).toEqual([
    expect.stringMatching(/x has .*: the list a has no choices/),
    expect.stringMatching(/z has .*: the list b has no choices/),
    expect.stringMatching(/r has .*: the list c has no choices/),
    expect.stringMatching(/s has .*: it becomes a matrix/),
  ]);
});

describe('a form with all row types', () => {
  it('passes lint, and has its texts in all languages', () => {
    expect(all.problems).toEqual([]);
    expect(all.survey).toMatchObject({
      title: 'Lunch',
      supported_languages: ['en', 'de'],
      sections: [
        { id: 'inner', question_ids: ['picture', 'ok'], title: { en: 'Inner', de: 'Innen' } },
        {
          id: 'home',
          description: 'where you live',
          question_ids: ['day', 'at', 'moment', 'moment.time', 'picture', 'ok'],
        },
        { id: 'again', question_ids: ['name_2'] },
      ],
      source_data: {
        source: 'xlsform',
        form_id: 'lunch',
        version: '7',
        filled_in: [{ type: 'start' }, { type: 'calculate' }],
      },
    });
  });

  it.each<readonly [string, object]>([
    ['name', { type: 'text', required: true, pattern: '^(?:[A-Z].*)$', title: { en: 'Your name?', de: 'Dein Name?' } }],
    ['story', { type: 'textarea' }],
    ['age', { type: 'text', format: 'integer', required: true, source_data: { constraint: '. > 0' } }],
    ['weight', { type: 'text', format: 'number' }],
    ['heat', { type: 'rating', min: 0, max: 10, step: 2 }],
    ['eats', { type: 'single_choice', options: [{ id: 'yes', text: { en: 'Yes', de: 'Ja' } }, { id: 'no' }] }],
    [
      'dishes',
      {
        type: 'multiple_choice',
        allow_other: true,
        options: [{ id: 'soup', source_data: { price: '3' } }, { id: 'other_option' }],
      },
    ],
    ['order', { type: 'matrix', rows: [{ id: 'soup' }, { id: 'other_option' }], columns: [{ id: '1' }, { id: '2' }] }],
    ['lost', { type: 'text' }],
    ['day', { type: 'date', source_data: { source_id: 'home/day', type: 'date' } }],
    ['at', { type: 'time' }],
    ['moment', { type: 'date', source_data: { part: 'date' } }],
    ['moment.time', { type: 'time', source_data: { part: 'time' } }],
    ['picture', { type: 'file_upload', accept: 'image/*', source_data: { source_id: 'home/inner/picture' } }],
    ['ok', { type: 'single_choice', options: [{ id: 'OK' }] }],
    ['child', { type: 'textarea', source_data: { kept_as: 'json', rows: [{ name: 'child_name' }] } }],
    ['place', { type: 'text' }],
    ['way', { type: 'textarea' }],
    ['odd', { type: 'text' }],
    ['name_2', { type: 'textarea', title: { en: 'Again' } }],
  ])('%s becomes the nearest type', (id, question) => {
    expect(all.questions.get(id)).toMatchObject(question);
  });

  it('a note becomes part of the description of the next question', () => {
    expect(all.questions.get('name')?.['description']).toEqual({
      en: 'Welcome\n\nas in your passport',
      de: expect.stringContaining('Willkommen'),
    });
  });

  it('conditions become logic', () => {
    const entry = (question_id: string, action: string, condition: object) => ({
      question_id,
      conditions: [{ action, ...condition }],
    });
    expect(all.survey['logic']).toEqual([
      entry('home', 'hide', { source_question: 'eats', operator: 'equals', value: 'no' }),
      entry('name_2', 'require', { source_question: 'age', operator: 'greater_than', value: 99 }),
      entry('dishes', 'show', { source_question: 'eats', operator: 'equals', value: 'yes' }),
      entry('day', 'show', { source_question: 'age', operator: 'greater_or_equal', value: 18 }),
    ]);
  });

  it.each([
    ['NO_SUCH_TYPE', 'sheet survey, row 3, column type: The tool fills in start'],
    ['NO_SUCH_TYPE', 'sheet survey, row 5, column type: A note'],
    ['NO_SUCH_TYPE', 'sheet survey, row 14, column type: lost has the type select_one nowhere'],
    ['NO_SUCH_TYPE', 'sheet survey, row 29, column type: odd has the type textx'],
    ['ID_CHANGED', 'sheet survey, row 31, column name'],
    ['LOGIC_NOT_CONVERTED', 'sheet survey, row 8, column constraint'],
    ['LOGIC_NOT_CONVERTED', 'sheet survey, row 29, column relevant: relevant cannot be converted: it counts'],
    ['KEPT_AS_SOURCE_DATA', 'sheet choices, row 37, column price'],
  ])('%s names the location: %s', (code, detail) => {
    expect(all.warnings).toContainEqual({ path: '', code, detail: expect.stringContaining(detail) });
  });

  it('an error of a question names its row', () => {
    const problem = { path: '/survey/pages/0/questions/1/title', code: 'X', detail: 'bad' };
    expect(all.toFileProblem(problem)).toEqual({ path: '', code: 'X', detail: 'sheet survey, row 7: bad' });
  });

  it('a workbook gives the same survey', async () => {
    const workbook = await readSurveyFile(readXlsformXlsxSurvey, await writeXlsx(await parseRows(csv)));
    expect(workbook.payload).toEqual(all.payload);
  });

  it('an asset of Kobo has its texts by position, and its submissions', async () => {
    expect(asset.problems).toEqual([]);
    expect(asset.survey).toMatchObject({ title: 'Asset', supported_languages: ['en', 'de'] });
    expect(asset.questions.get('eats')).toMatchObject({ required: true, title: { en: 'Do you eat?', de: 'Isst du?' } });
    expect(asset.survey['logic']).toHaveLength(1);
    const found = [];
    for await (const response of asset.responses?.(() => {}) ?? []) found.push(response);
    expect(found).toMatchObject([{ id: 'u1', answers: { eats: 'no', why: 'full' } }, { answers: { eats: 'never' } }]);
  });
});

describe('languages and columns', () => {
  const header = (columns: string, row: string) =>
    readSurveyFile(readXlsformCsvSurvey, `survey\n,${columns}\n,${row}\n`);

  it.each([
    ['label::French', 'fr'],
    ['label::français (fr)', 'fr'],
    ['label:Swahili', 'sw'],
    ['label::zh-Hant', 'zh-Hant'],
    ['label::Deutsch', 'de'],
    ['label::Klingon!', 'und-x-klingon'],
  ])('%s has the language %s', async (column, language) => {
    const { survey } = await header(`type,name,${column}`, 'text,a,A');
    expect(survey['supported_languages']).toEqual([language]);
  });

  it.each(['bind::relevant', 'bind:relevant', 'relevance', 'Relevant'])('%s is a condition', async (column) => {
    const { survey } = await readSurveyFile(
      readXlsformCsvSurvey,
      `survey\n,type,name,${column}\n,integer,a,\n,text,b,\${a} > 3\n`,
    );
    expect(survey['logic']).toHaveLength(1);
  });

  it('a label without a language is in the default language', async () => {
    const { questions } = await readSurveyFile(
      readXlsformCsvSurvey,
      'survey\n,type,name,label,label::fr\n,text,a,Eins,Un\nsettings\n,default_language\n,German (de)\n',
    );
    expect(questions.get('a')).toMatchObject({ title: { de: 'Eins', fr: 'Un' } });
  });
});

describe('files that are not a form', () => {
  it.each([
    ['without a sheet survey', 'choices\n,list_name,name\n,a,b\n'],
    ['without a question', 'survey\n,type,name\n,note,a\n,start,s\n'],
    ['with a quote that does not end', 'survey\n,type,name\n,"text,a\n'],
    ['empty', ''],
  ])('a file %s is rejected', async (_, contents) => {
    expect(await rejectionOf(readSurveyFile(readXlsformCsvSurvey, contents))).toHaveLength(1);
  });

  it.each(['[]', '{"content": {"survey": {}}}', '{'])('%s is not an asset', async (contents) => {
    expect(await rejectionOf(readSurveyFile(readXlsformJsonSurvey, contents))).toHaveLength(1);
  });

  it('leaves out groups that are nested too deep, and ends the others where they end', async () => {
    const begun = Array.from({ length: 52 }, (_, depth) => `,begin group,g${depth + 1},,\${a} > ${depth + 1}`);
    const ended = Array.from({ length: 52 }, (_, depth) => `,text,after${52 - depth},,\n,end group,,,`);
    const rows = [',integer,a,,', ...begun, ',begin repeat,r,,', ',text,t,,', ',end repeat,,,', ...ended];
    const form = `survey\n,type,name,label,relevant\n${[...rows, ',text,outside,,', ''].join('\n')}`;
    const { questions, survey, warnings } = await readSurveyFile(readXlsformCsvSurvey, form);
    const imported = Array.from({ length: 50 }, (_, index) => `after${50 - index}`);
    expect([...questions.keys()]).toEqual(['a', ...imported, 'outside']);
    expect(questions.get('after50')).toMatchObject({
      source_data: { source_id: expect.stringMatching(/g50.after50$/) },
    });
    expect(questions.get('after1')).toMatchObject({ source_data: { source_id: 'g1/after1' } });
    expect(survey['sections']).toHaveLength(50);
    const detail = 'sheet survey, row 54: Groups that are nested more than 50 levels deep are not imported';
    expect(warnings).toContainEqual({ path: '', code: 'NOT_IMPORTED', detail });
  });

  it('unusual rows do no harm', async () => {
    const { questions, problems } = await readSurveyFile(
      readXlsformCsvSurvey,
      'survey\n,type,name,label,relevant\n,end group,,,\n,text,,No name,\n,,x,No type,\n,begin group,g,G,${a} > 1\n,text,a,,\n,select_one,b,B,\n,begin repeat,r,R,\n,begin group,q,,\n,text,t,,\n',
    );
    expect([...questions.keys()]).toEqual(['a', 'b', 'r']);
    expect(problems).toEqual([]);
  });
});
