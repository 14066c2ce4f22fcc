import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../testing/parse-csv.ts';
import { newDefinition, versionsOf } from '../testing/test-definition.ts';
import { codebookCellsOf, readCodebook, writeCodebookCsv, writeCodebookJson } from './codebook.ts';

const options = [
  { id: 'a', text: { en: 'Apple', de: 'Apfel' } },
  { id: 'b', text: { en: '=Pear', de: 'Birne' } },
];
const pages = (questions: readonly object[], later: readonly object[] = []) => [{ questions }, { questions: later }];
const first = newDefinition([], {
  survey: {
    pages: pages([
      { id: 'one', type: 'single_choice', title: 'Before?', options: [...options, { id: 'old', text: 'Old' }] },
      { id: 'gone', type: 'text', title: 'Gone?' },
    ]) as never,
  },
});
const latest = newDefinition([], {
  version: 3,
  survey: {
    supported_languages: ['en', 'de'],
    pages: pages(
      [{ id: 'one', type: 'single_choice', title: 'Which?', options, allow_other: true, required: true }],
      [
        { id: 'many', type: 'multiple_choice', title: { en: 'Many?', de: 'Viele?' }, options },
        { id: 'grid', type: 'matrix', title: 'Grid?', rows: [{ id: 'r', text: 'Row' }], columns: ['c'] },
        { id: 'flags', type: 'matrix', title: 'Flags?', rows: ['r'], columns: ['c', 'd'], multiple: true },
        { id: 'stars', type: 'rating', title: 'Stars?' },
      ],
    ) as never,
  },
});

const cellsOf = async (options_: object = {}) =>
  (await readCodebook({ ...versionsOf([latest, first]), ...options_ })).map((entry) => codebookCellsOf(entry).join());

describe('a codebook', () => {
  it('has an entry for each column and option, with the versions that have it', async () => {
    expect(await cellsOf()).toEqual([
      'one,one,Which?,single_choice,,,a,Apple,true,1,1 3',
      'one,one,Which?,single_choice,,,b,=Pear,true,1,1 3',
      'one,one,Which?,single_choice,,,other,other,true,1,3',
      'one,one,Before?,single_choice,,,old,Old,false,1,1',
      'one.other,one,Which?,single_choice,,,other,other,true,1,3',
      'many[a],many,Many?,multiple_choice,,,a,Apple,false,2,3',
      'many[b],many,Many?,multiple_choice,,,b,=Pear,false,2,3',
      'grid[r],grid,Grid?,matrix,r,Row,c,c,false,2,3',
      'flags[r][c],flags,Flags?,matrix,r,r,c,c,false,2,3',
      'flags[r][d],flags,Flags?,matrix,r,r,d,d,false,2,3',
      'stars,stars,Stars?,rating,,,,,false,2,3',
      'gone,gone,Gone?,text,,,,,false,1,1',
    ]);
  });

  it('has the columns of an export, in order', async () => {
    const codebook = await readCodebook(versionsOf([latest]));
    expect([...new Set(codebook.map(({ column }) => column))]).toEqual(
      latest.compiled().columns.map(({ name }) => name),
    );
  });

  it('has the texts in another language', async () => {
    expect((await cellsOf({ displayLanguage: 'de' })).filter((row) => row.startsWith('many'))).toEqual([
      'many[a],many,Viele?,multiple_choice,,,a,Apfel,false,2,3',
      'many[b],many,Viele?,multiple_choice,,,b,Birne,false,2,3',
    ]);
  });

  it('ends with the metadata fields', async () => {
    const metadataFields: readonly MetadataField[] = [{ name: 'points', type: 'number', from: ['url'] }];
    const text = 'metadata.points,,points,number,,,,,false,,';
    expect((await cellsOf({ metadataFields })).slice(-2)).toEqual(['gone,gone,Gone?,text,,,,,false,1,1', text]);
  });

  it('is rejected if it is too long', async () => {
    await expect(cellsOf({ maxEntries: 11 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ path: '/format', code: 'TOO_MANY_COLUMNS' }],
    });
    expect(await cellsOf({ maxEntries: 12 })).toHaveLength(12);
  });

  it('is written as CSV, with masked formulas if wanted', async () => {
    const codebook = await readCodebook(versionsOf([latest]));
    const text = [...writeCodebookCsv(codebook, { maskFormulas: true })].join('');
    expect(parseCsv(text).map((cells) => cells.join())).toEqual([
      'column,question_id,title,type,row_id,row_text,option_id,option_text,required,page,versions',
      ...codebook.map((entry) => codebookCellsOf(entry).join()),
    ]);
    expect(text).toContain(",'=Pear,");
    expect([...writeCodebookCsv(codebook, { maskFormulas: false })].join('')).toContain(',=Pear,');
  });

  it('is written as JSON', async () => {
    const codebook = await readCodebook(versionsOf([latest]));
    const entries = JSON.parse([...writeCodebookJson(codebook)].join(''));
    expect(entries).toHaveLength(codebook.length);
    expect(entries[6]).toEqual({
      ...{ column: 'grid[r]', question_id: 'grid', title: 'Grid?', type: 'matrix' },
      ...{ row_id: 'r', row_text: 'Row', option_id: 'c', option_text: 'c', required: false, page: 2, versions: [3] },
    });
    expect(JSON.parse([...writeCodebookJson([])].join(''))).toEqual([]);
  });
});
