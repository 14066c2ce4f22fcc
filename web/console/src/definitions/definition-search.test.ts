import { describe, expect, it } from 'vitest';
import { readCompareSearch, readDefinitionSearch, readPreviewSearch } from './definition-search.ts';

describe('the search parameters of definitions', () => {
  it.each([
    [{ version: 3 }, { version: 3 }],
    [{ version: '3' }, { version: 3 }],
    [{ version: 'draft' }, { version: 'draft' }],
    [{ version: 0 }, {}],
    [{ version: 1.5 }, {}],
    [{ version: '1e3' }, {}],
    [{ version: {} }, {}],
    [{}, {}],
  ])('reads %j', (search, read) => {
    expect(readDefinitionSearch(search)).toEqual(read);
  });

  it('reads the language of a preview', () => {
    expect(readPreviewSearch({ version: 'draft', language: 'de' })).toEqual({ version: 'draft', language: 'de' });
    expect(readPreviewSearch({ language: 5 })).toEqual({});
  });

  it('compares only from a version, but also to the draft', () => {
    expect(readCompareSearch({ from: 1, to: 'draft' })).toEqual({ from: 1, to: 'draft' });
    expect(readCompareSearch({ from: 'draft', to: -1 })).toEqual({});
  });
});
