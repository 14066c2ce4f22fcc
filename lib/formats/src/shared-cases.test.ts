import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { type AnswerPolicy, createFitResponse } from './core/responses/fit.ts';
import type { FileResponse } from './core/responses/response.ts';
import { fileOf } from './files/import-file.ts';
import { findResponseReader, findSurveyReader } from './sources.ts';
import { DETECT_ALL, type TableOptions } from './tables/table-options.ts';
import { readSurveyFile } from './testing/read-files.ts';

/** Files that were tried by hand. They are not part of the repository; each tool has small ones in its own tests. */
const ROOT = join(import.meta.dirname, '../../../../shared/cases/imports');
const KEEP: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false };

const read = (folder: string, name: string) => readFileSync(join(ROOT, folder, name));

async function readSurvey(source: string, format: string, file: Uint8Array) {
  const reader = findSurveyReader({ source, format });
  if (reader === undefined) throw new Error(`There is no reader of surveys of ${source} ${format}`);
  return readSurveyFile(reader, file);
}

async function judge(responses: AsyncIterable<FileResponse>, payload: JsonObject, policy: AnswerPolicy) {
  const fit = createFitResponse({ payload, definition: compile(payload), policy });
  return (await Array.fromAsync(responses)).map(fit);
}

/** The responses in a file with its survey. */
async function judgeBoth(folder: string, source: string, policy = KEEP) {
  const { payload, responses } = await readSurvey(source, 'json', read(folder, 'both.json'));
  return judge(responses?.(() => {}) ?? fail(), payload, policy);
}

/** The responses in a table, for a survey in another file. */
async function judgeTable(
  folder: string,
  [source, surveyName]: readonly [source: string, surveyName: string],
  { policy = KEEP, table = DETECT_ALL }: { readonly policy?: AnswerPolicy; readonly table?: TableOptions } = {},
) {
  const format = surveyName.slice(surveyName.lastIndexOf('.') + 1);
  const { payload } = await readSurvey(source, format, read(folder, surveyName));
  const reader = findResponseReader({ source, format: 'csv' });
  if (reader === undefined) throw new Error(`There is no reader of responses of ${source}`);
  const options = { unmask: undefined, table, warn: () => {} };
  const survey = { payload, definition: compile(payload) };
  return judge(reader(fileOf(read(folder, 'responses.csv')), survey, options), payload, policy);
}

function fail(): never {
  throw new Error('The file has no responses');
}

describe.skipIf(!existsSync(ROOT))('files that were tried by hand (if they exist)', () => {
  it('google-option-reworded', async () => {
    const [, reworded] = await judgeBoth('google-option-reworded', 'google_forms');
    expect(reworded).toMatchObject({ answers: { q2: 'b' }, metadata: { invalid_answers: { q1: 'Redd' } } });
  });

  it('surveymonkey-hidden-choice-answered', async () => {
    const judged = await judgeBoth('surveymonkey-hidden-choice-answered', 'surveymonkey', {
      ...KEEP,
      onInvalidAnswer: 'reject',
    });
    expect(judged).toMatchObject([{ id: 'r2', answers: { 2: '22' }, omissions: [] }]);
  });

  it('typeform-deleted-choice', async () => {
    const judged = await judgeBoth('typeform-deleted-choice', 'typeform', { ...KEEP, onInvalidAnswer: 'reject' });
    expect(judged).toMatchObject([{ id: 't5', answers: { A1: 'gone' }, omissions: [] }]);
  });

  it('kobo-or-other-label', async () => {
    const judged = await judgeTable('kobo-or-other-label', ['xlsform', 'form.csv']);
    expect(judged).toMatchObject([{ id: 'u1', answers: { who: 'x', fav: { option: 'other' } }, omissions: [] }]);
  });

  it('limesurvey-array-words', async () => {
    const judged = await judgeTable('limesurvey-array-words', ['limesurvey', 'survey.lss']);
    expect(judged).toMatchObject([{ answers: { single: 'A1', yun: { SQ1: 'Y' } }, omissions: [] }]);
  });

  it('qualtrics-preview-rows', async () => {
    const leftOut = [
      { id: 'R_1', isLeftOut: true },
      { id: 'R_2', isLeftOut: true },
    ];
    expect(await judgeTable('qualtrics-preview-rows', ['qualtrics', 'survey.qsf'])).toMatchObject(leftOut);
    const policy = { ...KEEP, includeTests: true };
    const all = await judgeTable('qualtrics-preview-rows', ['qualtrics', 'survey.qsf'], { policy });
    expect(all.map((one) => 'answers' in one)).toEqual([true, true]);
  });

  it('custom-dryrun-first-error-only', async () => {
    const policy = { ...KEEP, onInvalidAnswer: 'reject' } as const;
    const judged = await judgeTable('custom-dryrun-first-error-only', ['custom', 'survey.json'], { policy });
    // The date is read, and only the meal is invalid.
    expect(judged).toMatchObject([
      { code: 'INVALID_ANSWERS', detail: expect.stringContaining('/data/meal UNKNOWN_OPTION') },
    ]);
  });

  it('custom-locale-values', async () => {
    const given = { ...DETECT_ALL, decimal: ',' };
    const judged = await judgeTable('custom-locale-values', ['custom', 'survey.json'], { table: given });
    expect(judged.map((one) => ('answers' in one ? one.answers['since'] : one))).toEqual(Array(7).fill('2024-02-29'));
  });

  it('survey-csv-options-comma', async () => {
    const { codes } = await readSurvey('custom', 'csv', read('survey-csv-options-comma', 'survey.csv'));
    expect(codes).toContain('ONE_OPTION');
  });
});
