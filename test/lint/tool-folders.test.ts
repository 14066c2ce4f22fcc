import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const FORMATS = join(root, 'lib/formats/src');
/** Folders of the library that belong to no tool. */
const COMMON = ['answer-table', 'core', 'files', 'plans', 'tables', 'testing'];
/** Files that a tool has first: its file format, survey, logic, answers and the headings of its tables. */
const FILES = ['answers.ts', 'document.ts', 'headers.ts', 'logic.ts', 'survey.ts'];
/**
 * Tools without some of the files: `custom` is our own format, Microsoft Forms has only tables with titles, the API of
 * SurveyMonkey returns no logic, and the others have responses in JSON or tables with titles.
 */
const ABSENT = [
  ...['custom/document.ts', 'custom/headers.ts', 'formbricks/headers.ts', 'google-forms/headers.ts'],
  ...FILES.filter((name) => name !== 'survey.ts').map((name) => `microsoft-forms/${name}`),
  ...['surveyjs/headers.ts', 'surveymonkey/logic.ts'],
];
const MAX_FILES = 10;

it('every tool has a folder with the same files', async () => {
  const folders = (await readdir(FORMATS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const tools = folders.map(({ name }) => name).filter((name) => !COMMON.includes(name));
  expect(tools.length).toBeGreaterThan(7);
  const missing: string[] = [];
  const large: string[] = [];
  for (const tool of tools) {
    const files = (await readdir(join(FORMATS, tool))).filter((name) => name.endsWith('.ts'));
    const sources = files.filter((name) => !name.endsWith('.test.ts'));
    missing.push(...FILES.filter((name) => !sources.includes(name)).map((name) => `${tool}/${name}`));
    if (sources.length > MAX_FILES) large.push(`${tool}: ${sources.length} files`);
  }
  expect(missing).toEqual(ABSENT);
  expect(large).toEqual([]);
});
