import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { lss, table } from '../testing/write-lss.ts';
import { readLimesurveyCsvResponses, readLimesurveyJsonResponses } from './responses.ts';
import { readLimesurveySurvey } from './survey.ts';

const file = (name: string) => fixture(import.meta.url, name);
const { payload } = await readSurveyFile(readLimesurveySurvey, file('kinds.lss'));
const readCsv = (contents: string | Uint8Array) => readResponseFile(readLimesurveyCsvResponses, contents, payload);
const readJson = (contents: string | Uint8Array) => readResponseFile(readLimesurveyJsonResponses, contents, payload);

const ANSWERS = {
  single: { option: 'other', text: 'Brunch' },
  commented: 'A2',
  commented_comment: 'Too salty',
  yesno: 'Y',
  five: 4,
  many: { options: ['tea'], other: 'Juice' },
  reasons: { options: ['a'], other: 'Habit' },
  reasons_acomment: 'nice',
  reasons_othercomment: 'old one',
  short: '1234',
  number: '3.5',
  whole: '42',
  long: 'line one\nline two',
  names_first: 'Ada',
  names_last: 'Byron',
  amounts_x: '12',
  slides_x: 7.5,
  day: '2024-02-29',
  hour: '09:30',
  both: '2024-02-29',
  both_time: '17:45:10',
  a5: { SQ1: '5', SQ2: '1' },
  yun: { SQ1: 'U' },
  flex: { SQ1: 'g' },
  byCol: { SQ2: 'b' },
  dual_1: { SQ1: 'b' },
  dual_2: { SQ1: '1' },
  numbers_r_c1: 3,
  boxes_r_c: '2.5',
  checks: { SQ1: ['c1'] },
  words_r_c: 'hm',
  rank: { t: '2', w: '1' },
};

describe('LimeSurvey responses in CSV', () => {
  it('are read with codes in the cells', async () => {
    const { responses, stored, failures, warnings } = await readCsv(file('responses-codes.csv'));
    expect(stored).toEqual([ANSWERS, { single: 'A1' }]);
    expect(responses[0]).toMatchObject({
      id: '7',
      startedAt: new Date('2024-03-01T10:00:00Z'),
      completedAt: new Date('2024-03-01T10:05:00Z'),
      language: 'en',
      metadata: { ipaddr: '192.0.2.1', seed: '12345', lastpage: '4', source_data: { 'files[filecount]': '0' } },
    });
    expect(responses[2]).toMatchObject({ id: '9', startedAt: undefined, completedAt: undefined });
    expect(failures).toEqual(['UNFINISHED in_progress']);
    expect(warnings.map(({ code, detail }) => `${code} ${detail.slice(0, 40)}`)).toEqual([
      'KEPT_AS_SOURCE_DATA files is not an answer and is kept in th',
      'KEPT_AS_SOURCE_DATA files[filecount] is not an answer and is',
      'KEPT_AS_SOURCE_DATA sum is not an answer and is kept in the ',
      'NOT_IMPORTED Columns with durations are not imported:',
      'TIME_ZONE_ASSUMED The file has no time zone, so its times ',
    ]);
  });

  it('are read with texts in the cells, and semicolons between them', async () => {
    const { stored, failures } = await readCsv(file('responses-texts.csv'));
    expect([stored, failures]).toEqual([[{ ...ANSWERS, single: 'A2' }], []]);
  });

  it('are read with all forms of headings', async () => {
    const csv = 'id,yesno. Yes or no?,many_tea,dual_SQ1_2\n1,N,Yes,Never\n';
    const { stored } = await readCsv(csv);
    const { responses } = await readCsv(csv);
    expect(stored).toEqual([]); // single is required
    expect(responses).toMatchObject([{ answers: { yesno: 'N', many: ['tea'], dual_2: { SQ1: '2' } } }]);
  });

  it('are read with headings of code and text, also about the response', async () => {
    const csv =
      '"id. Response ID","submitdate. Date submitted","single. Which meal?"\n"1","2024-03-01 10:05:00","A1"\n"2","","A1"\n';
    const { responses, failures, warnings } = await readCsv(csv);
    expect(responses[0]).toMatchObject({ id: '1', completedAt: new Date('2024-03-01T10:05:00Z') });
    expect(failures).toEqual(['UNFINISHED in_progress']);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
  });

  it('have times in the zone of the import', async () => {
    const csv = 'id,submitdate,single\n1,2024-07-01 12:00:00,A1\n';
    const options = { ...DETECT_ALL, timeZone: 'Europe/Berlin' };
    const { responses, warnings } = await readResponseFile(
      readLimesurveyCsvResponses,
      csv,
      payload,
      undefined,
      options,
    );
    expect(responses).toMatchObject([{ completedAt: new Date('2024-07-01T10:00:00Z') }]);
    expect(warnings).toEqual([]);
  });

  it('can have dates as a spreadsheet writes them, and tabs between the cells', async () => {
    const rows = ['id\tsubmitdate\tsingle\tday\tboth', '1\t29.02.2024 10:05\tA1\t29.02.2024\t1.3.2024 17:45:10'];
    const { stored, responses } = await readCsv(Buffer.from(`\uFEFF${rows.join('\r\n')}`, 'utf16le'));
    expect(stored).toEqual([{ single: 'A1', day: '2024-02-29', both: '2024-03-01', both_time: '17:45:10' }]);
    expect(responses).toMatchObject([{ completedAt: new Date('2024-02-29T10:05:00Z') }]);
  });

  it('match questions and options after the ids were renewed', async () => {
    let last = 0;
    const renewed = renewIds(payload, () => `new-${last++}`);
    const contents = file('responses-codes.csv');
    const { stored } = await readResponseFile(readLimesurveyCsvResponses, contents, renewed.payload);
    expect(stored[0]).toEqual(renewed.renameIdsInAnswers(ANSWERS));
  });

  it('are rejected one by one, with the row', async () => {
    const csv =
      'id,submitdate,single,many[tea]\n1,yesterday,A1,\n2,2024-01-01 10:00:00,A1,,,x\n3,2024-01-01 10:00:00,A9,Maybe\n4,2024-01-01 10:00:00,A1,Y\n';
    const { failures } = await readCsv(csv);
    expect(failures).toEqual([
      'BAD_TIME submitdate submitdate must be a time such as YYYY-MM-DD HH:MM:SS',
      'TOO_MANY_CELLS row 3: the row has 6 cells, but there are 4 columns',
      expect.stringMatching(/^UNKNOWN_OPTION \/data\/single/),
      expect.stringMatching(/^UNKNOWN_OPTION \/data\/many/),
    ]);
  });

  it('can be masked against formulas', async () => {
    const reading = readResponseFile(readLimesurveyCsvResponses, "id,single,long\n1,A1,'=1+1\n", payload, true);
    expect((await reading).stored).toEqual([{ single: 'A1', long: '=1+1' }]);
  });

  it.each([
    ['nothing', '', 'BAD_HEADER'],
    ['other columns', 'a,b\n1,2\n', 'BAD_HEADER'],
    ['only columns of the response', 'id,submitdate\n1,2024-01-01\n', 'BAD_HEADER'],
    ['a column twice', 'yesno,yesno\nY,N\n', 'BAD_HEADER'],
    ['a quote without end', 'yesno\n"Y\n', 'BAD_CSV'],
    ['no text', Buffer.from([0x81, 0x61]), 'BAD_ENCODING'],
  ])('are rejected as a file with %s', async (_case, contents, code) => {
    expect(await rejectionOf(readCsv(contents))).toMatchObject([{ code }]);
  });
});

describe('LimeSurvey responses in JSON', () => {
  it('are read', async () => {
    const { responses, stored, failures } = await readJson(file('responses.json'));
    expect(stored).toEqual([ANSWERS]);
    expect(responses.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(failures).toEqual(['UNFINISHED in_progress', 'WRONG_TYPE The response must be an object']);
  });

  it('are read from older files with an object for each response', async () => {
    const { stored, failures } = await readJson(file('responses-by-id.json'));
    expect([stored, failures]).toEqual([[ANSWERS], []]);
  });

  it('can be an empty list', async () => {
    expect((await readJson('{"responses": []}')).responses).toEqual([]);
  });

  it.each([
    ['no JSON', '{', 'BAD_JSON'],
    ['no responses', '{"a": []}', 'WRONG_TYPE'],
    ['responses that are no list', '{"responses": {}}', 'WRONG_TYPE'],
  ])('are rejected as a file with %s', async (_case, contents, code) => {
    expect(await rejectionOf(readJson(contents))).toMatchObject([{ code }]);
  });

  it('accept names of prototype members', async () => {
    const text = '{"responses": [{"constructor": 1, "toString": {}, "single": "A1", "many[tea]": true}]}';
    const { responses } = await readJson(text);
    expect(responses).toMatchObject([{ answers: { single: 'A1' } }]);
  });
});

describe('built-in answers of LimeSurvey', () => {
  const DATE = '2024-01-01 10:00:00';
  const rowsOf = (header: string, ...rows: readonly string[]) =>
    `id,submitdate,${header}\n${rows.map((row, index) => `${index + 1},${DATE},${row}\n`).join('')}`;
  const answersIn = async (csv: string, own = payload) => {
    const { responses } = await readResponseFile(readLimesurveyCsvResponses, csv, own);
    return responses.map((response) => {
      if (!('answers' in response)) return response.code;
      return response.unread?.[0]?.code ?? response.answers;
    });
  };

  it('are read in other languages, and N/A means no answer', async () => {
    const csv = rowsOf('yesno,many[tea],many[water],single', 'Ja,Nein,N/A,Lunch', 'N/A,Ja,N/A,Lunch');
    expect(await answersIn(csv)).toEqual([
      { yesno: 'Y', single: 'A2' },
      { many: ['tea'], single: 'A2' },
    ]);
  });

  it.each([
    ['Ja', 'Y'],
    ['non', 'N'],
    ['Unsicher', 'U'],
    ['Y', 'Y'],
    ['Uncertain', 'U'],
  ])('are read in the rows of an array: %s', async (word, code) => {
    expect(await answersIn(rowsOf('yun[SQ1]', word, 'N/A'))).toEqual([{ yun: { SQ1: code } }, {}]);
  });

  it.each([
    ['Zunahme', 'I'],
    ['Igual', 'S'],
    ['Diminution', 'D'],
    ['mehr', 'mehr'],
  ])('are read in the rows of an array of changes: %s', async (word, code) => {
    expect(await answersIn(rowsOf('isd[SQ1]', word))).toEqual([{ isd: { SQ1: code } }]);
  });

  it('reject the file, with advice, if no word is known', async () => {
    const csv = rowsOf('yesno,many[tea],single', 'Jawohl,Nö,Lunch', 'Jawohl,Jawohl,Lunch');
    expect(await rejectionOf(readCsv(csv))).toEqual([
      { path: '', code: 'UNKNOWN_WORDS', detail: expect.stringMatching(/^yesno: .*answer codes$/) },
      { path: '', code: 'UNKNOWN_WORDS', detail: expect.stringMatching(/^many: /) },
    ]);
    const json = JSON.stringify({ responses: [{ id: 1, yesno: 'Jawohl' }] });
    expect(await rejectionOf(readJson(json))).toMatchObject([{ code: 'UNKNOWN_WORDS' }]);
  });

  it('are not confused with comments, and answers are in no message', async () => {
    const header = 'single,reasons[a],reasons[acomment],reasons[othercomment]';
    const csv = rowsOf(header, 'Lunch,Yes,My knee hurts,', 'Lunch,N/A,,Because of Ada');
    expect(await answersIn(csv)).toMatchObject([
      { reasons: ['a'], reasons_acomment: 'My knee hurts' },
      { reasons_othercomment: 'Because of Ada' },
    ]);
    expect(await answersIn(rowsOf('single,reasons[acomment]', 'Lunch,My knee hurts'))).toMatchObject([
      { reasons_acomment: 'My knee hurts' },
    ]);
    // A comment that equals a built-in word does not count.
    const odd = rowsOf(header, 'Lunch,Jawohl,Ja,', 'Lunch,Nö,My knee hurts,');
    const rejected = await rejectionOf(readCsv(odd));
    expect(rejected).toMatchObject([{ code: 'UNKNOWN_WORDS', detail: expect.stringMatching(/^reasons: /) }]);
    expect(JSON.stringify(rejected)).not.toMatch(/Jawohl|Nö|knee/);
  });

  it('read 2 as No, not as an option 2', async () => {
    const file = lss(
      [{ type: 'M' }],
      table('subquestions', [{ qid: '9', parent_qid: '1', title: '2', question: 'Two', language: 'en' }]),
    );
    const survey = await readSurveyFile(readLimesurveySurvey, file);
    expect(await answersIn(rowsOf('Q1[2]', '2', '1'), survey.payload)).toEqual([{}, { Q1: ['2'] }]);
  });

  it('are read by the wording of the file; ambiguous cells are rejected', async () => {
    const answers = [
      { qid: '1', code: '1', answer: '3', sortorder: '1', language: 'en' },
      { qid: '1', code: '3', answer: '1', sortorder: '2', language: 'en' },
      { qid: '1', code: 'A', answer: 'None', sortorder: '3', language: 'en' },
    ];
    const survey = await readSurveyFile(readLimesurveySurvey, lss([{ type: 'L' }], table('answers', answers)));
    expect(await answersIn(rowsOf('Q1', '1', 'A', 'None'), survey.payload)).toEqual([
      'AMBIGUOUS_ANSWER',
      { Q1: 'A' },
      { Q1: 'A' },
    ]);
    const { responses } = await readResponseFile(readLimesurveyCsvResponses, rowsOf('Q1', '1'), survey.payload);
    expect(responses).toMatchObject([
      {
        unread: [
          {
            name: 'Q1',
            code: 'AMBIGUOUS_ANSWER',
            detail: 'column Q1: the cell could mean 1 or 3; export the responses with answer codes',
            value: '1',
          },
        ],
      },
    ]);
    expect(await answersIn(rowsOf('Q1', '1', 'A'), survey.payload)).toEqual([{ Q1: '1' }, { Q1: 'A' }]);
    expect(await answersIn(rowsOf('Q1', '1', 'None'), survey.payload)).toEqual([{ Q1: '3' }, { Q1: 'A' }]);
    expect(await answersIn(rowsOf('Q1', '1'), survey.payload)).toEqual(['AMBIGUOUS_ANSWER']);
  });

  it('use the text Other for an "other" without text', async () => {
    expect(await answersIn(rowsOf('single', '-oth-', 'Other'))).toEqual([
      { single: { option: 'other', text: 'Other' } },
      { single: { option: 'other', text: 'Other' } },
    ]);
  });

  it('have the text of a choice that has only "other"', async () => {
    const survey = await readSurveyFile(readLimesurveySurvey, lss([{ type: 'L', other: 'Y' }]));
    expect(survey.questions.get('Q1')).toMatchObject({ type: 'text' });
    const csv = 'id,Q1,Q1[other]\n1,-oth-,Brunch\n2,-oth-,\n3,,\n';
    const { responses, warnings } = await readResponseFile(readLimesurveyCsvResponses, csv, survey.payload);
    expect(responses).toMatchObject([{ answers: { Q1: 'Brunch' } }, { answers: { Q1: 'Other' } }, { answers: {} }]);
    expect(warnings).toEqual([]);
  });

  it.each(['M', 'P'])('have the text of a multiple choice %s that has only "other"', async (type) => {
    const survey = await readSurveyFile(readLimesurveySurvey, lss([{ type, other: 'Y' }]));
    expect(survey.codes).toEqual([]);
    expect(await answersIn('id,Q1[other]\n1,Brunch\n', survey.payload)).toEqual([{ Q1: 'Brunch' }]);
    const comment = {
      question_id: 'Q1_othercomment',
      conditions: [{ source_question: 'Q1', operator: 'is_answered' }],
    };
    expect(survey.survey['logic'] ?? []).toMatchObject(type === 'P' ? [comment] : []);
  });

  it('are read for questions with names of prototype members', async () => {
    const rows = ['A1', 'A2'].map((code) => ({ code, answer: code, language: 'en' }));
    const answers = ['1', '2'].flatMap((qid) => rows.map((row) => ({ ...row, qid })));
    const questions = [
      { type: 'R', title: 'constructor' },
      { type: 'L', title: 'valueOf', other: 'Y' },
    ];
    const survey = await readSurveyFile(readLimesurveySurvey, lss(questions, table('answers', answers)));
    const cells = { constructor: '["A2","A1"]', 'valueOf[other]': 'Brunch' };
    const json = JSON.stringify({ responses: [{ id: 1, submitdate: DATE, ...cells }] });
    const { responses } = await readResponseFile(readLimesurveyJsonResponses, json, survey.payload);
    const [first] = responses;
    expect(first && 'answers' in first && Object.entries(first.answers)).toEqual([
      ['constructor', { A2: '1', A1: '2' }],
      ['valueOf', { option: 'other', text: 'Brunch' }],
    ]);
    expect(first).not.toHaveProperty('unassigned.0');
  });

  it.each([
    ['x', ['tea']],
    ['Checked', ['tea']],
    ['not selected', undefined],
  ])('can be %s in the columns of options', async (word, many) => {
    const answers = many === undefined ? {} : { many };
    expect(await answersIn(rowsOf('single,many[tea]', `A1,${word}`))).toEqual([{ single: 'A1', ...answers }]);
  });

  it('keep the N/A of a respondent, but not that of a question without an answer', async () => {
    const csv = rowsOf('single,single[other]', '-oth-,N/A', 'N/A,N/A', 'A1,N/A');
    const single = [{ option: 'other', text: 'N/A' }, undefined, 'A1'];
    expect(await answersIn(csv)).toEqual(single.map((one) => (one === undefined ? {} : { single: one })));
  });

  it('keep an unknown code beside a leftover text of "other"', async () => {
    const csv = rowsOf('single,single[other]', 'A1,', 'A9,Brunch', ',Brunch', '-oth-,Brunch');
    const { responses } = await readCsv(csv);
    const other = { option: 'other', text: 'Brunch' };
    const unassigned = [{ column: 'single.other', code: 'NOT_AN_ANSWER', value: 'Brunch' }];
    expect(responses).toMatchObject([
      { answers: { single: 'A1' } },
      { answers: { single: 'A9' }, unassigned },
      { answers: { single: other } },
      { answers: { single: other } },
    ]);
    // In texts, it can be the word for "other".
    expect(await answersIn(rowsOf('single,single[other]', 'Lunch,', 'Sonstiges,Brunch'))).toMatchObject([
      {},
      { single: other },
    ]);
  });

  it('pass an undeclared language on, and remove too long metadata', async () => {
    const csv = `id,single,startlanguage,refurl\n1,A1,EN,a\n2,A1,fr,b\n3,A1,en,${'x'.repeat(16 * 1024)}\n`;
    const { responses, warnings } = await readCsv(csv);
    expect(responses).toMatchObject([
      { language: 'EN', metadata: { refurl: 'a' } },
      { language: 'fr', metadata: { refurl: 'b' } },
      { language: 'en', metadata: undefined },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['NOT_IMPORTED']);
  });
});
