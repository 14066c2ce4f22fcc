import { describe, expect, it } from 'vitest';
import { readExportOptions, toExportQuery } from './export-options.ts';

const all = {
  format: 'csv',
  labels: 'texts',
  language: 'de',
  not_shown: '-99',
  formulas: true,
  all: true,
} as const;

describe('readExportOptions', () => {
  it('reads what an address keeps', () => {
    expect(readExportOptions(all)).toEqual(all);
    expect(readExportOptions({ format: 'xlsx' })).toEqual({ format: 'xlsx' });
  });

  it('drops invalid values', () => {
    const invalid = { labels: 'ids', language: 7, not_shown: 'x'.repeat(33), formulas: 'yes', all: 1, other: 2 };
    expect(readExportOptions({ ...invalid, format: 'json' })).toEqual({ format: 'json' });
    for (const value of [undefined, 'csv', ['csv'], {}, { format: 'exe' }])
      expect(readExportOptions(value)).toBeUndefined();
  });
});

describe('toExportQuery', () => {
  const filter = { status: 'completed' } as const;

  it.each([
    [{ format: 'csv' }, { status: 'completed', format: 'csv', labels: 'ids', mask_formulas: true }],
    [all, { format: 'csv', labels: 'texts', display_language: 'de', not_shown: '-99', mask_formulas: false }],
    [
      { ...all, format: 'xlsx', labels: undefined },
      { format: 'xlsx', labels: 'ids', display_language: 'de', not_shown: '-99' },
    ],
    [
      { ...all, format: 'ndjson', all: false },
      { status: 'completed', format: 'ndjson' },
    ],
  ] as const)('sends the options that apply to the format: %j', (options, query) => {
    expect(toExportQuery(options as never, filter)).toEqual(query);
  });
});
