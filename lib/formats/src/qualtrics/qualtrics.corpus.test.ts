import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile } from '../testing/read-files.ts';
import { readQualtricsResponses } from './responses.ts';
import { readQualtricsSurvey } from './survey.ts';

const files = corpusFiles('qualtrics');
const surveys = files.filter(({ name }) => name.endsWith('.qsf'));
const responses = files.flatMap((file) => {
  if (!file.name.endsWith('.csv')) return [];
  const base = file.name.replace(/(_\(Insights\))?\.csv$/, '');
  const survey = surveys.find(({ name }) => name === `${base}.qsf`);
  return survey === undefined ? [] : [{ name: file.name, file, survey }];
});

describe.skipIf(surveys.length === 0)('real surveys of Qualtrics', () => {
  it.each(surveys)('$name passes lint', async (file) => {
    const { problems, questions } = await readSurveyFile(readQualtricsSurvey, file.read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });
});

describe.skipIf(responses.length === 0)('real responses of Qualtrics', () => {
  it.each(responses)('$name validates', async ({ file, survey }) => {
    const { payload } = await readSurveyFile(readQualtricsSurvey, survey.read());
    const result = await readResponseFile(readQualtricsResponses, file.read(), payload);
    expect(result.failures).toEqual([]);
    expect(result.stored.length).toBe(result.responses.length);
    expect(result.stored.length).toBeGreaterThan(0);
  });
});
