import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, judgeFile, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { qsf } from '../testing/write-qsf.ts';
import { writeZip } from '../testing/write-zip.ts';
import { readQualtricsResponses } from './responses.ts';
import { readQualtricsSurvey } from './survey.ts';

const file = (name: string) => fixture(import.meta.url, name);
const { payload } = await readSurveyFile(readQualtricsSurvey, file('kinds.qsf'));
const read = (contents: string | Uint8Array) => readResponseFile(readQualtricsResponses, contents, payload);

const ANSWERS = {
  QID1: '3',
  QID1_3_TEXT: 'Brunch',
  QID2: ['1', '2'],
  QID2_2_TEXT: 'with milk',
  QID3: '42',
  QID4: 'a@example.com',
  QID5: '2024-02-29',
  QID6: 'line one\nline two',
  QID7_1: 'Ada',
  QID7_2: 'Byron',
  QID8: { 1: '3', 2: '1' },
  QID8_2_TEXT: 'cold',
  QID9: { 1: ['1', '2'] },
  QID10_1_1: '3.50',
  QID11_1: 7.5,
  QID11_2: 0,
  QID12_1: 4,
  QID13: 9,
  QID14: { 1: '2', 2: '1' },
  QID15_1: '60',
  QID16_1: { 1: '2' },
  QID16_2: { 1: ['1'] },
  QID16_3_1_1: 'tasty',
  QID18_1: '2',
  QID21: '1',
};

describe('Qualtrics responses', () => {
  it('are read by the ids in the third row, with values', async () => {
    const { responses, stored, failures, warnings } = await read(file('responses-values.csv'));
    expect(responses[0]).toMatchObject({
      index: 0,
      id: 'R_1',
      startedAt: new Date('2024-03-01T17:00:00Z'),
      completedAt: new Date('2024-03-01T17:05:00Z'),
      language: 'en',
      metadata: { status: '0' },
    });
    expect(stored[0]).toEqual(ANSWERS);
    expect(stored[1]).toEqual({ QID1: '2', QID2: ['3'] });
    expect(responses[2]).toMatchObject({ completedAt: new Date('2024-07-01T16:05:00Z') });
    expect(failures).toEqual(['UNFINISHED in_progress']);
    expect(warnings.map(({ detail }) => detail.split(' is ')[0])).toEqual(['nps_NPS_GROUP', 'photo_Id', 'campaign']);
  });

  it('can have questions that are called like details of a response', async () => {
    const questions = ['status', 'name', 'language'].map((name) => ({
      ...{ id: name, type: 'text', title: name },
      source_data: { source_id: `QID_${name}`, export_tag: name },
    }));
    const { judged } = await judgeFile(
      'qualtrics',
      'csv',
      'StartDate,EndDate,Status,status,name,language\n2026-03-02 10:00:00,2026-03-02 10:05:00,0,a test,Ann,any\n',
      questions,
    );
    expect(judged).toMatchObject([{ answers: { status: 'a test', name: 'Ann', language: 'any' } }]);
  });

  it('have the answers to a question that is called like a detail, if the column has the id of the question', async () => {
    const ids = ['endDate', 'QID3_TEXT'].map((id) => `"{""ImportId"":""${id}""}"`).join(',');
    const { responses } = await read(`EndDate,Name\nEnd Date,How old?\n${ids}\n2026-03-02 10:05:00,42\n`);
    expect(responses).toMatchObject([{ answers: { QID3: '42' } }]);
    expect(responses[0]).not.toHaveProperty('metadata.recipient_name');
  });

  it('are the same with choice texts', async () => {
    const { stored, failures } = await read(file('responses-labels.csv'));
    expect([stored, failures]).toEqual([[ANSWERS], []]);
  });

  it('report the text of an option that is not chosen', async () => {
    const { responses } = await read('StartDate,meal,meal_TEXT\n2024-05-01 10:00:00,10,Leftover\n');
    expect(responses).toMatchObject([
      { answers: { QID1: '1' }, unassigned: [{ column: 'QID1_TEXT', code: 'NOT_AN_ANSWER', value: 'Leftover' }] },
    ]);
  });

  it.each([
    ['with a year of two digits', '3/2/26 10:00,,10'],
    ['without a start', ',2026-03-02 10:00,10'],
    ['without times', ',,10'],
  ])('have their first row below a single header row, %s', async (_, row) => {
    const csv = `StartDate,EndDate,meal\n${row}\n`;
    const table = { ...DETECT_ALL, dateFormat: 'MM/DD/YY' };
    const { responses } = await readResponseFile(readQualtricsResponses, csv, payload, undefined, table);
    expect(responses).toMatchObject([{ index: 0, answers: { QID1: '1' } }]);
  });

  it('do not take an unknown code for the id of an option', async () => {
    // The options 1, 2 and 3 have the codes 10, 20 and 30.
    const { responses, stored } = await read('StartDate,meal,drinks\n2024-05-01 10:00:00,1,\n');
    expect(responses).toMatchObject([{ answers: { QID1: { value: '1' } } }]);
    expect(stored).toEqual([]);
  });

  it('find the rows of a table by the texts of the second row, without import ids', async () => {
    const question = {
      QuestionID: 'QID1',
      DataExportTag: 'Rate',
      QuestionText: 'Rate',
      QuestionType: 'Matrix',
      Selector: 'Likert',
      SubSelector: 'SingleAnswer',
      Choices: { 2: { Display: 'Row A' }, 1: { Display: 'Row B' } },
      ChoiceOrder: ['2', '1'],
      Answers: { 1: { Display: 'bad' }, 2: { Display: 'good' } },
    };
    const own = await readSurveyFile(readQualtricsSurvey, JSON.stringify(qsf([question])));
    const rows = (texts: string) => `StartDate,Rate_1,Rate_2\n${texts}2026-03-02 10:00:00,1,2\n`;
    const answersTo = async (csv: string) =>
      (await readResponseFile(readQualtricsResponses, csv, own.payload)).responses.map(
        (one) => 'answers' in one && one.answers,
      );
    expect(await answersTo(rows('Start Date,Rate - Row A,Rate - Row B\n'))).toEqual([{ QID1: { 2: '1', 1: '2' } }]);
    expect(await answersTo(rows('Start Date,Rate - a,Rate - b\n'))).toEqual([{ QID1: { 1: '1', 2: '2' } }]);
    expect(await answersTo(rows(''))).toEqual([{ QID1: { 1: '1', 2: '2' } }]);
  });

  it.each(['No', 'FALSE', 'nein', '0', '-99'])('do not count %s as a chosen option', async (word) => {
    const { responses } = await read(`StartDate,drinks_1,drinks_2\n2024-05-01 10:00:00,${word},1\n`);
    expect(responses).toMatchObject([{ answers: { QID2: ['2'] } }]);
  });

  it('are read from older files with two header rows', async () => {
    const { responses, stored, warnings } = await read(file('responses-legacy.csv'));
    expect(responses).toMatchObject([{ id: 'R_9', metadata: { response_set: 'Default Response Set' } }]);
    expect(stored).toEqual([
      { QID1: '3', QID1_3_TEXT: 'Supper', QID2: ['1'], QID8: { 1: '3', 2: '2' }, QID8_2_TEXT: 'wet' },
    ]);
    expect(warnings).toMatchObject([{ code: 'TIME_ZONE_ASSUMED' }]);
  });

  it('have times in the zone of the file, or else of the import', async () => {
    const inZone = async (zone: string) => {
      const ids = `"{""ImportId"":""endDate""${zone}}","{""ImportId"":""QID1""}"`;
      const csv = `EndDate,meal\nEnd,Which?\n${ids}\n2024-07-01 12:00:00,1\n`;
      const table = { ...DETECT_ALL, timeZone: 'Asia/Tokyo' };
      const { responses, warnings } = await readResponseFile(readQualtricsResponses, csv, payload, undefined, table);
      expect(warnings).toEqual([]);
      return responses;
    };
    const inDenver = [{ completedAt: new Date('2024-07-01T18:00:00Z') }];
    const inTokyo = [{ completedAt: new Date('2024-07-01T03:00:00Z') }];
    expect(await inZone(',""timeZone"":""America/Denver""')).toMatchObject(inDenver);
    expect(await inZone(',""timeZone"":""Nowhere/Else""')).toMatchObject(inTokyo);
    expect(await inZone('')).toMatchObject(inTokyo);
  });

  it('are read with one header row and several choices in a cell; errors name the row', async () => {
    const { responses, warnings } = await read(file('responses-list.csv'));
    expect(responses).toMatchObject([
      { id: 'R_a', completedAt: new Date('2024-03-01T10:00:00Z'), answers: { QID2: ['"x"'] } },
      { id: 'R_b', answers: { QID2: ['1', '2'] } },
      { id: 'R_c', unread: [{ name: 'EndDate', code: 'BAD_TIME' }] },
      { id: 'R_d', code: 'TOO_MANY_CELLS', detail: expect.stringContaining('row 5') },
      { id: 'R_e', answers: { QID2: ['2', '9'] } },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['KEPT_AS_SOURCE_DATA', 'TIME_ZONE_ASSUMED']);
  });

  it('keep embedded data and other unknown columns in the metadata', async () => {
    const csv = 'ResponseId,StartDate,mail,campaign,segment\nR_1,2024-01-01 00:00,a@example.com,spring,\n';
    const { responses, warnings } = await readResponseFile(readQualtricsResponses, csv, payload);
    expect(responses).toMatchObject([
      {
        metadata: { source_data: { campaign: 'spring' } },
        unassigned: [{ column: 'campaign', code: 'UNKNOWN_COLUMN' }],
      },
    ]);
    expect(warnings.map(({ detail }) => detail)).toContain('campaign is not an answer and is kept in the metadata');
  });

  it('match questions and options after the ids were renewed', async () => {
    let last = 0;
    const renewed = renewIds(payload, () => `new-${last++}`);
    const { stored } = await readResponseFile(readQualtricsResponses, file('responses-values.csv'), renewed.payload);
    expect(stored[0]).toEqual(renewed.renameIdsInAnswers(ANSWERS));
  });

  it('can be masked against formulas', async () => {
    const csv = "ResponseId,StartDate,mail\nR_1,2024-01-01 00:00,'=a@example.com\n";
    const { stored } = await readResponseFile(readQualtricsResponses, csv, payload, true);
    expect(stored).toEqual([]);
    const { responses } = await readResponseFile(readQualtricsResponses, csv, payload, true);
    expect(responses).toMatchObject([{ answers: { QID4: '=a@example.com' } }]);
  });
});

describe('a Qualtrics table', () => {
  const twoOfOneTag = qsf([
    { DataExportTag: 'Q2', QuestionID: 'QID2' },
    { DataExportTag: 'Q2', QuestionID: 'QID3' },
    { DataExportTag: 'Q5', QuestionID: 'QID5' },
  ]);
  const readFile = async (contents: string | Uint8Array) => {
    const survey = await readSurveyFile(readQualtricsSurvey, JSON.stringify(twoOfOneTag));
    return readResponseFile(readQualtricsResponses, contents, survey.payload);
  };

  it.each([
    ['tab', '"ResponseId"\t"Finished"\t"Q5"\n"R_1"\t"1"\t"3"\n'],
    ['semicolon', '"ResponseId";"Finished";"Q5"\r\n"R_1";"1";"3"\r\n'],
  ])('can be separated by a %s', async (_name, contents) => {
    expect((await readFile(contents)).stored).toEqual([{ QID5: '3' }]);
  });

  it('can be a TSV in UTF-16, in a ZIP archive', async () => {
    const rows = [
      ['ResponseId', 'Finished', 'Q5'],
      ['Response ID', 'Finished', 'Why, "exactly"?'],
      ['{"ImportId":"_recordId"}', '{"ImportId":"finished"}', '{"ImportId":"QID5_TEXT"}'],
      ['R_1', '1', 'Because'],
    ];
    const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\n');
    const archive = await writeZip({ 'Survey.tsv': Buffer.from(`\uFEFF${text}\n`, 'utf16le') });
    const { stored, responses } = await readFile(archive);
    expect(stored).toEqual([{ QID5: 'Because' }]);
    expect(responses).toMatchObject([{ id: 'R_1', row: 4 }]);
  });

  it('gives columns of the same name to the questions of this name, in order', async () => {
    expect((await readFile('ResponseId,Finished,Q2,Q2\nR_1,1,10,2\n')).stored).toEqual([{ QID2: '10', QID3: '2' }]);
  });

  it.each([
    ['Q2', 'ResponseId,Q2\nR_1,10\n', 'the column can be of QID2 or QID3; export with the row of import ids'],
    ['Q5', 'ResponseId,Finished,Q5,Q5\nR_1,1,1,2\n', 'the column is duplicate'],
  ])('is rejected if the column %s could be another one', async (name, contents, detail) => {
    const problem = { path: '', code: 'BAD_HEADER', detail: `row 1, column ${name}: ${detail}` };
    expect(await rejectionOf(readFile(contents))).toEqual([problem]);
  });

  it('can have times as a spreadsheet writes them', async () => {
    const { responses } = await readFile(
      'ResponseId,StartDate,EndDate,Q5\nR_1,3/4/2024 9:30,3/14/2024 10:00,x\nR_2,3/15/2024 9:30,,y\n',
    );
    expect(responses).toMatchObject([
      { startedAt: new Date('2024-03-04T09:30:00Z'), completedAt: new Date('2024-03-14T10:00:00Z') },
      { startedAt: new Date('2024-03-15T09:30:00Z') },
    ]);
  });
});

describe('a file without responses to the survey', () => {
  it.each([
    ['nothing', '', 'BAD_HEADER'],
    ['other columns', 'a,b\n1,2\n', 'BAD_HEADER'],
    ['only the columns of every response', 'ResponseId,StartDate\nR_1,2024-01-01\n', 'BAD_HEADER'],
    ['a quote without end', 'meal\n"x\n', 'BAD_CSV'],
    ['no text', Buffer.from([0x61, 0x81, 0x0a]), 'BAD_ENCODING'],
  ])('is rejected with %s', async (_case, contents, code) => {
    expect(await rejectionOf(read(contents))).toMatchObject([{ code }]);
  });

  it('is rejected for a survey that is not from Qualtrics', async () => {
    const questions = [{ id: 'QID1', type: 'text', title: 'a' }];
    const other = {
      schema_version: '1.0',
      version: 1,
      survey: { title: 'a', supported_languages: ['en'], pages: [{ questions }] },
    };
    const reading = readResponseFile(readQualtricsResponses, file('responses-values.csv'), other);
    expect(await rejectionOf(reading)).toMatchObject([{ code: 'BAD_HEADER' }]);
  });
});

describe('a cell of a Qualtrics file', () => {
  const question = {
    QuestionType: 'MC',
    Selector: 'SAVR',
    Choices: { 1: { Display: '3' }, 2: { Display: 'Other' }, 3: { Display: '1' } },
    RecodeValues: { 1: '1', 2: '2', 3: '3' },
  };
  const survey = readSurveyFile(readQualtricsSurvey, JSON.stringify(qsf([question])));
  const answersIn = async (csv: string) => {
    const { responses } = await readResponseFile(readQualtricsResponses, csv, (await survey).payload);
    return responses.map((response) => {
      if (!('answers' in response)) return response.code;
      return response.unread?.[0]?.code ?? response.status ?? response.answers['QID1'];
    });
  };

  it.each([
    ['other cells, values', 'ResponseId,EndDate,QID1', ['1', '2'], ['1', '2']],
    ['other cells, labels', 'ResponseId,EndDate,QID1', ['1', 'Other'], ['3', '2']],
    ['the column Finished, values', 'ResponseId,EndDate,Finished,QID1', ['1,1', '1,3'], ['1', '3']],
    ['the column Finished, labels', 'ResponseId,EndDate,Finished,QID1', ['True,1', 'True,3'], ['3', '1']],
    ['nothing', 'ResponseId,EndDate,QID1', ['1', '3'], ['AMBIGUOUS_ANSWER', 'AMBIGUOUS_ANSWER']],
    ['cells of both', 'ResponseId,EndDate,QID1', ['1', '2', 'Other'], ['AMBIGUOUS_ANSWER', '2', '2']],
  ])('is read by %s', async (_case, header, rows, answers) => {
    const csv = [header, ...rows.map((row, index) => `R_${index},2024-01-01 00:00,${row}`)].join('\n');
    expect(await answersIn(csv)).toEqual(answers);
  });

  it('is reported with column and choices, not with its text, if it is ambiguous', async () => {
    const choices = { 1: { Display: 'Tea' }, 2: { Display: '70' }, 3: { Display: 'None' } };
    const recoded = { 1: '70', 2: '80', 3: '90' };
    const questions = [
      { ...question, Choices: choices, RecodeValues: recoded },
      { ...question, Selector: 'MAVR', Choices: choices, RecodeValues: recoded },
    ];
    const { payload } = await readSurveyFile(readQualtricsSurvey, JSON.stringify(qsf(questions)));
    const csv = 'ResponseId,EndDate,QID1,QID2\nR_1,2024-01-01 00:00,70,\nR_2,2024-01-01 00:00,,"90,70"\n';
    const { failures } = await readResponseFile(readQualtricsResponses, csv, payload);
    const detail =
      'the cell could mean 1 or 2; export values in place of choice texts, or choice texts in place of values';
    expect(failures).toEqual([`AMBIGUOUS_ANSWER QID1 ${detail}`, `AMBIGUOUS_ANSWER QID2 ${detail}`]);
  });

  it('is not read if Finished has an unknown word', async () => {
    const csv = 'ResponseId,EndDate,Finished,QID1\nR_1,2024-01-01 00:00,Falsch,Other\n';
    const { failures } = await readResponseFile(readQualtricsResponses, csv, (await survey).payload);
    expect(failures).toEqual([
      expect.stringMatching(/^BAD_STATUS row 2, column Finished: the value is neither True nor/),
    ]);
  });

  it('is read by other cells if an old file has a number in Finished', async () => {
    const csv =
      'V1,V9,V10,QID1\nResponseID,EndDate,Finished,Question 1\nR_1,2024-01-01 00:00,1,1\nR_2,2024-01-01 00:00,1,Other\n';
    expect(await answersIn(csv)).toEqual(['3', '2']);
  });

  it.each([
    ['IP Address', 'anonymous', false],
    ['Imported', '', false],
    ['0', 'email', false],
    ['4', '', false],
    ['Survey Preview', '', true],
    ['Spam', '', true],
    ['Umfragevorschau', '', true],
    ['1', '', true],
    ['8', '', true],
    ['12', '', true],
    ['17', '', true],
    ['IP Address', 'preview', true],
  ])('belongs to a test if Status is %s and the channel is %j: %s', async (status, channel, isTest) => {
    const csv = `ResponseId,Status,DistributionChannel,QID1\nR_1,${status},${channel},Other\n`;
    const { responses } = await readResponseFile(readQualtricsResponses, csv, (await survey).payload);
    expect(responses.map((response) => 'isTest' in response)).toEqual([isTest]);
  });

  it.each([
    ['Wahr', '2'],
    ['Falsch', 'BAD_STATUS'],
    ['False', 'in_progress'],
    ['0', 'in_progress'],
  ])('belongs to a finished response if Finished says so: %s', async (finished, answer) => {
    expect(await answersIn(`ResponseId,EndDate,Finished,QID1\nR_1,2024-01-01 00:00,${finished},Other\n`)).toEqual([
      answer,
    ]);
  });

  it('is no answer if it is -99, with a warning for numbers', async () => {
    const csv = 'ResponseId,EndDate,meal,age,nps,day,story\nR_1,2024-01-01 00:00,-99,-99,-99,-99,-99\n';
    const { responses, warnings } = await read(csv);
    expect(responses).toMatchObject([{ answers: {} }]);
    expect(warnings.filter(({ detail }) => detail.includes('-99'))).toHaveLength(1);
  });

  it('can have a language that the survey does not declare, and too long metadata, which is removed', async () => {
    const csv = `ResponseId,UserLanguage,IPAddress,QID1,meal\nR_1,EN,a,,1\nR_2,FR,b,,1\nR_3,EN,${'x'.repeat(16 * 1024)},,1\n`;
    const { responses, warnings } = await read(csv);
    expect(responses).toMatchObject([
      { language: 'en', metadata: { ip_address: 'a' } },
      { language: 'fr', metadata: { ip_address: 'b' } },
      { language: 'en', metadata: undefined },
    ]);
    expect(warnings.map(({ code }) => code)).toContain('NOT_IMPORTED');
  });
});
