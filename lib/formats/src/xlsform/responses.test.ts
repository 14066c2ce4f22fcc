import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { type Sheets, writeXlsx } from '../testing/write-xlsx.ts';
import { writeZip } from '../testing/write-zip.ts';
import { readXlsformJsonResponses, readXlsformTableResponses } from './responses.ts';
import { readXlsformCsvSurvey } from './survey.ts';

const file = (name: string) => fixture(import.meta.url, name);
const { payload } = await readSurveyFile(readXlsformCsvSurvey, file('all.csv'));
const tables = await readSurveyFile(readXlsformCsvSurvey, file('tables.csv'));
const readCsv = (contents: string | Uint8Array) => readResponseFile(readXlsformTableResponses, contents, payload);
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

  it('invalid submissions and times are rejected', async () => {
    const { responses, stored, failures } = await readCsv(file('central.csv'));
    expect(stored).toHaveLength(2);
    expect(failures).toEqual(['BAD_TIME start the value is not a time']);
    const others = responses.map((response) => ({ ...response, unread: [] }));
    expect(validateResponses(others, payload).failures).toEqual([
      expect.stringContaining('PATTERN_MISMATCH /data/name'),
      expect.stringContaining('BAD_FORMAT /data/age'),
      expect.stringContaining('OUT_OF_RANGE /data/heat'),
      expect.stringContaining('UNKNOWN_OPTION /data/eats'),
    ]);
  });
});

describe('the choice of or_other', () => {
  const form = [
    'survey,,,',
    ',type,name,label',
    ',select_one act or_other,fav,Favourite',
    ',select_multiple act or_other,all,All',
    'choices,,,',
    ',list_name,name,label',
    ',act,hik,Hiking',
    ',act,ski,Skiing far',
  ].join('\n');

  it.each([
    ['Favourite,All\nOther,Skiing far Other', 'Other', ['ski']],
    ['fav,fav_other,all,all_other\nother,Chess,ski other,Chess', 'Chess', ['ski']],
    ['Favourite,All,All/Skiing far,All/Other\nOther,Skiing far Other,1,1', 'Other', ['ski']],
  ])('is read by name and label: %j', async (csv, text, options) => {
    const survey = await readSurveyFile(readXlsformCsvSurvey, form);
    const { stored, failures } = await readResponseFile(readXlsformTableResponses, csv, survey.payload);
    expect(failures).toEqual([]);
    expect(stored).toEqual([{ fav: { option: 'other', text }, all: { options, other: text } }]);
  });
});

describe('submissions of Kobo', () => {
  it('as CSV with labels and semicolons, a column for each choice, and n/a', async () => {
    const { stored, failures, responses, warnings } = await readCsv(file('kobo-labels.csv'));
    expect(failures).toEqual(['REQUIRED /data/age the question needs an answer']);
    expect(stored).toEqual([{ name: 'Ann', age: '41', eats: 'yes', dishes: ['soup'] }]);
    expect(responses[0]).toMatchObject({ id: 'u1', completedAt: new Date('2024-05-01T10:00:00Z') });
    expect(warnings.map(({ code }) => code)).toEqual(['NOT_IMPORTED', 'TIME_ZONE_ASSUMED', 'KEPT_AS_SOURCE_DATA']);
  });

  it.each([
    ['2024-05-01 12:00:00', '2024-05-01T10:00:00Z'],
    ['2024-05-01T12:00:00.000-04', '2024-05-01T16:00:00Z'],
    ['2024-05-01 12:00:00+0530', '2024-05-01T06:30:00Z'],
  ])('has the time %s of the zone of the import, if it has none', async (end, expected) => {
    const table = { ...DETECT_ALL, timeZone: 'Europe/Berlin' };
    const csv = `end,name\n${end},Ann\n`;
    const { responses, warnings } = await readResponseFile(readXlsformTableResponses, csv, payload, undefined, table);
    expect(responses).toMatchObject([{ completedAt: new Date(expected) }]);
    expect(warnings).toEqual([]);
  });

  it('as JSON of its API', async () => {
    const { responses, stored } = await readJson(file('kobo.json'));
    expect(responses).toMatchObject([
      {
        id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
        startedAt: new Date('2024-05-01T07:50:00Z'),
        completedAt: new Date('2024-05-01T07:58:00Z'),
        metadata: { source_data: { _geolocation: [1.5, 2.5] }, repeats: { child: [{ child_name: 'Tim' }] } },
      },
      { index: 1, code: 'WRONG_TYPE' },
    ]);
    // Data about the response is no answer.
    expect(responses[0]).not.toHaveProperty('unassigned');
    expect(stored).toEqual([
      {
        name: 'Ann',
        age: '41',
        eats: 'yes',
        dishes: ['soup'],
        day: '2024-02-29',
        ok: 'OK',
      },
    ]);
  });
});

const FORM = [
  'survey,,,',
  ',type,name,label',
  ',text,who,Who?',
  ',begin_group,g,Group',
  ',select_multiple act,acts,Activities',
  ',select_one yn,yn,Yes or no?',
  ',end_group,,',
  ',select_one act or_other,fav,Favourite',
  ',begin_repeat,kid,Child',
  ',text,name,Name',
  ',integer,age,Age',
  ',begin_repeat,toy,Toy',
  ',text,brand,Brand',
  ',end_repeat,,',
  ',end_repeat,,',
  'choices,,,',
  ',list_name,name,label',
  ',act,hik,Hiking',
  ',act,ski,Skiing',
  ',yn,yes,Yes',
  ',yn,no,No',
].join('\n');
const activities = await readSurveyFile(readXlsformCsvSurvey, FORM);
const readActivities = (contents: string | Uint8Array) =>
  readResponseFile(readXlsformTableResponses, contents, activities.payload);
const repeatsIn = async (reading: ReturnType<typeof readActivities>) =>
  (await reading).responses.map((response) => ('metadata' in response ? response.metadata?.['repeats'] : response));

describe('group separators of Kobo', () => {
  it.each(['/', '.', '-', ':', '__', ' / ', '|', '_'])('%j is found', async (separator) => {
    const header = ['who', 'g/acts/hik', 'g/acts/ski', 'g/yn', 'fav/hik', '_uuid']
      .map((name) => `"${name.replaceAll('/', separator)}"`)
      .join(',');
    const { stored, failures, warnings } = await readActivities(`${header}\nx,1,0,yes,,u1\n`);
    expect([stored, failures, warnings]).toEqual([[{ who: 'x', acts: ['hik'], yn: 'yes' }], [], []]);
  });

  it('is found between labels, and hyphens in names are kept', async () => {
    const { stored } = await readActivities('Who?;Activities.Hiking;Activities.Skiing;Yes or no?\nx;0;1;Yes\n');
    expect(stored).toEqual([{ who: 'x', acts: ['ski'], yn: 'yes' }]);
    const form = 'survey\n,type,name\n,begin_group,my-g\n,text,a-b\n,text,c.d\n,end_group,\n';
    const survey = await readSurveyFile(readXlsformCsvSurvey, form);
    const read = await readResponseFile(readXlsformTableResponses, 'my-g:a-b,my-g:c.d\n1,2\n', survey.payload);
    expect(read.stored).toEqual([{ 'a-b': '1', 'c.d': '2' }]);
  });
});

describe('the choice that or_other adds', () => {
  it.each([
    ['its name', 'who,fav,fav_other\nx,other,Sailing\n'],
    ['its label', 'Who?,Favourite,Specify other.\nx,Other,Sailing\n'],
  ])('is read by %s', async (_case, csv) => {
    const { stored, failures } = await readActivities(csv);
    expect([stored, failures]).toEqual([[{ who: 'x', fav: { option: 'other', text: 'Sailing' } }], []]);
  });

  it('has the text Other without a text', async () => {
    const { stored } = await readActivities('"Who?","Favourite","_uuid"\n"x","Other","u1"\n');
    expect(stored).toEqual([{ who: 'x', fav: { option: 'other', text: 'Other' } }]);
  });

  it('is read in lists of several choices, in one cell or a column for each', async () => {
    const survey = await readSurveyFile(
      readXlsformCsvSurvey,
      FORM.replace('select_one act or', 'select_multiple act or'),
    );
    const csv = 'Favourite,Specify other.\nHiking Other,Sailing\n';
    const expected = [{ fav: { options: ['hik'], other: 'Sailing' } }];
    expect((await readResponseFile(readXlsformTableResponses, csv, survey.payload)).stored).toEqual(expected);
    for (const header of [
      'fav/hik,fav/ski,fav/other,fav_other',
      'Favourite/hik,Favourite/ski,Favourite/Other,Specify other.',
    ]) {
      const read = await readResponseFile(readXlsformTableResponses, `${header}\n1,0,1,Sailing\n`, survey.payload);
      expect(read.stored).toEqual(expected);
    }
  });
});

describe('repeats', () => {
  const KIDS = [
    { name: 'Ann', age: '7', toy: [{ brand: 'A' }, { brand: 'B' }] },
    { name: 'Bob', age: '9' },
  ];

  it('in columns with numbers become rows in the metadata', async () => {
    for (const separator of ['/', '.']) {
      const header =
        'who,kid[1]/name,kid[1]/age,kid[1]/toy[1]/brand,kid[1]/toy[2]/brand,kid[2]/name,kid[2]/age,kid[3]/name';
      const csv = `${header.replaceAll('/', separator)}\nx,Ann,7,A,B,Bob,9,\ny,,,,,,,\n`;
      const reading = readActivities(csv);
      expect(await repeatsIn(reading)).toEqual([{ kid: KIDS }, undefined]);
      expect(await reading).toMatchObject({ stored: [{ who: 'x' }, { who: 'y' }], warnings: [] });
    }
  });

  const CHILD = ['_index', '_parent_table_name', '_parent_index', '_submission__id', '_submission__uuid'];
  const WORKBOOK: Sheets = {
    Form: [
      ['who', 'acts', '_id', '_uuid', '_submission_time', '_index'],
      ['x', 'hik ski', 11, 'u1', '2024-05-01T10:00:00', 1],
      ['y', '', 12, 'u2', '2024-05-01T11:00:00', 2],
      ['z', '', 13, 'u3', '2024-05-01T12:00:00', 3],
    ],
    kid: [
      ['name', 'age', ...CHILD],
      ['Ann', 7, 1, 'Form', 1, 11, 'u1'],
      ['Bob', 9, 2, 'Form', 1, 11, 'u1'],
      ['Cem', '', 3, 'Form', 3, 13, 'u3'],
    ],
    toy: [
      ['brand', ...CHILD],
      ['A', 1, 'kid', 1, 11, 'u1'],
      ['B', 2, 'kid', 1, 11, 'u1'],
      ['C', 3, 'kid', 3, 13, 'u3'],
    ],
  };

  it('in sheets of a workbook become rows in the metadata', async () => {
    const reading = readActivities(await writeXlsx(WORKBOOK));
    expect(await repeatsIn(reading)).toEqual([
      { kid: KIDS },
      undefined,
      { kid: [{ name: 'Cem', toy: [{ brand: 'C' }] }] },
    ]);
    const { responses, stored, warnings } = await reading;
    expect(stored).toEqual([{ who: 'x', acts: ['hik', 'ski'] }, { who: 'y' }, { who: 'z' }]);
    expect(responses).toMatchObject([{ id: 'u1', completedAt: new Date('2024-05-01T10:00:00Z') }, {}, { id: 'u3' }]);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED', 'KEPT_AS_SOURCE_DATA']);
  });

  describe('in the archive of ODK Central', () => {
    const MAIN = 'SubmissionDate,who,SET-OF-kid,KEY\n2024-05-01T10:00:00.000Z,x,uuid:1/kid,uuid:1\n';
    const ARCHIVE = {
      'My form.csv': `${MAIN}2024-05-01T11:00:00.000Z,y,uuid:2/kid,uuid:2\n2024-05-01T12:00:00.000Z,z,uuid:3/kid,uuid:3\n`,
      'My form-kid.csv': [
        'name,age,SET-OF-toy,PARENT_KEY,KEY',
        'Ann,7,uuid:1/kid[1]/toy,uuid:1,uuid:1/kid[1]',
        'Bob,9,uuid:1/kid[2]/toy,uuid:1,uuid:1/kid[2]',
        'Cem,,uuid:3/kid[1]/toy,uuid:3,uuid:3/kid[1]',
      ].join('\n'),
      'My form-toy.csv': [
        'brand,PARENT_KEY,KEY',
        'A,uuid:1/kid[1],uuid:1/kid[1]/toy[1]',
        'B,uuid:1/kid[1],uuid:1/kid[1]/toy[2]',
        'C,uuid:3/kid[1],uuid:3/kid[1]/toy[1]',
      ].join('\n'),
    };
    const EXPECTED = [{ kid: KIDS }, undefined, { kid: [{ name: 'Cem', toy: [{ brand: 'C' }] }] }];

    it('become rows in the metadata', async () => {
      const reading = readActivities(await writeZip(ARCHIVE));
      expect(await repeatsIn(reading)).toEqual(EXPECTED);
      const { responses, stored, warnings } = await reading;
      expect(stored).toEqual([{ who: 'x' }, { who: 'y' }, { who: 'z' }]);
      expect(responses).toMatchObject([{ id: '1' }, { id: '2' }, { id: '3' }]);
      expect(responses.map((response) => 'metadata' in response && response.metadata?.['source_data'])).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(warnings).toEqual([]);
    });

    it('are found in another order, and reported without a submission', async () => {
      const [header = '', ...rows] = ARCHIVE['My form-kid.csv'].split('\n');
      const kids = [header, 'Dee,1,,uuid:9,uuid:9/kid[1]', ...rows.toReversed()].join('\n');
      const reading = readActivities(await writeZip({ ...ARCHIVE, 'My form-kid.csv': kids }));
      const [first, , third] = await repeatsIn(reading);
      expect(first).toEqual({ kid: KIDS.toReversed() });
      expect(third).toEqual(EXPECTED[2]);
      expect((await reading).warnings).toMatchObject([
        { code: 'NOT_IMPORTED', detail: expect.stringContaining('Rows of the file My form-kid.csv are not imported') },
      ]);
    });

    it('with the same name are told apart by their groups', async () => {
      const form = ['a', 'b'].flatMap((group) => [
        `,begin_group,${group},${group}`,
        ',begin_repeat,kid,Child',
        ',text,name,Name',
        ',end_repeat,,',
        ',end_group,,',
      ]);
      const twice = await readSurveyFile(
        readXlsformCsvSurvey,
        ['survey,,,', ',type,name,label', ',text,who,Who?', ...form].join('\n'),
      );
      const files = {
        'f.csv': 'who,KEY\nx,uuid:1\n',
        'f-kid~1.csv': 'name,PARENT_KEY,KEY\nAnn,uuid:1,uuid:1/a/kid[1]\n',
        'f-kid~2.csv': 'name,PARENT_KEY,KEY\nBob,uuid:1,uuid:1/b/kid[1]\n',
      };
      const read = await readResponseFile(readXlsformTableResponses, await writeZip(files), twice.payload);
      expect(read.responses).toMatchObject([
        { metadata: { repeats: { 'a/kid': [{ name: 'Ann' }], 'b/kid': [{ name: 'Bob' }] } } },
      ]);
    });

    it('are found by path, even if it is the name of a repeat in a group', async () => {
      const repeat = [',begin_repeat,kid,Child', ',text,name,Name', ',end_repeat,,'];
      const form = ['survey,,,', ',type,name,label', ',text,who,Who?', ...repeat];
      const { payload } = await readSurveyFile(
        readXlsformCsvSurvey,
        [...form, ',begin_group,a,', ...repeat, ',end_group,,'].join('\n'),
      );
      const files = {
        'f.csv': 'who,KEY\nx,uuid:1\n',
        'f-kid.csv': 'name,PARENT_KEY,KEY\nAnn,uuid:1,uuid:1/kid[1]\n',
      };
      const { responses } = await readResponseFile(readXlsformTableResponses, await writeZip(files), payload);
      expect(responses).toMatchObject([{ metadata: { repeats: { kid: [{ name: 'Ann' }] } } }]);
    });

    it('are read in a window, however many there are', async () => {
      const count = 15_000;
      const keys = Array.from({ length: count }, (_, index) => `uuid:${index}`);
      const main = keys.map((key) => `x,${key}`).join('\n');
      const kids = keys.flatMap((key) => [1, 2].map((kid) => `n,${key},${key}/kid[${kid}]`)).join('\n');
      const files = { 'f.csv': `who,KEY\n${main}\n`, 'f-kid.csv': `name,PARENT_KEY,KEY\n${kids}\n` };
      const reading = readActivities(await writeZip(files));
      const repeats = await repeatsIn(reading);
      expect(new Set(repeats.map((one) => JSON.stringify(one)))).toEqual(
        new Set([JSON.stringify({ kid: [{ name: 'n' }, { name: 'n' }] })]),
      );
      expect([repeats.length, (await reading).warnings]).toEqual([count, []]);
    });

    const NOT_IMPORTED =
      'Rows of the file f-kid.csv are not imported: no submission has their PARENT_KEY, or they are in another order than the submissions';

    it('are read however many others have no submission, or no parent in it', async () => {
      const orphans = Array.from({ length: 25_000 }, (_, at) => `n,uuid:x${at},uuid:x${at}/kid[1]`);
      const nested = Array.from({ length: 25_000 }, (_, at) => `n,uuid:1/kid[${at + 2}],uuid:1/kid[${at + 2}]/toy[1]`);
      const kids = ['name,PARENT_KEY,KEY', 'Ann,uuid:1,uuid:1/kid[1]', ...orphans, 'Bob,uuid:2,uuid:2/kid[1]'];
      const toys = ['brand,PARENT_KEY,KEY', ...nested, 'A,uuid:2/kid[1],uuid:2/kid[1]/toy[1]'];
      const files = {
        'f.csv': 'who,KEY\nx,uuid:1\ny,uuid:2\n',
        'f-kid.csv': kids.join('\n'),
        'f-toy.csv': toys.join('\n'),
      };
      const reading = readActivities(await writeZip(files));
      expect(await repeatsIn(reading)).toEqual([
        { kid: [{ name: 'Ann' }] },
        { kid: [{ name: 'Bob', toy: [{ brand: 'A' }] }] },
      ]);
      const warnings = (await reading).warnings.map(({ detail }) => detail);
      expect(warnings).toEqual([NOT_IMPORTED, NOT_IMPORTED.replace('kid', 'toy')]);
    });

    it('are reported if the file has only the table of submissions', async () => {
      const { responses, warnings } = await readActivities('who,SET-OF-kid,KEY\nx,uuid:1/kid,uuid:1\n');
      expect(responses).toMatchObject([{ answers: { who: 'x' }, metadata: undefined }]);
      const detail =
        'The column SET-OF-kid is not imported: it names rows of another table, which the file does not have';
      expect(warnings).toEqual([{ path: '', code: 'NOT_IMPORTED', detail }]);
    });

    it('are read from tables of any encoding; messages name the file', async () => {
      const latin = Buffer.from('name,PARENT_KEY,KEY\nZo\u00eb,uuid:1,uuid:1/kid[1]\n', 'latin1');
      const files = { 'f.csv': 'who,KEY\nx,uuid:1\n', 'f-kid.csv': latin };
      const reading = readActivities(await writeZip(files));
      expect(await repeatsIn(reading)).toEqual([{ kid: [{ name: 'Zo\u00eb' }] }]);
      const detail =
        'file f-kid.csv: The file does not say its encoding and is read as windows-1252; set encoding for another one';
      expect((await reading).warnings).toEqual([{ path: '', code: 'ENCODING_ASSUMED', detail }]);
      const broken = { ...files, 'f-kid.csv': 'name,PARENT_KEY,KEY\n"Zo' };
      const detailOf = async (given: Parameters<typeof writeZip>[0]) =>
        (await rejectionOf(readActivities(await writeZip(given)))).map((problem) => problem.detail);
      expect(await detailOf(broken)).toEqual([
        'file f-kid.csv: row 2: a quoted cell does not end (separator ",", encoding utf-8)',
      ]);
      expect(await detailOf({ ...files, 'f.csv': 'what,KEY\nx,uuid:1\n' })).toEqual([
        'row 1: no column names a question of the survey (file f.csv, separator ",", encoding utf-8)',
      ]);
      expect(await detailOf({ 'alone.csv': 'who\n"x' })).toEqual([
        'file alone.csv: row 2: a quoted cell does not end (separator ",", encoding utf-8)',
      ]);
    });

    it('count with all of their cells in the window', async () => {
      const names = Array.from({ length: 200 }, (_, at) => `c${at}`);
      const wide = Array.from({ length: 3_000 }, (_, at) => `${names.map(() => 'x').join()},uuid:2,uuid:2/kid[${at}]`);
      const last = `${names.map(() => 'y').join()},uuid:1,uuid:1/kid[1]`;
      const files = {
        'f.csv': 'who,KEY\nx,uuid:1\ny,uuid:2\n',
        'f-kid.csv': [`${names.join()},PARENT_KEY,KEY`, ...wide, last].join('\n'),
      };
      const { responses, warnings } = await readActivities(await writeZip(files));
      expect(responses[0]).toMatchObject({ metadata: undefined });
      expect(warnings.map(({ detail }) => detail)).toContain(NOT_IMPORTED);
    });

    it('need a table for the submissions; files of respondents are left out', async () => {
      const media = { ...ARCHIVE, 'media/list.csv': 'a,b\n1,2\n' };
      const reading = readActivities(await writeZip(media));
      expect(await repeatsIn(reading)).toEqual(EXPECTED);
      expect((await reading).warnings).toMatchObject([
        { code: 'NOT_IMPORTED', detail: 'The file media/list.csv of the archive is not imported' },
      ]);
      const { 'My form.csv': _, ...others } = ARCHIVE;
      await expect(readActivities(await writeZip(others))).rejects.toMatchObject({ errors: [{ code: 'BAD_ZIP' }] });
      const many = Object.fromEntries(Array.from({ length: 201 }, (_each, at) => [`My form-${at}.csv`, 'a\n1\n']));
      await expect(readActivities(await writeZip({ ...ARCHIVE, ...many }))).rejects.toMatchObject({
        errors: [{ code: 'BAD_ZIP', detail: expect.stringContaining('204 tables') }],
      });
      const stranger = { ...ARCHIVE, 'My form-notes.csv': 'note\nx\n' };
      expect((await readActivities(await writeZip(stranger))).warnings).toMatchObject([
        { code: 'NOT_IMPORTED', detail: expect.stringContaining('The file My form-notes.csv is not imported') },
      ]);
    });
  });

  it('in sheets with labels are named like the repeat', async () => {
    const sheets: Sheets = {
      Form: [
        ['Who?', 'Activities', 'Activities/Hiking', 'Activities/Skiing', '_uuid'],
        ['x', 'Hiking', 1, 0, 'u1'],
      ],
      Child: [
        ['Name', 'kid/age', ...CHILD],
        ['Ann', 7, 1, 'Form', 1, 11, 'u1'],
      ],
    };
    const reading = readActivities(await writeXlsx(sheets));
    expect(await repeatsIn(reading)).toEqual([{ kid: [{ Name: 'Ann', age: '7' }] }]);
    expect((await reading).stored).toEqual([{ who: 'x', acts: ['hik'] }]);
  });

  describe('whose names a workbook has cut', () => {
    const toName = (last: string) => `everything_that_the_household_owns_${last}`;
    const [LONG, OTHER, INNER] = [toName('pets'), toName('cars'), toName('toys')] as const;
    const form = [
      'survey,,',
      ',type,name',
      ',text,who',
      `,begin_repeat,${LONG}`,
      ',text,pet',
      `,begin_repeat,${INNER}`,
      ',text,toy',
      ',end_repeat,',
      ',end_repeat,',
      `,begin_repeat,${OTHER}`,
      ',text,car',
      ',end_repeat,',
    ];
    const cutNames = (mark: string) => [LONG, INNER, OTHER].map((name, at) => name.slice(0, 27) + mark + at);

    it.each(['~', '_'])('are found by the columns of their sheet, if names are equal before %s', async (mark) => {
      const [pets = '', toys = '', cars = ''] = cutNames(mark);
      const { payload } = await readSurveyFile(readXlsformCsvSurvey, form.join('\n'));
      const file = await writeXlsx({
        Form: [['who'], ['x']],
        [pets]: [
          ['pet', ...CHILD],
          ['Rex', 1, 'Form', 1],
        ],
        [toys]: [
          ['toy', ...CHILD],
          ['ball', 1, LONG, 1],
        ],
        [cars]: [
          ['car', ...CHILD],
          ['van', 1, 'Form', 1],
        ],
      });
      const { responses, warnings } = await readResponseFile(readXlsformTableResponses, file, payload);
      expect(responses).toMatchObject([
        { metadata: { repeats: { [LONG]: [{ pet: 'Rex', [INNER]: [{ toy: 'ball' }] }], [OTHER]: [{ car: 'van' }] } } },
      ]);
      expect(warnings).toEqual([]);
    });

    it('are kept under the names of their sheets if these can be several, with a warning', async () => {
      const [pets = ''] = cutNames('~');
      const { payload } = await readSurveyFile(readXlsformCsvSurvey, form.join('\n'));
      const file = await writeXlsx({
        Form: [['who'], ['x']],
        [pets]: [
          ['note', ...CHILD],
          ['?', 1, 'Form', 1],
        ],
      });
      const { responses, warnings } = await readResponseFile(readXlsformTableResponses, file, payload);
      expect(responses).toMatchObject([{ metadata: { repeats: { [pets]: [{ note: '?' }] } } }]);
      expect(warnings.map(({ code }) => code)).toEqual(['KEPT_AS_METADATA']);
    });
  });

  it('of no submission cause a warning, as do other sheets', async () => {
    const sheets: Sheets = {
      Form: [
        ['who', '_index'],
        ['x', 2],
      ],
      kid: [
        ['name', ...CHILD],
        ['Ann', 1, 'Form', 1],
        ['Bob', 2, 'Form', 2],
        ['Cem', 3, 'Form', 9],
      ],
      Notes: [['a'], ['b']],
    };
    const reading = readActivities(await writeXlsx(sheets));
    expect(await repeatsIn(reading)).toEqual([{ kid: [{ name: 'Bob' }] }]);
    expect((await reading).warnings.map(({ detail }) => detail)).toEqual([
      'The sheet Notes is not imported: it has no columns _parent_table_name and _parent_index',
      'row 2: _index is not an answer and is kept in the metadata',
      'Rows of the sheet kid are not imported: their _parent_index is not that of a submission',
    ]);
  });

  it('above the limits are reported as such', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => at + 1);
    const sheets: Sheets = {
      Form: [['who'], ['x']],
      kid: [['name', ...CHILD], ...many.map((at) => ['n', at, 'Form', 1])],
    };
    const rows = many.map((at) => `n,uuid:1,uuid:1/kid[${at}]`).join('\n');
    const files = { 'f.csv': 'who,KEY\nx,uuid:1\n', 'f-kid.csv': `name,PARENT_KEY,KEY\n${rows}` };
    for (const file of [await writeXlsx(sheets), await writeZip(files)]) {
      const { warnings } = await readActivities(file);
      const details = warnings.map(({ detail }) => detail).filter((detail) => detail.startsWith('Rows'));
      expect(details).toEqual([expect.stringMatching(/not imported: a repeat can have 10000 rows/)]);
    }
  });

  it('in sheets that count from 0 belong to the right submission', async () => {
    const sheets: Sheets = {
      Form: [
        ['who', '_index', '_parent_table_name', '_parent_index'],
        ['x', 0, '', -1],
        ['y', 1, '', -1],
      ],
      kid: [
        ['kid/name', '_index', '_parent_table_name', '_parent_index'],
        ['Ann', 0, 'Form', 0],
        ['Bob', 1, 'Form', 1],
        ['Cem', 2, 'Form', ''],
      ],
    };
    const reading = readActivities(await writeXlsx(sheets));
    expect(await repeatsIn(reading)).toEqual([{ kid: [{ name: 'Ann' }] }, { kid: [{ name: 'Bob' }] }]);
    expect((await reading).warnings.map(({ code }) => code)).toContain('NOT_IMPORTED');
  });

  it('can have names of prototype members and large numbers', async () => {
    const csv = 'who,kid[999999999]/__proto__,__proto__[1]/constructor,kid[0]/name\nx,a,b,c\n';
    const [repeats] = await repeatsIn(readActivities(csv));
    expect(JSON.stringify(repeats)).toBe('{"kid":[{"name":"c"},{"__proto__":"a"}],"__proto__":[{"constructor":"b"}]}');
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
  const { stored } = await readResponseFile(readXlsformTableResponses, 'q\nother\nTwo\n', survey.payload);
  expect(stored).toEqual([{ q: '1' }, { q: '2' }]);
});

describe('submissions to a table', () => {
  const readTables = (contents: string | Uint8Array) =>
    readResponseFile(readXlsformTableResponses, contents, tables.payload);
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
    expect(responses).toMatchObject([{ answers: renewed.renameIdsInAnswers(before.answers) }]);
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
      readXlsformTableResponses,
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
    await readResponseFile(readXlsformTableResponses, file('central.csv'), renewed.payload),
  ];
  const [first] = before.responses;
  if (first === undefined || !('answers' in first)) throw new Error('rejected');
  expect(after.responses[0]).toMatchObject({ answers: renewed.renameIdsInAnswers(first.answers) });
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
