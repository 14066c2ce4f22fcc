import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readLimesurveySurvey } from './survey.ts';

const files = corpusFiles('limesurvey');
const surveys = files.filter(({ name }) => /\.ls[sa]$/.test(name));
const archives = files.filter(({ name }) => name.endsWith('.lsa'));
const others = files.filter(({ name }) => !/\.ls[sa]$/.test(name));

describe.skipIf(surveys.length === 0)('real surveys of LimeSurvey', () => {
  it.each(surveys)('$name passes lint', async (file) => {
    const { problems, questions } = await readSurveyFile(readLimesurveySurvey, file.read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });
});

describe.skipIf(archives.length === 0)('real archives of LimeSurvey', () => {
  it.each(archives)('$name has responses', async (file) => {
    const { responses, payload } = await readSurveyFile(readLimesurveySurvey, file.read());
    const read = await Array.fromAsync(responses?.(() => {}) ?? []);
    const { stored, failures } = validateResponses(read, payload);
    expect(failures).toEqual([]);
    expect(stored.length).toBe(read.length);
    expect(stored.length).toBeGreaterThan(0);
  });
});

describe.skipIf(others.length === 0)('real files of LimeSurvey in other formats', () => {
  it.each(others)('$name is rejected with the reason', async (file) => {
    const [problem] = await rejectionOf(readSurveyFile(readLimesurveySurvey, file.read()));
    expect(problem?.detail).toMatch(/^line 1, column 1: /);
  });
});
