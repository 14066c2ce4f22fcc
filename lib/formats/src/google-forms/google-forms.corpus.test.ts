import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readGoogleFormsResponses } from './responses.ts';
import { readGoogleFormsSurvey } from './survey.ts';

const files = corpusFiles('google-forms', '.json');
/** A description of forms, and responses alone. */
const isForm = (name: string) => !name.endsWith('schema.json') && !name.endsWith('_responses.json');
const contentsOf = (name: string) => files.find((file) => file.name === name)?.read() ?? '';

describe.skipIf(files.length === 0)('real files of Google Forms', () => {
  it.each(files.filter(({ name }) => isForm(name)))('$name is imported', async ({ read }) => {
    const { problems, questions } = await readSurveyFile(readGoogleFormsSurvey, read());
    const title = problems.every(({ code }) => code === 'EMPTY_TITLE');
    expect([title, questions.size > 0]).toEqual([true, true]);
  });

  it.each(files.filter(({ name }) => !isForm(name)))('$name is rejected as a survey', async ({ read }) => {
    expect(await rejectionOf(readSurveyFile(readGoogleFormsSurvey, read()))).toMatchObject([{ path: '/items' }]);
  });

  it('has responses that validate', async () => {
    const { payload } = await readSurveyFile(readGoogleFormsSurvey, contentsOf('transform_with_responses_form.json'));
    const file = contentsOf('transform_with_responses_responses.json');
    const { stored, failures } = await readResponseFile(readGoogleFormsResponses, file, payload);
    expect([stored, failures]).toEqual([[{ q1: 'Alice' }], []]);
  });
});
