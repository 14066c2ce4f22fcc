import { describe, expect, it } from 'vitest';
import { readSurveyListSearch } from './survey-list-search.ts';

const PROJECT = '5f0c7a52-9d2e-4b6f-8f3b-0f6f6d1f2a10';

describe('readSurveyListSearch', () => {
  it.each([
    [
      { q: 'lunch', status: 'active', project_id: PROJECT, deleted: true },
      { q: 'lunch', status: 'active', project_id: PROJECT, deleted: true },
    ],
    [{ q: 2024 }, { q: '2024' }],
    [{ q: '', status: 'gone', project_id: 'x', deleted: false }, {}],
    [{ q: 'x'.repeat(201), status: ['active'], deleted: 'yes' }, {}],
    [{}, {}],
  ])('reads %j', (search, read) => {
    expect(readSurveyListSearch(search)).toEqual(read);
  });
});
