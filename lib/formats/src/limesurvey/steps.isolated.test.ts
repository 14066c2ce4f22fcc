import { compile } from '@survey/questionnaire/compile';
import { createStepCounter, type StepCounter } from '@survey/questionnaire/testing/step-counter';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConvertedSurvey } from '../core/reader.ts';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { lss, table } from '../testing/write-lss.ts';

let counter: StepCounter;
let readLimesurveySurvey: typeof import('./survey.ts')['readLimesurveySurvey'];
let readLimesurveyCsvResponses: typeof import('./responses.ts')['readLimesurveyCsvResponses'];

beforeAll(async () => {
  counter = await createStepCounter(/formats\/src\/limesurvey\//);
  ({ readLimesurveySurvey } = await import('./survey.ts'));
  ({ readLimesurveyCsvResponses } = await import('./responses.ts'));
});
afterAll(() => counter.close());

const SIZE = 40;
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const ignore = () => {};
const read = (text: string) =>
  readLimesurveySurvey(fileOf(text), { title: '', language: 'en', table: DETECT_ALL, warn: ignore });
const subquestionOf = (qid: number) => ({
  ...{ qid: String(10_000 + qid), parent_qid: String(qid), title: 'a', question: 'A', language: 'en' },
});
const ranked = (size: number) => {
  const items = times(size, (index) => ({ ...subquestionOf(1), qid: String(10_000 + index), title: `r${index}` }));
  return read(lss([{ type: 'R' }], table('subquestions', items)));
};

/** Prepares the reading of a file with a number of things. */
type Prepare = (size: number) => Promise<() => Promise<unknown>>;

/** @param cells headings and cells of the only response */
const readCsv = ({ payload }: Pick<ConvertedSurvey, 'payload'>, cells: readonly (readonly [string, string])[]) => {
  const csv = [0, 1].map((at) => cells.map((pair) => `"${pair[at]?.replaceAll('"', '""')}"`).join(',')).join('\n');
  const survey = { payload, definition: compile(payload) };
  const options = { unmask: undefined, table: DETECT_ALL, warn: ignore };
  return () => Array.fromAsync(readLimesurveyCsvResponses(fileOf(csv), survey, options));
};

const FORMS: Readonly<Record<string, Prepare>> = {
  'questions with numbers in their relevance': async (size) => {
    const text = lss(times(size, (index) => ({ relevance: index === 0 ? '' : '1X1X1.NAOK == "x"' })));
    return () => read(text);
  },
  'quotes without an end in a relevance': async (size) => {
    const text = lss([{}, { relevance: `Q1 == "${"'".repeat(100 * size)}` }]);
    return () => read(text);
  },
  conditions: async (size) => {
    const conditions = times(size, (index) => ({
      ...{ cid: String(index), qid: String(index + 2), cfieldname: 'Q1', method: '==', value: 'x', scenario: '1' },
    }));
    const text = lss(
      times(size + 1, () => ({})),
      table('conditions', conditions),
    );
    return () => read(text);
  },
  'columns with names of the database': async (size) => {
    const subquestions = times(size, (index) => subquestionOf(index + 1));
    const questions = times(size, () => ({ type: 'Q' }));
    const survey = await read(lss(questions, table('subquestions', subquestions)));
    const cells = times(size, (index) => [`Q${index + 1}_S${10_001 + index}`, 'x'] as const);
    return readCsv(survey, [['id', '1'], ...cells]);
  },
  'ranks in JSON': async (size) => {
    const codes = times(size, (index) => `r${index}`);
    return readCsv(await ranked(size), [
      ['id', '1'],
      ['Q1', JSON.stringify(codes)],
    ]);
  },
  'ranks in columns': async (size) => {
    const cells = times(size, (index) => [`Q1_S${10_000 + index}`, `r${index}`] as const);
    return readCsv(await ranked(size), [['id', '1'], ...cells]);
  },
};

async function stepsOf(prepare: Prepare, size: number): Promise<number> {
  const run = await prepare(size);
  return counter.stepsOf(run);
}

it.each(Object.keys(FORMS))('the steps of %s grow with their number', async (name) => {
  const prepare = FORMS[name] as Prepare;
  await (await prepare(2))();
  const once = await stepsOf(prepare, SIZE);
  expect((await stepsOf(prepare, 2 * SIZE)) / once).toBeLessThan(2.3);
});
