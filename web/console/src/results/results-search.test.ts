import { describe, expect, it } from 'vitest';
import { readResultsSearch, toComparison, toResultFilter } from './results-search.ts';

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

  it('has groups of one kind', () => {
    const read = (search: Record<string, unknown>) => {
      const found = readResultsSearch(search);
      expect(toResultFilter(found)).toEqual({});
      return toComparison(found);
    };
    expect(read({ by_question: 'q', by: 'link', min_cell: 5 })).toEqual({ by_question: 'q', min_cell: 5 });
    expect(read({ by: 'metadata.team', min_cell: 1 })).toEqual({ by: 'metadata.team' });
    expect(read({ by: 'duration', min_cell: 5 })).toEqual({});
    expect(read({ min_cell: 5 })).toEqual({});
  });
});
