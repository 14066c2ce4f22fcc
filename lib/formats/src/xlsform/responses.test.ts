import { describe, expect, it } from 'vitest';
import { renewIds } from '../shared/renew-ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readXlsformCsvResponses, readXlsformJsonResponses } from './responses.ts';
import { readXlsformCsvSurvey } from './survey.ts';

const file = (name: string) => fixture(import.meta.url, name);
const { payload } = await readSurveyFile(readXlsformCsvSurvey, file('all.csv'));
const tables = await readSurveyFile(readXlsformCsvSurvey, file('tables.csv'));
const readCsv = (contents: string | Uint8Array) => readResponseFile(readXlsformCsvResponses, contents, payload);
const readJson = (contents: string | Uint8Array) => readResponseFile(readXlsformJsonResponses, contents, payload);

describe('CSV submissions of ODK Central', () => {
  it('every cell becomes an answer', async () => {
    const { responses, stored } = await readCsv(file('central.csv'));
    expect(responses[0]).toMatchObject({
      index: 0,
      id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
      startedAt: new Date('2024-05-01T09:50:00Z'),
      completedAt: new Date('2024-05-01T10:00:00Z'),
      metadata: { source_data: { 'home-inner-picture': 'a.jpg', SubmitterName: 'Bob' } },
    });
    expect(stored[0]).toEqual({
      name: 'Ann',
      story: 'first\nsecond',
      age: '41',
      weight: '60.5',
      heat: 4,
      eats: 'yes',
      dishes: ['soup', 'other_option'],
      order: { soup: '2', other_option: '1' },
      day: '2024-02-29',
      at: '09:30:00',
      moment: '2024-02-29',
      'moment.time': '09:30:15',
      ok: 'OK',
      place: '1.5 2.5 0 0',
    });
  });

  it('invalid submissions are rejected, and invalid times cause a warning', async () => {
    const { stored, failures, warnings } = await readCsv(file('central.csv'));
    expect(stored).toHaveLength(2);
    expect(failures).toEqual([
      expect.stringContaining('PATTERN_MISMATCH /data/name'),
      expect.stringContaining('BAD_FORMAT /data/age'),
      expect.stringContaining('OUT_OF_RANGE /data/heat'),
      expect.stringContaining('UNKNOWN_OPTION /data/eats'),
    ]);
    expect(warnings).toContainEqual({
      path: '',
      code: 'NOT_IMPORTED',
      detail: 'Invalid times in start are not imported',
    });
  });
});

describe('submissions of Kobo', () => {
  it('as CSV with labels and semicolons, a column for each choice, and n/a', async () => {
    const { stored, failures, responses, warnings } = await readCsv(file('kobo-labels.csv'));
    expect(failures).toEqual(['REQUIRED /data/age the question needs an answer']);
    expect(stored).toEqual([{ name: 'Ann', age: '41', eats: 'yes', dishes: ['soup'] }]);
    expect(responses[0]).toMatchObject({ id: 'u1', completedAt: new Date('2024-05-01T10:00:00Z') });
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED', 'KEPT_AS_SOURCE_DATA', 'NOT_IMPORTED']);
  });

  it('as JSON of its API', async () => {
    const { responses, stored } = await readJson(file('kobo.json'));
    expect(responses).toMatchObject([
      {
        id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
        startedAt: new Date('2024-05-01T07:50:00Z'),
        completedAt: new Date('2024-05-01T07:58:00Z'),
        metadata: { source_data: { _geolocation: [1.5, 2.5] } },
      },
      { index: 1, code: 'WRONG_TYPE' },
    ]);
    expect(stored).toEqual([
      {
        name: 'Ann',
        age: '41',
        eats: 'yes',
        dishes: ['soup'],
        day: '2024-02-29',
        ok: 'OK',
        child: '[{"child/child_name":"Tim"}]',
      },
    ]);
  });
});

it('submissions of the OData service of ODK Central have their groups as objects', async () => {
  const { responses, stored } = await readJson(file('central.json'));
  expect(responses).toMatchObject([
    { id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427', completedAt: new Date('2024-05-01T10:00:00Z') },
  ]);
  expect(stored).toEqual([
    {
      name: 'Ann',
      age: '41',
      heat: 4,
      eats: 'yes',
      dishes: ['soup'],
      day: '2024-02-29',
      ok: 'OK',
      place: expect.stringContaining('coordinates'),
    },
  ]);
});

it('a choice named other is a normal choice', async () => {
  const form = 'survey\n,type,name,label\n,select_one a,q,Q\nchoices\n,list_name,name,label\n,a,1,other\n,a,2,Two\n';
  const survey = await readSurveyFile(readXlsformCsvSurvey, form);
  const { stored } = await readResponseFile(readXlsformCsvResponses, 'q\nother\nTwo\n', survey.payload);
  expect(stored).toEqual([{ q: '1' }, { q: '2' }]);
});

describe('submissions to a table', () => {
  const readTables = (contents: string | Uint8Array) =>
    readResponseFile(readXlsformCsvResponses, contents, tables.payload);
  const readTablesJson = (contents: string | Uint8Array) =>
    readResponseFile(readXlsformJsonResponses, contents, tables.payload);

  it('are read from CSV of ODK Central, or rejected with their row', async () => {
    const { stored, failures, warnings } = await readTables(file('tables-central.csv'));
    expect(stored).toEqual([
      {
        came: 'yes',
        party: { food: '2', people: '1' },
        brands: { brand_a: ['home', 'work'], brand_b: ['work'] },
        why: 'fun',
        plans: { again: 'no', guests: 'yes' },
        tired: 'no',
        hungry: 'yes',
        meal: 'soup',
      },
      { came: 'no', brands: { brand_a: ['home'], brand_b: ['home'] }, skills: { cook: '1', sing: '2' } },
    ]);
    expect(failures).toEqual([
      'UNKNOWN_OPTION /data/party row food: the question has no such option',
      'REQUIRED /data/brands every row needs an answer',
    ]);
    expect(warnings).toEqual([]);
  });

  it('with the names of groups, with names alone, or with labels of any language', async () => {
    const answers = {
      came: 'yes',
      party: { food: '2', people: '1' },
      brands: { brand_a: ['work'], brand_b: ['home'] },
    };
    for (const contents of [
      'came,party/food,party/people,brands/brand_a,brands/brand_b\nyes,2,1,work,home\n',
      'came,food,people,brand_a,brand_b\nyes,2,1,work,home\n',
      'Did you come?;Food;People;Brand A;Brand B\nYes;Good;Bad;At work;At home\n',
      'Warst du da?,Essen,Leute,Marke A,Marke B\nJa,Gut,Schlecht,Bei der Arbeit,Zuhause\n',
    ]) {
      expect(await readTables(contents)).toMatchObject({ stored: [answers], failures: [], warnings: [] });
    }
  });

  it('with a column for each choice of a row', async () => {
    for (const contents of [
      'came,brands/brand_a/home,brands/brand_a/work,brands/brand_b,brands/brand_b/home,brands/brand_b/work\nno,0,1,home,1,0\n',
      'Did you come?,Brand A/At home,Brand A/At work,Brand B/At home,Brand B/At work\nNo,0,1,1,0\n',
    ]) {
      const { stored } = await readTables(contents);
      expect(stored).toEqual([{ came: 'no', brands: { brand_a: ['work'], brand_b: ['home'] } }]);
    }
    // No chosen option means no answer, but the table requires an answer for each row.
    const { failures } = await readTables('came,brand_a/home,brand_a/work,brand_b/home\nno,0,0,1\n');
    expect(failures).toEqual(['REQUIRED /data/brands every row needs an answer']);
  });

  it('are read from JSON of Kobo, with an answered header in the metadata', async () => {
    const { stored, responses } = await readTablesJson(file('tables-kobo.json'));
    expect(stored).toEqual([
      {
        came: 'yes',
        party: { food: '2', people: '1' },
        brands: { brand_a: ['home', 'work'], brand_b: ['work'] },
        plans: { again: 'no' },
      },
    ]);
    expect(responses).toMatchObject([{ metadata: { source_data: { 'page/plans': 'yes' } } }]);
  });

  it('are read from the OData service of ODK Central', async () => {
    const party = { generated_table_list_label_4: null, food: '2', music: null, people: '1' };
    const submission = { __id: 'u1', came: 'yes', party, brands: { brand_a: 'home', brand_b: 'home work' } };
    const { stored } = await readTablesJson(JSON.stringify({ value: [submission] }));
    expect(stored).toEqual([
      {
        came: 'yes',
        party: { food: '2', people: '1' },
        brands: { brand_a: ['home'], brand_b: ['home', 'work'] },
      },
    ]);
  });

  it('rows have no "other"', async () => {
    const { failures } = await readTables('came,food,people,brand_a,brand_b\nyes,other,1,home other,home\n');
    expect(failures).toEqual([
      expect.stringContaining('UNKNOWN_OPTION /data/party row food'),
      expect.stringContaining('UNKNOWN_OPTION /data/brands row brand_a'),
    ]);
  });

  it('match their rows after the ids were renewed', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const renewed = renewIds(tables.payload, () => ids.pop() ?? '');
    const { responses } = await readResponseFile(readXlsformJsonResponses, file('tables-kobo.json'), renewed.payload);
    const [before] = (await readTablesJson(file('tables-kobo.json'))).responses;
    if (before === undefined || !('answers' in before)) throw new Error('rejected');
    expect(responses).toMatchObject([{ answers: renewed.renewAnswers(before.answers) }]);
  });

  it('are matched by group if rows of two tables have one name', async () => {
    const two = await readSurveyFile(
      readXlsformCsvSurvey,
      [
        'survey,,,,',
        ',type,name,label,appearance',
        ...['g', 'h'].flatMap((name) => [
          `,begin_group,${name},${name},table-list`,
          ',select_one l,a,A,',
          ',select_one l,__proto__,B,',
          ',end_group,,,',
        ]),
        'choices,,,,',
        ',list_name,name,,',
        ',l,x,,',
        ',l,y,,',
      ].join('\n'),
    );
    expect(two.problems).toEqual([]);
    const { responses } = await readResponseFile(
      readXlsformCsvResponses,
      'g-a,h/a,g-__proto__,a,A\nx,y,y,x,x\n',
      two.payload,
    );
    expect(JSON.stringify(responses)).toContain('{"g":{"a":"x","__proto__":"y"},"h":{"a":"y"}}');
    expect(responses).toMatchObject([{ metadata: { source_data: { a: 'x', A: 'x' } } }]);
  });
});

it('answers match their questions after the ids were renewed', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
  const renewed = renewIds(payload, () => ids.pop() ?? '');
  const [before, after] = [
    await readCsv(file('central.csv')),
    await readResponseFile(readXlsformCsvResponses, file('central.csv'), renewed.payload),
  ];
  const [first] = before.responses;
  if (first === undefined || !('answers' in first)) throw new Error('rejected');
  expect(after.responses[0]).toMatchObject({ answers: renewed.renewAnswers(first.answers) });
  expect(after.stored).toHaveLength(2);
});

describe('tables without submissions', () => {
  it.each([
    ['nothing', '', 'there is no header row'],
    ['a header without a question', 'a,b\n1,2\n', 'no column names a question'],
    ['a column twice', 'age,age\n1,2\n', 'row 1, column age: the column is duplicate'],
    ['a quote that does not end', 'age\n"1\n', 'row 2'],
  ])('%s is rejected', async (_, contents, detail) => {
    expect(await rejectionOf(readCsv(contents))).toMatchObject([{ detail: expect.stringContaining(detail) }]);
  });

  it('a row with too many cells is rejected by itself', async () => {
    const { responses } = await readCsv('age\n1,2\n3\n');
    expect(responses).toMatchObject([
      { index: 0, code: 'TOO_MANY_CELLS', detail: expect.stringContaining('row 2') },
      { index: 1 },
    ]);
  });

  it.each(['7', '{"a": 1}', '[{'])('%s is rejected', async (contents) => {
    expect(await rejectionOf(readJson(contents))).toHaveLength(1);
  });

  it('an empty list has none', async () => {
    expect((await readJson('{"results": []}')).responses).toEqual([]);
  });
});
