import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corpusFiles } from './testing/corpus.ts';
import { importCorpus, toCsv, toToolTable } from './testing/corpus-report.ts';

const LIST = join(import.meta.dirname, 'corpus-report.csv');
const GUIDE = join(import.meta.dirname, '../../../docs/import.md');

// With `vitest run -u`, this writes the list and the table in the guide.
it.skipIf(corpusFiles('typeform').length === 0)(
  'the list and the guide have the results of the corpus (if it exists)',
  { timeout: 120_000 },
  async () => {
    const results = await importCorpus();
    await expect(toCsv(results)).toMatchFileSnapshot(LIST);
    const guide = await readFile(GUIDE, 'utf8');
    const table = /^\| files of \|.*?(?=\n\n)/ms;
    expect(guide).toMatch(table);
    await expect(guide.replace(table, toToolTable(results))).toMatchFileSnapshot(GUIDE);
  },
);
