import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readLimesurveySurvey } from './survey.ts';

const files = corpusFiles('limesurvey');
const surveys = files.filter(({ name }) => name.endsWith('.lss'));
const others = files.filter(({ name }) => !name.endsWith('.lss'));

describe.skipIf(surveys.length === 0)('real surveys of LimeSurvey', () => {
  it.each(surveys)('$name passes lint', async (file) => {
    const { problems, questions } = await readSurveyFile(readLimesurveySurvey, file.read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });
});

describe.skipIf(others.length === 0)('real files of LimeSurvey in other formats', () => {
  it.each(others)('$name is rejected with the reason', async (file) => {
    const [problem] = await rejectionOf(readSurveyFile(readLimesurveySurvey, file.read()));
    expect(problem?.detail).toMatch(file.name.endsWith('.lsa') ? /archive/ : /^line 1, column 1: /);
  });
});
