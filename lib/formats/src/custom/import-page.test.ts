import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findResponseReader, findSurveyReader } from '../sources.ts';
import { readResponseFile, readSurveyFile, validateResponses } from '../testing/read-files.ts';

/** `docs/import.md`. */
const page = await readFile(new URL('../../../../docs/import.md', import.meta.url), 'utf8');

/** The block with this word behind its language: ```csv survey. */
function block(word: string): string {
  const [, text] = new RegExp(`^\`\`\`\\w+ ${word}\\n(.*?)\\n\`\`\`$`, 'ms').exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no block ${word}`);
  return text;
}

it('docs/import.md has a spreadsheet that becomes a survey and responses', async () => {
  const readSurvey = findSurveyReader({ source: 'custom', format: 'csv' });
  const readResponses = findResponseReader({ source: 'custom', format: 'csv' });
  if (readSurvey === undefined || readResponses === undefined) throw new Error('The format is not read');
  const { payload, problems, warnings } = await readSurveyFile(readSurvey, block('survey'));
  expect([problems, warnings]).toEqual([[], []]);
  const found = await readResponseFile(readResponses, block('responses'), payload);
  expect(found).toMatchObject({ stored: JSON.parse(block('answers')), failures: [], warnings: [] });
});

it('docs/import.md has a survey with a response in JSON', async () => {
  const read = findSurveyReader({ source: 'custom', format: 'json' });
  if (read === undefined) throw new Error('The format is not read');
  const { payload, problems, warnings, responses } = await readSurveyFile(read, block('custom'));
  expect([problems, warnings]).toEqual([[], []]);
  const found = await Array.fromAsync(responses?.(() => {}) ?? []);
  expect(validateResponses(found, payload)).toEqual({ stored: [{ taste: 4 }], failures: [] });
});
