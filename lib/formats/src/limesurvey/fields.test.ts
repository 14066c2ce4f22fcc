import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { DETECT_ALL } from '../tables/table-options.ts';
import { readResponseFile, readSurveyFile } from '../testing/read-files.ts';
import { lss, table } from '../testing/write-lss.ts';
import { writeZip } from '../testing/write-zip.ts';
import {
  readLimesurveyArchiveResponses,
  readLimesurveyCsvResponses,
  readLimesurveyJsonResponses,
} from './responses.ts';
import { readLimesurveySurvey, readLimesurveyTsvSurvey } from './survey.ts';

const subquestion = (qid: string, parent: string, title: string, scale = '0') => ({
  ...{ qid, parent_qid: parent, title, question: `Item ${title}`, language: 'en', scale_id: scale },
});
const answer = (qid: string, code: string, scale = '0') => ({
  ...{ qid, code, answer: `Answer ${code}`, language: 'en', scale_id: scale },
});
const LSS = lss(
  [
    { qid: '11', type: 'L', title: 'fav', other: 'Y' },
    { qid: '12', type: 'P', title: 'days', other: 'Y' },
    { qid: '13', type: 'R', title: 'rank' },
    { qid: '14', type: ';', title: 'grid' },
    { qid: '15', type: '1', title: 'dual' },
    { qid: '16', type: 'O', title: 'com' },
    { qid: '17', type: 'Q', title: 'list' },
    { qid: '18', type: 'F', title: 'array' },
  ],
  table('subquestions', [
    ...[subquestion('121', '12', 'mo'), subquestion('122', '12', 'tu')],
    ...[subquestion('131', '13', 'r1'), subquestion('132', '13', 'r2'), subquestion('133', '13', 'r3')],
    ...[subquestion('141', '14', 'a'), subquestion('142', '14', 'x', '1')],
    ...[subquestion('151', '15', 'd1'), subquestion('171', '17', 'S172'), subquestion('172', '17', 'S171')],
    subquestion('181', '18', 'row'),
  ]) +
    table('answers', [
      ...[answer('11', 'A1'), answer('15', 'A1'), answer('15', 'A2', '1'), answer('16', 'A2'), answer('18', 'A1')],
    ]),
);
const { payload } = await readSurveyFile(readLimesurveySurvey, LSS);

const CELLS: Readonly<Record<string, string>> = {
  Q11: '-oth-',
  Q11_Cother: 'green',
  Q12_S121: 'Y',
  Q12_S121_Ccomment: 'early',
  Q12_Cother: 'Sunday',
  Q12_Cothercomment: 'late',
  Q13: '["r2","r1"]',
  Q14_S141_S142: 'seven',
  'Q15_S151#0': 'A1',
  'Q15_S151#1': 'A2',
  Q16: 'A2',
  Q16_Ccomment: 'a comment',
  // The codes of these are the ids of one another.
  Q17_S171: 'of 171',
  Q17_S172: 'of 172',
  Q18_S181: 'A1',
};
const ANSWERS = {
  fav: { option: 'other', text: 'green' },
  days: { options: ['mo'], other: 'Sunday' },
  days_mocomment: 'early',
  days_othercomment: 'late',
  rank: { r2: '1', r1: '2' },
  grid_a_x: 'seven',
  dual_1: { d1: 'A1' },
  dual_2: { d1: 'A2' },
  com: 'A2',
  com_comment: 'a comment',
  list_S172: 'of 171',
  list_S171: 'of 172',
  array: { row: 'A1' },
};
const DETAILS = { id: '1', submitdate: '2026-03-02 10:05:00' };
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const csvOf = (cells: Readonly<Record<string, string>>) =>
  `${Object.keys(cells).map(quote).join(',')}\n${Object.values(cells).map(quote).join(',')}\n`;
const vvOf = (cells: Readonly<Record<string, string>>) => {
  const names = Object.keys(cells);
  return [names.map((name) => `Text of ${name}`), names, Object.values(cells)].map((row) => row.join('\t')).join('\n');
};
const lsrOf = (cells: Readonly<Record<string, string>>) => {
  const row = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name.replace('#', '-'), cell]));
  const fields = Object.keys(row).map((name) => `<fieldname>${name}</fieldname>`);
  const rows = table('responses', [row]).replace('<rows>', `<fields>${fields.join('')}</fields><rows>`);
  return `<document><LimeSurveyDocType>Responses</LimeSurveyDocType>${rows}</document>`;
};
const archiveOf = (cells: Readonly<Record<string, string>>, structure = LSS) =>
  writeZip({ 'survey_1.lss': structure, 'survey_1_responses.lsr': lsrOf(cells) });

const cells = { ...DETAILS, ...CELLS };
const archive = await archiveOf(cells);

describe('names of database columns since LimeSurvey 7', () => {
  it.each([
    ['an archive', readLimesurveyArchiveResponses, archive],
    ['a VV file', readLimesurveyCsvResponses, vvOf(cells)],
    ['a CSV', readLimesurveyCsvResponses, csvOf(cells)],
    ['JSON', readLimesurveyJsonResponses, JSON.stringify({ responses: [{ ...cells, Q13: ['r2', 'r1'] }] })],
  ])('are read in %s', async (_kind, read, contents) => {
    const { stored, failures, warnings } = await readResponseFile(read, contents, payload);
    expect([stored, failures]).toEqual([[ANSWERS], []]);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
  });

  it('are those of ranks, in earlier versions', async () => {
    const ranks = { Q13_S131: 'r3', Q13_S132: 'r1' };
    const { stored } = await readResponseFile(
      readLimesurveyArchiveResponses,
      await archiveOf({ ...DETAILS, ...ranks }),
      payload,
    );
    expect(stored).toEqual([{ rank: { r3: '1', r1: '2' } }]);
  });

  it('can be codes of other questions, which come first in tables with as many of them', async () => {
    const survey = await readSurveyFile(
      readLimesurveySurvey,
      lss([
        { qid: '1', title: 'Q2' },
        { qid: '2', title: 'Q1' },
      ]),
    );
    const read = async (header: string) => {
      const csv = `${header}\n1,a,b\n`;
      return (await readResponseFile(readLimesurveyCsvResponses, csv, survey.payload)).stored;
    };
    expect(await read('id,Q1,Q2')).toEqual([{ Q1: 'a', Q2: 'b' }]);
    const fields = await archiveOf({ ...DETAILS, Q1: 'a', Q2: 'b' }, lss([{}]));
    const { stored } = await readResponseFile(readLimesurveyArchiveResponses, fields, survey.payload);
    expect(stored).toEqual([{ Q2: 'a', Q1: 'b' }]);
  });

  it('are in the tab-separated structure of a survey only as ids in its column', async () => {
    const tsv = (id: string) =>
      [
        'id\tclass\ttype/scale\tname\ttext\tlanguage',
        '\tS\t\tlanguage\ten\t',
        '\tG\t1\tOne\t\ten',
        `\tQ\tS\tother\tOther\ten`,
        `${id}\tQ\tS\tnote\tNote\ten`,
      ].join('\n');
    const fields = await archiveOf({ ...DETAILS, Q1: 'x' });
    const read = async (id: string) => {
      const survey = await readSurveyFile(readLimesurveyTsvSurvey, tsv(id));
      const { stored, failures } = await readResponseFile(readLimesurveyArchiveResponses, fields, survey.payload);
      return [...stored, ...failures];
    };
    expect(await read('1')).toEqual([{ note: 'x' }]);
    expect(await read('')).toEqual([expect.stringMatching(/^NO_ANSWERS .*Q1 UNKNOWN_COLUMN/)]);
  });

  it('of earlier versions find the question whose subquestion has the rest as its code', async () => {
    const survey = await readSurveyFile(
      readLimesurveySurvey,
      lss(
        [
          { qid: '4', type: 'Q', title: 'long' },
          { qid: '45', type: 'Q', title: 'short' },
        ],
        table('subquestions', [subquestion('7', '4', '51'), subquestion('8', '45', '2')]),
      ),
    );
    const fields = await archiveOf({ ...DETAILS, _1X1X451: 'of long', _1X1X452: 'of short' });
    const { stored } = await readResponseFile(readLimesurveyArchiveResponses, fields, survey.payload);
    expect(stored).toEqual([{ long_51: 'of long', short_2: 'of short' }]);
  });
});

describe('a ranking in JSON', () => {
  it.each([
    ['codes of no item', '["r9"]', 'UNKNOWN_ROW'],
    ['an item twice', '["r1","r1"]', 'WRONG_TYPE'],
    ['too many items', '["r1","r2","r3","r1"]', 'WRONG_TYPE'],
    ['no list', '{"r1":1}', 'WRONG_TYPE'],
    ['no JSON', '["r1"', 'WRONG_TYPE'],
  ])('is not stored with %s', async (_case, cell, code) => {
    const json = JSON.stringify({ responses: [{ ...DETAILS, rank: cell }] });
    const { stored, failures } = await readResponseFile(readLimesurveyJsonResponses, json, payload);
    expect([stored, failures]).toEqual([[], [expect.stringMatching(new RegExp(`^${code} /data/rank`))]]);
  });

  it('can be empty, or leave ranks out', async () => {
    const responses = ['[]', '', '["","r2"]'].map((rank, index) => ({ ...DETAILS, id: index, rank }));
    const json = JSON.stringify({ responses });
    const { stored } = await readResponseFile(readLimesurveyJsonResponses, json, payload, undefined, DETECT_ALL);
    expect(stored).toEqual([{}, {}, { rank: { r2: '2' } }]);
  });
});

describe('conditions with names of database columns since LimeSurvey 7', () => {
  const condition = (qid: string, cfieldname: string, value: string): Readonly<Record<string, string>> => ({
    ...{ cid: qid, qid, cfieldname, method: '==', value, scenario: '1' },
  });
  const surveyWith = (...conditions: readonly Readonly<Record<string, string>>[]) =>
    readSurveyFile(
      readLimesurveySurvey,
      lss(
        [
          { qid: '61', type: 'L', title: 'a' },
          { qid: '62', title: 'b' },
          { qid: '63', type: 'M', title: 'm' },
          { qid: '64', title: 'c' },
          // The code of this question is the column of the first one.
          { qid: '65', title: 'Q61' },
        ],
        table('answers', [answer('61', 'A1'), answer('61', 'A2')]) +
          table('subquestions', [subquestion('631', '63', 'x'), subquestion('632', '63', 'y')]) +
          table('conditions', conditions),
      ),
    );
  const shown = (source: string, operator: string, value: string): JsonObject => ({
    conditions: [{ source_question: source, operator, value, action: 'show' }],
  });

  it('become logic', async () => {
    const { survey, codes } = await surveyWith(
      condition('62', 'Q61', 'A1'),
      condition('64', '+Q63_S631', 'Y'),
      condition('65', 'Q63', 'y'),
    );
    expect(codes).toEqual([]);
    expect(survey['logic']).toEqual([
      { question_id: 'b', ...shown('a', 'equals', 'A1') },
      { question_id: 'c', ...shown('m', 'contains', 'x') },
      { question_id: 'Q61', ...shown('m', 'contains', 'y') },
    ]);
  });

  it.each([['Q66'], ['Q63_S999'], ['@Q61@'], ['']])('are kept if there is no column %j', async (field) => {
    const { survey, warnings } = await surveyWith(condition('64', field, 'Y'));
    expect(survey['logic']).toBeUndefined();
    expect(warnings).toEqual([
      {
        path: '/conditions/rows/0',
        code: 'LOGIC_NOT_CONVERTED',
        detail: expect.stringContaining('there is no question'),
      },
    ]);
  });

  it('are kept if they compare two answers', async () => {
    const { codes, questions } = await surveyWith(condition('64', 'Q62', '@Q61@'));
    expect(codes).toEqual(['LOGIC_NOT_CONVERTED']);
    expect(questions.get('c')).toMatchObject({ source_data: { logic: ['((Q62.NAOK == Q61.NAOK))'] } });
  });
});
