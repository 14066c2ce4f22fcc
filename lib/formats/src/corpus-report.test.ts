import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corpusFiles } from './testing/corpus.ts';
import { writeCorpusReport } from './testing/corpus-report.ts';

const PAGE = join(import.meta.dirname, '../../../docs/import-corpus.md');

it.skipIf(corpusFiles('typeform').length === 0)(
  'the page about the corpus reports the result of each file (if the corpus exists)',
  { timeout: 120_000 },
  async () => {
    await expect(await writeCorpusReport()).toMatchFileSnapshot(PAGE);
  },
);
