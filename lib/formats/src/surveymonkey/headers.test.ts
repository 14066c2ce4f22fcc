import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { planImport } from '../plans/plan-import.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readSurveyMonkeyTable } from './headers.ts';
import { readSurveyMonkeySurvey } from './survey.ts';

const survey = readSurveyFile(readSurveyMonkeySurvey, fixture(import.meta.url, 'details.json'));
const expanded = fixture(import.meta.url, 'expanded.csv').toString();

describe('a table of SurveyMonkey with two header rows', () => {
  it('has the answers of a survey from the API', async () => {
    const { responses, stored, failures, warnings } = await readResponseFile(
      readSurveyMonkeyTable,
      expanded,
      (await survey).payload,
    );
    expect(failures).toEqual([]);
    expect(responses[0]).toMatchObject({
      index: 0,
      row: 3,
      id: '9001',
      startedAt: new Date('2024-05-01T08:00:00Z'),
      completedAt: new Date('2024-05-01T08:30:00Z'),
      metadata: {
        collector_id: '77',
        ip_address: '192.0.2.7',
        email_address: 'zoe@example.com',
        first_name: 'Zoë',
        custom_value: 'room 4',
        Upload: 'https://example.com/1',
        Region: 'North',
      },
      unassigned: [
        { column: 'Upload', code: 'UNKNOWN_COLUMN', keptAs: ['Upload'] },
        { column: 'Region', code: 'UNKNOWN_COLUMN', keptAs: ['Region'] },
      ],
    });
    expect(stored).toEqual([
      {
        1: { option: 'other', text: 'Green' },
        2: '22',
        '2_comment': 'Too high',
        3: ['31', '33'],
        4: 'Zoë',
        5: 45,
        7: 'zoe@example.com',
        8: '1999-12-31',
        9: 'No.\nNothing.',
        '10_102': 'two',
        '11_111': '3',
        '11_112': '4',
        12: { 122: '124' },
        13: { 131: '134' },
        14: 3,
        15: { 151: ['152', '153'] },
        '15_comment': 'And at noon',
        16: { 161: '164', 162: '163' },
        '17_172': { 171: '174' },
        '17_175': { 171: '176' },
        '18_181_date': '2023-12-31',
        '18_181_time': '22:05',
        '19_191': '00:15',
        '20_201': 'Zoë',
        23: '233',
      },
      expect.objectContaining({ 3: { options: ['32'], other: 'Stew' }, 14: 2, '18_181_date': '2024-02-01' }),
    ]);
    expect(warnings.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      'KEPT_AS_METADATA The column Upload is no answer to a question of the survey, and is kept as metadata',
      'KEPT_AS_METADATA The column Contact - City is no answer to a question of the survey, and is kept as metadata',
      'KEPT_AS_METADATA The column Region is no answer to a question of the survey, and is kept as metadata',
      'TIME_ZONE_ASSUMED The file has no time zone, so its times are read as UTC; set time_zone, such as Europe/Berlin',
    ]);
  });
});

it('a question for date and time can have only one of them', async () => {
  const text = 'Respondent ID,Arrival - At,Birthday\n1,31/12/2023,12/30/1999\n2,10:05 PM,10:05 PM\n';
  const { responses } = await readResponseFile(readSurveyMonkeyTable, text, (await survey).payload);
  expect(responses).toMatchObject([
    { answers: { '18_181_date': '2023-12-31', 8: '1999-12-30' } },
    { answers: { '18_181_time': '22:05', 8: '10:05 PM' } },
  ]);
});

/** A survey made by hand, with the texts of the tables below. */
const own = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Canteen',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          {
            id: 'meal',
            type: 'single_choice',
            title: 'Main dish?',
            options: ['Soup', 'Other dish'],
            allow_other: true,
          },
          { id: 'sides', type: 'multiple_choice', title: 'Sides?', options: ['Rice', 'No', 'Peas'], allow_other: true },
          { id: 'why', type: 'text', title: 'Why?' },
          { id: 'agree', type: 'likert', title: 'I like', options: ['no', 'yes'], rows: ['The cook', 'The price'] },
          { id: 'again', type: 'text', title: 'Why?' },
          { id: 'email', type: 'text', title: 'Email Address' },
          { id: 'stars', type: 'rating', title: 'Stars', max: 5, labels: { 1: 'Poor', 5: 'Great' } },
        ],
      },
    ],
  },
};
const read = (text: string | Uint8Array, payload: Parameters<typeof readResponseFile>[2] = own) =>
  readResponseFile(readSurveyMonkeyTable, text, payload);

describe('a table of SurveyMonkey for a survey made otherwise', () => {
  it('keeps unknown columns with equal headings under different names', async () => {
    const { responses } = await read('Respondent ID,Why not?,Note,Note,Note (2)\n1,x,a,b,c\n', {
      schema_version: '1.0',
      version: 1,
      survey: { title: 'T', pages: [{ questions: [{ id: 'why', type: 'text', title: 'Why not?' }] }] },
    });
    expect(responses).toMatchObject([{ metadata: { Note: 'a', 'Note (2)': 'b', 'Note (2) (2)': 'c' } }]);
  });

  it.each([
    ['stars, where blank cells are no answer', { 1: '*', 5: '*****' }, ['*****', '', '*'], ['5', undefined, '1']],
    ['a list', ['Bad', 'Good'], ['good', 'Bad', '3'], ['2', '1', '3']],
    ['the same text twice', { 1: 'Odd', 2: 'odd', 3: 'Odd' }, ['Odd', 'odd', 'ODD'], ['Odd', '2', 'ODD']],
  ])('reads labels of a rating: %s', async (_case, labels, cells, answers) => {
    const rating = { id: 'stars', type: 'rating', title: 'Stars', max: 5, labels };
    const name = { id: 'name', type: 'text', title: 'Your name' };
    const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions: [rating, name] }] };
    const rows = cells.map((cell, at) => `${at},Zoe,${cell}`);
    const { responses } = await read(['Respondent ID,Your name,Stars', ...rows].join('\n'), {
      schema_version: '1.0',
      version: 1,
      survey,
    });
    expect(responses.map((response) => ('answers' in response ? response.answers['stars'] : response))).toEqual(
      answers,
    );
  });

  const headings = [
    [
      'RespondentID',
      'Start Date',
      'Email Address',
      'Main dish?',
      '',
      'Sides?',
      '',
      '',
      '',
      'Why?',
      'I like',
      '',
      'Why?',
      'Email Address',
      'Stars',
    ],
    [
      '',
      '',
      '',
      'Antwort',
      'Anderes (bitte angeben)',
      'Rice',
      'No',
      'Peas',
      'Sonst noch etwas',
      'Freitext',
      'The cook',
      'The price',
      'Freitext',
      '',
      '★',
    ],
  ];
  const row = [
    '1',
    '2024-05-01 10:00:00',
    'a@b.example',
    'Soup',
    '',
    'Rice',
    'No',
    '',
    'Beans',
    'x',
    'yes',
    'NO',
    'y',
    'c@d.example',
    'Great',
  ];
  const answers = {
    meal: 'Soup',
    sides: { options: ['Rice', 'No'], other: 'Beans' },
    why: 'x',
    agree: { 'The cook': 'yes', 'The price': 'no' },
    again: 'y',
    email: 'c@d.example',
    stars: 5,
  };

  it('is read in any language, with the same title twice', async () => {
    const { responses, stored, failures } = await read(toCsv([...headings, row]));
    expect([stored, failures]).toEqual([[answers], []]);
    expect(responses[0]).toMatchObject({ id: '1', metadata: { email_address: 'a@b.example' } });
  });

  it('is read from a workbook', async () => {
    const { stored, failures } = await read(await writeXlsx({ Sheet: [...headings, row] }));
    expect([stored, failures]).toEqual([[answers], []]);
  });

  it('is read with one header row, and a column that shows whether other was chosen', async () => {
    const other = ['Sides? - Other (please specify)', 'Sides? - Other (please specify)'];
    const text = toCsv([
      [
        'Respondent ID',
        'Main dish?',
        'Main dish? - Other (please specify)',
        'Sides? - Rice',
        'Sides? - Peas',
        ...other,
      ],
      ['1', 'Other (please specify)', 'Stew', 'Rice', '', 'Other (please specify)', 'Beans'],
      ['2', 'Other (please specify)', '', '', 'Peas', 'Other (please specify)', ''],
      ['3', 'Soup', '', '', '', '', ''],
    ]);
    const { stored, failures, warnings } = await read(text);
    expect([stored, failures, warnings]).toEqual([
      [
        { meal: { option: 'other', text: 'Stew' }, sides: { options: ['Rice'], other: 'Beans' } },
        { meal: { option: 'other', text: 'Other' }, sides: { options: ['Peas'], other: 'Other' } },
        { meal: 'Soup' },
      ],
      [],
      [],
    ]);
  });

  it('is read with a column for each question', async () => {
    const text = toCsv([
      ['Respondent ID', 'Main dish?', 'Sides?', 'Stars'],
      ['', 'Response', 'Response', ''],
      ['1', 'Stew', 'Rice, Peas, Beans', '3'],
    ]);
    expect(await read(text)).toMatchObject({
      stored: [
        { meal: { option: 'other', text: 'Stew' }, sides: { options: ['Rice', 'Peas'], other: 'Beans' }, stars: 3 },
      ],
      failures: [],
      warnings: [],
    });
  });

  it('fails in the row with a choice that the survey does not have', async () => {
    const text = toCsv([headings[0] ?? [], headings[1] ?? [], row.with(3, 'Cake'), row.with(10, 'maybe')]);
    expect((await read(text)).failures).toEqual([
      expect.stringMatching(/^UNKNOWN_OPTION \/data\/meal/),
      expect.stringMatching(/^UNKNOWN_OPTION \/data\/agree/),
    ]);
  });

  it('is rejected if no title is known, or one can be of several questions', async () => {
    const unknown = await rejectionOf(read('Respondent ID,When?\n,Response\n1,x\n'));
    expect(unknown[0]?.detail).toMatch(/^row 1: no column names a question of the survey/);
    const [ambiguous] = await rejectionOf(read('Respondent ID,Why?,Stars\n1,x,2\n'));
    expect(ambiguous?.detail).toBe('row 1, column Why?: the column can be why, again; name its question with columns');
  });

  it('can have other targets by the option columns', async () => {
    const table = {
      ...DETECT_ALL,
      columns: [
        { heading: 'Why?', target: 'again' },
        { heading: 'Floor', target: 'why' },
      ],
    };
    const { responses, warnings } = await readResponseFile(
      readSurveyMonkeyTable,
      'Respondent ID,Why?,Floor\n1,x,second\n',
      own,
      undefined,
      table,
    );
    expect(responses.filter((one) => !isRejected(one))).toMatchObject([{ answers: { again: 'x', why: 'second' } }]);
    expect(warnings).toEqual([]);
  });
});

function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n');
}

it('keeps a choice that the survey no longer has together with a text, and takes the label of other from its column', async () => {
  const text = [
    'Respondent ID,Main dish?,',
    ',Response,Etwas anderes',
    '1,Blue,my note',
    '2,Etwas anderes,Stew',
    '3,Other (please specify),',
    '4,Soup,',
  ];
  const { responses } = await read(text.join('\n'));
  expect(responses).toMatchObject([
    { answers: {}, unread: [{ name: 'meal', value: { meal: 'Blue', 'meal.other': 'my note' } }] },
    { answers: { meal: { option: 'other', text: 'Stew' } } },
    { answers: { meal: { option: 'other' } } },
    { answers: { meal: 'Soup' } },
  ]);
});

describe('a table with numbers in place of the texts of options', () => {
  const HEADER = [
    'Respondent ID,End Date,Which room?,Which floor?,Meals,,,,Rooms,,I liked,Who,,Stars',
    ',,Response,Response,Soup,Bread,Cake,Other,Kitchen,Bath,The food,Adult - Age,Adult - Home,',
  ];
  const numbered = (...rows: readonly string[]) => [...HEADER, ...rows].join('\n');

  it('has the positions of options in a survey from the API', async () => {
    const { failures, responses } = await read(
      numbered('1,05/13/2024 08:00:00 AM,2,1,1,,3,,2,1,,2,1,3', '2,05/14/2024 08:00:00 AM,1,2,,2,,Stew,,2,,1,,'),
      (await survey).payload,
    );
    // The table has only some of the columns.
    expect(failures.filter((failure) => !failure.startsWith('REQUIRED'))).toEqual([]);
    expect(responses.map((response) => 'answers' in response && response.answers)).toEqual([
      {
        1: '12',
        2: '21',
        3: ['31', '33'],
        12: { 121: '124', 122: '123' },
        14: '3',
        '17_172': { 171: '174' },
        '17_175': { 171: '176' },
      },
      { 1: '11', 2: '22', 3: { options: ['32'], other: 'Stew' }, 12: { 122: '124' }, '17_172': { 171: '173' } },
    ]);
    expect(responses).toMatchObject([{ id: '1' }, { id: '2' }]);
  });

  it.each([
    [
      'a number of no option',
      '1,,3,,,,,,,,,,,',
      'row 3, column Which room\\?: .* the question has the options 1 to 2; export',
    ],
    ['a number of other', '1,,0,,,,,,,,,,,', 'options 1 to 2'],
    ['weights that are no positions', '1,,2,,,,,,,,2,,,', 'column I liked: .* other weights than their positions'],
  ])('is rejected with advice: %s', async (_, row, detail) => {
    expect(await rejectionOf(read(numbered(row), (await survey).payload))).toEqual([
      { path: '', code: 'NUMBERED_OPTIONS', detail: expect.stringMatching(new RegExp(detail)) },
    ]);
  });

  it('is rejected if several are in a cell, options are hidden, or their order is unknown', async () => {
    const several = 'Respondent ID,Which room?,Meals\n1,2,"1, 3"\n';
    expect(await rejectionOf(read(several, (await survey).payload))).toMatchObject([
      { code: 'NUMBERED_OPTIONS', detail: expect.stringContaining('several can be in a cell') },
    ]);
    const one = 'Respondent ID,Which room?\n1,2\n';
    const { payload } = await survey;
    const hidden = JSON.parse(JSON.stringify(payload).replace('"text":"Blue"', '"text":"Blue","inactive":true'));
    expect(await rejectionOf(read(one, hidden))).toMatchObject([
      { detail: expect.stringContaining('some options are hidden; export again with "Actual answer text"') },
    ]);
    expect(await rejectionOf(read('Respondent ID,Main dish?\n1,2\n'))).toMatchObject([
      { detail: expect.stringContaining('only known for a survey that was imported') },
    ]);
  });

  it('has texts if one cell has the text of an option', async () => {
    const { stored } = await read('Respondent ID,Main dish?,Sides?\n1,2,Rice\n2,Soup,\n');
    expect(stored).toEqual([{ meal: { option: 'other', text: '2' }, sides: ['Rice'] }, { meal: 'Soup' }]);
  });

  it('shows its problem in a plan', async () => {
    const { payload } = await survey;
    const found = await planImport(fileOf(numbered('1,,3,,,,,,,,,,,')), {
      given: { source: 'surveymonkey' },
      filename: '',
      survey: { payload, definition: compile(payload) },
      unmask: undefined,
      table: DETECT_ALL,
      isPartial: false,
    });
    expect(found.problems).toMatchObject([{ code: 'NUMBERED_OPTIONS' }]);
  });
});

describe('options with numbers as texts', () => {
  const options = (...texts: readonly string[]) =>
    texts.map((text, at) => ({ id: `9${at}`, text, source_data: { source_id: `9${at}` } }));
  const withOptions = {
    ...own,
    survey: {
      ...own.survey,
      pages: [
        {
          questions: [
            { id: 'year', type: 'single_choice', title: 'Year?', options: options('2020', '2021', '2022') },
            { id: 'score', type: 'single_choice', title: 'Score?', options: options('3', '2', '1') },
            { id: 'count', type: 'single_choice', title: 'Count?', options: options('1', '2', 'More') },
            { id: 'rank', type: 'single_choice', title: 'Rank?', options: options('1', '2', '3') },
            { id: 'colour', type: 'single_choice', title: 'Colour?', options: options('Red', 'Blue') },
            { id: 'sizes', type: 'multiple_choice', title: 'Sizes?', options: options('2', '1', '1,000') },
            { id: 'sides', type: 'multiple_choice', title: 'Sides?', options: options('Rice', 'Peas') },
          ],
        },
      ],
    },
  };
  const answersIn = async (text: string) => (await read(text, withOptions)).stored;
  const rejected = async (text: string) => (await rejectionOf(read(text, withOptions))).map(({ detail }) => detail);

  it.each([
    ['texts, if one is no position', 'Year?,Score?\n2021,1\n,3\n', [{ year: '91', score: '92' }, { score: '90' }]],
    ['texts, if another column has a text', 'Score?,Colour?\n1,Blue\n', [{ score: '92', colour: '91' }]],
    ['texts, if a later option is marked', 'Score?,Sides? - Peas\n1,Peas\n', [{ score: '92', sides: ['91'] }]],
    ['positions, if another column has one', 'Score?,Colour?\n1,2\n', [{ score: '90', colour: '91' }]],
    ['positions, if one is no text', 'Year?,Score?\n1,1\n', [{ year: '90', score: '90' }]],
    ['both, if they mean the same', 'Score?,Count?,Rank?\n2,1,3\n', [{ score: '91', count: '90', rank: '92' }]],
    [
      'positions beside the same texts',
      'Count?,Rank?\n3,3\n1,1\n',
      [
        { count: '92', rank: '92' },
        { count: '90', rank: '90' },
      ],
    ],
    ['texts with a separator', 'Sizes?,Score?\n"1,000",1\n', [{ sizes: ['92'], score: '92' }]],
  ])('are %s', async (_, text, answers) => {
    expect(await answersIn(text)).toEqual(answers);
  });

  it('are rejected if nothing shows whether numbers are texts or positions', async () => {
    const detail =
      'the numbers in the cells can be texts of options or their positions, and no other column decides; import the JSON';
    expect(await rejected('Score?,Sizes?\n2,1\n1,\n')).toEqual([
      `row 2, column Sizes?: ${detail}`,
      `row 3, column Score?: ${detail}`,
    ]);
    expect(await rejected('Colour?,Sizes?\n2,"2, 1"\n')).toEqual([
      expect.stringMatching(/^row 2, column Sizes\?: .* several can be in a cell; export again/),
    ]);
    expect(await rejected('Colour?,Year?\n2,2021\n')).toEqual([
      expect.stringMatching(/^row 2, column Year\?: .* the question has the options 1 to 3; export again/),
    ]);
  });
});

it('a table with one header row can keep only details that are empty', async () => {
  const read = async (...lines: readonly string[]) =>
    (await readResponseFile(readSurveyMonkeyTable, lines.join('\n'), (await survey).payload)).responses;
  const header = 'Email Address,First Name,Name';
  expect(await read(header, ',,Zoë', ',,Ann')).toMatchObject([{ answers: { 4: 'Zoë' } }, { answers: { 4: 'Ann' } }]);
  expect(await read(header, ',,Open-Ended Response', ',,Ann')).toMatchObject([{ answers: { 4: 'Ann' } }]);
});
