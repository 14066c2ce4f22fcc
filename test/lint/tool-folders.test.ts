import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const FORMATS = join(root, 'lib/formats/src');
/** Folders of the library that belong to no tool. */
const COMMON = ['answer-table', 'core', 'files', 'plans', 'tables', 'testing'];
const FILES = ['answers.ts', 'logic.ts', 'questions.ts', 'responses.ts', 'survey.ts'];
/** Microsoft Forms has only tables with titles. The API of SurveyMonkey returns no logic. */
const ABSENT = [
  ...['answers.ts', 'logic.ts', 'questions.ts'].map((name) => `microsoft-forms/${name}`),
  'surveymonkey/logic.ts',
];

it('every tool has a folder with the same files', async () => {
  const folders = (await readdir(FORMATS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const tools = folders.map(({ name }) => name).filter((name) => !COMMON.includes(name));
  expect(tools.length).toBeGreaterThan(7);
  const missing: string[] = [];
  for (const tool of tools) {
    const files = new Set(await readdir(join(FORMATS, tool)));
    missing.push(...FILES.filter((name) => !files.has(name)).map((name) => `${tool}/${name}`));
  }
  expect(missing).toEqual(ABSENT);
});
