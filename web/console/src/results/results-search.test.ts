import { describe, expect, it } from 'vitest';
import { readResultsSearch, toResultFilter } from './results-search.ts';

describe('the state of the results', () => {
  it('keeps filters, interval and language', () => {
    const search = {
      status: 'completed',
      language: 'de',
      version: 2,
      since: '2026-01-01T00:00:00.000Z',
      interval: 'hour',
      display_language: 'en',
    };
    expect(readResultsSearch(search)).toEqual(search);
    const { interval, display_language, ...filter } = search;
    expect(toResultFilter(readResultsSearch(search))).toEqual(filter);
  });

  it('drops invalid and unknown values', () => {
    const search = { status: 'x', link_id: '1', version: -1, since: 'soon', interval: 'year', display_language: 7 };
    expect(readResultsSearch({ ...search, columns: ['a'], updated_since: '2026-01-01T00:00:00Z' })).toEqual({});
  });
});
