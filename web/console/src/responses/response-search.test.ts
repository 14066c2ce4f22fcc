import { describe, expect, it } from 'vitest';
import { MAX_COLUMNS, readResponseSearch, toFilter } from './response-search.ts';

const link_id = '0199a1f4-71aa-7e19-b6c3-4d5e6f708192';

describe('readResponseSearch', () => {
  it('reads filters, order, sample and columns', () => {
    const search = {
      status: 'completed',
      link_id,
      language: 'de-AT',
      version: 2,
      since: '2026-01-01T00:00:00.000Z',
      order: 'asc',
      sample: 50,
      draw: 2,
      columns: [':status', 'q1'],
      exported: { format: 'xlsx', all: true },
    };
    expect(readResponseSearch(search)).toEqual(search);
    expect(toFilter(readResponseSearch(search))).toEqual({
      status: 'completed',
      link_id,
      language: 'de-AT',
      version: 2,
      since: '2026-01-01T00:00:00.000Z',
    });
  });

  it('drops invalid values', () => {
    const search = {
      status: 'lost',
      link_id: '../x',
      language: 'x'.repeat(65),
      version: '2',
      since: 'yesterday',
      until: 7,
      order: 'desc',
      sample: 1e9,
      draw: -1,
      columns: ['', 7, 'x'.repeat(200)],
      exported: { format: 'exe' },
      other: 'x',
    };
    expect(readResponseSearch(search)).toEqual({});
  });

  it('drops repeated columns, and those beyond the limit', () => {
    const columns = ['a', 'a', ...Array.from({ length: 2 * MAX_COLUMNS }, (_, index) => `q${index}`)];
    expect(readResponseSearch({ columns }).columns).toEqual(['a', ...columns.slice(2, MAX_COLUMNS + 1)]);
  });
});
