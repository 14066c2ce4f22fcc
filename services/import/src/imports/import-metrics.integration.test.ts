import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from '../testing/import-app.ts';
import type { ImportDocument } from './import-document.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startImportApp();
});
afterAll(() => app.close());

const survey = { title: 'Lunch', questions: [{ id: 'stars', type: 'rating', title: 'Stars?' }] };
const responses = ['4', '5', 'many'].map((value, index) => ({
  id: `r-${index}`,
  answers: [{ question_id: 'stars', value }],
}));

async function numberOf(series: string): Promise<number> {
  const line = (await app.metrics()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.split(' ')[1]);
}

const rows = async () => ({
  imported: await numberOf('import_rows_total{outcome="imported"}'),
  skipped: await numberOf('import_rows_total{outcome="skipped"}'),
  failed: await numberOf('import_rows_total{outcome="failed"}'),
});

const ended = async () => ({
  completed: await numberOf('imports_ended_total{status="completed"}'),
  failed: await numberOf('imports_ended_total{status="failed"}'),
  cancelled: await numberOf('imports_ended_total{status="cancelled"}'),
});

describe('the metrics of imports', () => {
  it('exist before the first import', async () => {
    expect([await rows(), await ended()]).toEqual([
      { imported: 0, skipped: 0, failed: 0 },
      { completed: 0, failed: 0, cancelled: 0 },
    ]);
  });

  it('count each row once by outcome, and imports by status', async () => {
    const caller = { tenantId: randomUUID() };
    const made = await app.post('/surveys/import', { source: 'custom', format: 'json', data: { survey } }, caller);
    const again = { format: 'json', responses };
    await app.post(`/surveys/${made.body.id}/responses/import`, again, caller);
    expect(await rows()).toEqual({ imported: 2, skipped: 0, failed: 1 });
    await app.post(`/surveys/${made.body.id}/responses/import`, again, caller);
    expect(await rows()).toEqual({ imported: 2, skipped: 2, failed: 2 });
    expect(await ended()).toEqual({ completed: 3, failed: 0, cancelled: 0 });
  });

  it('count ended dry runs, but not their rows', async () => {
    const before = [await rows(), await ended()] as const;
    const dry = { source: 'custom', format: 'json', data: { survey, responses }, options: { dry_run: true } };
    await app.post('/surveys/import', dry);
    expect([await rows(), (await ended()).completed]).toEqual([before[0], before[1].completed + 1]);
  });

  it('report how long an import has been due', async () => {
    expect(await numberOf('imports_due')).toBe(0);
    // No runner takes this kind of import.
    const document = { _id: randomUUID(), tenant_id: toTenantId(randomUUID()), due_at: new Date(Date.now() - 60_000) };
    const collection = app.db.collection<Partial<ImportDocument> & { _id: string }>('imports');
    await collection.insertOne({ ...document, status: 'completed', job: null as never });
    await expect.poll(() => numberOf('imports_due')).toBe(1);
    expect(await numberOf('imports_oldest_due_seconds')).toBeGreaterThan(59);
  });
});
