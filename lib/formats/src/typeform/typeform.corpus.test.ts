import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readTypeformSurvey } from './survey.ts';
import { compareWithWalks } from './testing/agreement.ts';
import { createRandom } from './testing/random-forms.ts';

const files = corpusFiles('typeform', '.json');

/** Files that are rejected, with the reason. */
const rejected: Readonly<Record<string, string>> = { 'TranslationForm(es).json': '/fields' };
const withoutQuestions = 'fly_hiddenInterp.json';

describe.skipIf(files.length === 0)('real forms of Typeform', () => {
  it.each(files)('$name is imported, or rejected with a precise reason', async ({ name, read }) => {
    const path = rejected[name];
    if (path !== undefined) {
      expect(await rejectionOf(readSurveyFile(readTypeformSurvey, read()))).toMatchObject([{ path }]);
      return;
    }
    const { questions, problems, warnings, responses, payload } = await readSurveyFile(readTypeformSurvey, read());
    expect(problems.map(({ code }) => code)).toEqual(name === withoutQuestions ? ['NO_QUESTIONS'] : []);
    expect(questions.size > 0).toBe(name !== withoutQuestions);
    expect(warnings.filter(({ detail }) => detail.includes('always shown'))).toEqual([]);
    const all = await Array.fromAsync(responses?.(() => {}) ?? []);
    expect(validateResponses(all, payload).failures).toEqual([]);
  });

  it.each(files.filter(({ name }) => rejected[name] === undefined))(
    '$name shows the questions that a respondent reaches',
    async ({ read }) => {
      const form = JSON.parse(read().toString()) as JsonObject;
      if (form['logic'] === undefined) return;
      const { disagreements, unproven } = await compareWithWalks(form, createRandom(8), 60);
      expect([disagreements, unproven]).toEqual([[], []]);
    },
  );
});
