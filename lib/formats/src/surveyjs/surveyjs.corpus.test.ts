import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readSurveyjsResponses } from './responses.ts';
import { readSurveyjsSurvey } from './survey.ts';

/** The schema of the documents, and a result. */
const OTHERS = ['surveyjs_definition.json', 'test_survey_result.json'];

const files = corpusFiles('surveyjs');
const surveys = files.filter(({ name }) => !OTHERS.includes(name));

describe.skipIf(files.length === 0)('real surveys of SurveyJS (if the corpus exists)', () => {
  it.each(surveys)('$name passes lint', async (file) => {
    const { problems, questions } = await readSurveyFile(readSurveyjsSurvey, file.read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });

  it.each(files.filter(({ name }) => OTHERS.includes(name)))('$name is rejected with the reason', async (file) => {
    expect(await rejectionOf(readSurveyFile(readSurveyjsSurvey, file.read()))).toMatchObject([{ code: 'NO_SURVEY' }]);
  });

  it('a result is stored, except for an unanswered question', async () => {
    const [schema, result] = ['test_survey_schema.json', 'test_survey_result.json'].map((name) =>
      files.find((file) => file.name === name)?.read(),
    );
    const { payload } = await readSurveyFile(readSurveyjsSurvey, schema ?? '');
    const { failures } = await readResponseFile(readSurveyjsResponses, result ?? '', payload);
    expect(failures).toEqual([expect.stringContaining('REQUIRED /data/lastName')]);
  });
});
