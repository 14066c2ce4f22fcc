import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

const read = (name: string) => readFileSync(new URL(`../../../lib/formats/src/${name}`, import.meta.url), 'utf8');

const TOOLS = [
  {
    source: 'qualtrics',
    format: 'qsf',
    survey: read('qualtrics/fixtures/kinds.qsf'),
    responses: read('qualtrics/fixtures/responses-values.csv'),
    counts: { total: 3, imported: 2, failed: 1 },
  },
  {
    source: 'limesurvey',
    format: 'lss',
    survey: read('limesurvey/fixtures/kinds.lss'),
    responses: read('limesurvey/fixtures/responses-codes.csv'),
    counts: { total: 3, imported: 2, failed: 1 },
  },
];

describe('tables of responses', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startImportApp();
  });
  afterAll(() => app.close());

  it.each(TOOLS)('are imported from $source after their survey, also with new ids', async (tool) => {
    const { source, format, survey, responses, counts } = tool;
    for (const preserve of [true, false]) {
      const tenantId = crypto.randomUUID();
      const query = `source=${source}&format=${format}&preserve_ids=${preserve}`;
      const made = await app.send(`/surveys/import?${query}`, survey, { tenantId });
      expect(made.body).toMatchObject({ status: 'draft', import: { status: 'completed', source, format } });
      const path = `/surveys/${made.body.id}/responses/import?source=${source}&format=csv`;
      const report = await app.send(path, responses, { tenantId });
      expect(report.body).toMatchObject({ status: 'completed', source, ...counts, errors: [{ code: 'BAD_STATUS' }] });
      expect((await app.send(path, responses, { tenantId })).body).toMatchObject({ imported: 0, skipped: 2 });
    }
  });
});
