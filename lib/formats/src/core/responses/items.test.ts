import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { expect, it } from 'vitest';
import { fileOf } from '../../files/import-file.ts';
import { readResponseItems } from './items.ts';

async function warningsFor(file: unknown, location: readonly string[]): Promise<readonly FieldProblem[]> {
  const warnings: FieldProblem[] = [];
  const items = await Array.fromAsync(
    readResponseItems(fileOf(JSON.stringify(file)), location, (warning) => warnings.push(warning)),
  );
  expect(items.map(({ value }) => value)).toEqual([1]);
  return warnings;
}

it.each([
  ['Google Forms', { responses: [1], nextPageToken: 'x' }, 'responses'],
  ['Typeform', { total_items: 3, page_count: 3, items: [1] }, 'items'],
  ['SurveyMonkey', { data: [1], per_page: 1, page: 2, total: 3, links: { next: 'https://x.example' } }, 'data'],
  ['Kobo', { count: 3, next: 'https://x.example', previous: null, results: [1] }, 'results'],
  ['ODK Central', { value: [1], '@odata.nextLink': 'https://x.example' }, 'value'],
])('warns that more pages of %s follow', async (_, page, name) => {
  expect(await warningsFor(page, [name])).toMatchObject([{ path: `/${name}`, code: 'MORE_PAGES' }]);
  expect(await warningsFor({ form: {}, page }, ['page', name])).toMatchObject([{ path: `/page/${name}` }]);
});

it.each([
  ['Google Forms', { responses: [1] }, 'responses'],
  ['Typeform', { total_items: 1, page_count: 1, items: [1] }, 'items'],
  ['SurveyMonkey', { data: [1], per_page: 1, page: 3, total: 3, links: {} }, 'data'],
  ['Kobo', { count: 3, next: null, previous: 'https://x.example', results: [1] }, 'results'],
  ['ODK Central', { value: [1] }, 'value'],
])('does not warn for the last page of %s', async (_, page, name) => {
  expect(await warningsFor(page, [name])).toEqual([]);
});

it('ignores members of the same name elsewhere in the file', async () => {
  const next = 'https://x.example';
  expect(
    await warningsFor({ next, page: { results: [1], other: { next } }, last: { next } }, ['page', 'results']),
  ).toEqual([]);
});
