import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readSurveyMonkeyResponses } from './responses.ts';
import { readSurveyMonkeySurvey } from './survey.ts';

const files = corpusFiles('surveymonkey', '.json');
const isDetails = (name: string) => name.endsWith('_details.json') || name.endsWith('_schema.json');
const isBulk = (name: string) => name.includes('bulk');
const bulks = files.filter(({ name }) => isBulk(name));
const others = files.filter(({ name }) => !isDetails(name));
const surveyOf = (name: string) => files.find((file) => file.name === name)?.read() ?? '';

describe.skipIf(files.length === 0)('real files of SurveyMonkey', () => {
  it.each(files.filter(({ name }) => isDetails(name)))('$name is imported', async ({ read }) => {
    const { problems, questions } = await readSurveyFile(readSurveyMonkeySurvey, read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });

  it.each(others)('$name is rejected as a survey, with a precise reason', async ({ read }) => {
    const [problem] = await rejectionOf(readSurveyFile(readSurveyMonkeySurvey, read()));
    expect(problem?.detail).toMatch(/The file is a list|their survey is missing|error reply|webhook/);
  });

  it('has responses that validate', async () => {
    const { payload } = await readSurveyFile(readSurveyMonkeySurvey, surveyOf('318754279_details.json'));
    const file = surveyOf('318754279_responses_bulk.json');
    const { stored, failures } = await readResponseFile(readSurveyMonkeyResponses, file, payload);
    expect([stored.length, failures]).toEqual([2, []]);
  });

  it.each(bulks)('$name fails for another survey', async ({ name, read }) => {
    const { payload } = await readSurveyFile(readSurveyMonkeySurvey, surveyOf('two_pages_details.json'));
    const { failures, stored } = await readResponseFile(readSurveyMonkeyResponses, read(), payload);
    expect(stored).toEqual([]);
    expect(failures.every((failure) => failure.startsWith('UNKNOWN_QUESTION'))).toBe(true);
    expect(failures.length > 0).toBe(!name.includes('empty'));
  });
});
