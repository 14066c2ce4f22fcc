import { describe, expect, it } from 'vitest';
import { fixture, readResponseFile, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { lss } from '../testing/write-lss.ts';
import { writeZip } from '../testing/write-zip.ts';
import { readLimesurveyArchiveResponses, readLimesurveyCsvResponses } from './responses.ts';
import { readLimesurveySurvey } from './survey.ts';

const file = (name: string) => Buffer.from(fixture(import.meta.url, name));
const archive = (files: Parameters<typeof writeZip>[0]) => writeZip(files);
const WHOLE = await archive({
  'survey_495001.lss': file('kinds.lss'),
  'survey_495001_responses.lsr': file('responses.lsr'),
  'survey_495001_tokens.lst': '<document/>',
});
const { payload } = await readSurveyFile(readLimesurveySurvey, file('kinds.lss'));
/** The same answers in a CSV with codes. */
const expected = await readResponseFile(readLimesurveyCsvResponses, file('responses-codes.csv'), payload);

describe('an archive of LimeSurvey', () => {
  it('has the survey and its responses', async () => {
    const survey = await readSurveyFile(readLimesurveySurvey, WHOLE);
    expect(survey.payload).toEqual(payload);
    expect(survey.problems).toEqual([]);
    const warnings: string[] = [];
    const responses = await Array.fromAsync(survey.responses?.(({ detail }) => warnings.push(detail)) ?? []);
    expect(validateResponses(responses, payload).stored).toEqual(expected.stored);
    expect(responses[0]).toMatchObject({ startedAt: new Date('2024-03-01T10:00:00Z'), metadata: { lastpage: '4' } });
    expect(survey.warnings).toContainEqual({
      path: '',
      code: 'NOT_IMPORTED',
      detail: 'The file survey_495001_tokens.lst of the archive is not imported',
    });
    expect(warnings).toContain('files is not an answer and is kept in the metadata');
  });

  it('adds its responses to an imported survey', async () => {
    const { stored, failures } = await readResponseFile(readLimesurveyArchiveResponses, WHOLE, payload);
    expect(stored).toEqual(expected.stored);
    expect(failures).toEqual(['UNFINISHED in_progress']);
  });

  it('can be one of a survey without responses', async () => {
    const survey = await readSurveyFile(readLimesurveySurvey, await archive({ 'a.lss': file('kinds.lss') }));
    expect([survey.responses, survey.payload]).toEqual([undefined, payload]);
  });

  it.each([
    ['no survey', { 'a.txt': '' }, 'it has no survey (.lss)'],
    ['two surveys', { 'a.lss': lss([{}]), 'b.lss': lss([{}]) }, 'it has 2 files of the type .lss'],
  ])('is rejected with %s', async (_case, files, detail) => {
    const reading = readSurveyFile(readLimesurveySurvey, await archive(files));
    expect(await rejectionOf(reading)).toMatchObject([{ code: 'WRONG_TYPE', detail: expect.stringContaining(detail) }]);
  });

  it('is rejected with another document in place of the responses', async () => {
    for (const [lsr, type] of [
      ['<document><responses><rows><row><id>1</id></row></rows></responses></document>', 'it has no'],
      ['<document><LimeSurveyDocType>Tokens</LimeSurveyDocType></document>', 'is Tokens'],
    ] as const) {
      const reading = readResponseFile(
        readLimesurveyArchiveResponses,
        await archive({ 'a.lss': file('kinds.lss'), 'a.lsr': lsr }),
        payload,
      );
      expect(await rejectionOf(reading)).toMatchObject([{ code: 'WRONG_TYPE', detail: expect.stringContaining(type) }]);
    }
    const without = readResponseFile(readLimesurveyArchiveResponses, await archive({ 'a.lss': lss([{}]) }), payload);
    expect(await rejectionOf(without)).toMatchObject([{ code: 'NO_RESPONSES' }]);
  });
});

describe('VV responses', () => {
  it('can be masked against formulas', async () => {
    const [texts = '', codes = '', row = ''] = Buffer.from(file('vv.txt')).toString().split('\n');
    const at = codes.split('\t').indexOf('long');
    const masked = row.split('\t').map((cell, column) => (column === at ? "'=1{newline}2" : cell));
    const answersOf = async (unmask?: boolean) => {
      const contents = [texts, codes, masked.join('\t')].join('\n');
      const { responses } = await readResponseFile(readLimesurveyCsvResponses, contents, payload, unmask);
      return responses.map((one) => 'answers' in one && one.answers['long']);
    };
    expect([await answersOf(true), await answersOf()]).toEqual([['=1\n2'], ["'=1\n2"]]);
  });

  it('are read with the codes of the second row', async () => {
    const { stored, failures, responses } = await readResponseFile(readLimesurveyCsvResponses, file('vv.txt'), payload);
    expect(stored).toEqual(expected.stored);
    expect(failures).toEqual(['UNFINISHED in_progress']);
    expect(responses[0]).toMatchObject({ id: '7', row: 3 });
  });

  it('are read with the names of database columns and escaped characters', async () => {
    const rows = [
      'Response ID\tDate\tMeal\tText',
      'id\tsubmitdate\t495001X10X101\t495001X11X113',
      '1\t2024-03-01 10:05:00\tA1\t{quote}a{tab}b{newline}c{cr}{lbrace}tab}',
      '2\t{question_not_shown}\tA1\t{question_not_shown}',
    ];
    const { stored, failures } = await readResponseFile(readLimesurveyCsvResponses, rows.join('\n'), payload);
    expect(stored).toEqual([{ single: 'A1', long: '"a\tb\nc\r{tab}' }]);
    expect(failures).toHaveLength(1);
  });
});
