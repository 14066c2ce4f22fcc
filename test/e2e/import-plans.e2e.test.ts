import { beforeAll, describe, expect, it } from 'vitest';
import { createTenant, type TestTenant } from '../support/platform.ts';

const FORM = `Timestamp,How was it?,Which days?,Rate us
2024-01-15 10:23:45,Good,"Monday, Tuesday",4
2024-01-16 09:00:01,Good,Monday,5
2024-01-17 23:59:59,Bad,"Tuesday, Monday",3
`;

describe('plans of imports', () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await createTenant();
  });

  it('show the questions that a table becomes, then the targets of its columns', async () => {
    const planned = await tenant.api('POST', '/v1/surveys/import/plan?filename=form.csv', { body: FORM });
    expect(planned.status).toBe(200);
    expect(planned.body).toMatchObject({ source: 'google_forms', format: 'csv', rows: 3, problems: [] });
    expect(planned.body.columns.map((column: { target: string }) => column.target)).toEqual([
      'submitted_at',
      'single_choice',
      'multiple_choice',
      'rating',
    ]);
    expect((await tenant.api('GET', '/v1/surveys')).body).toEqual([]);

    const path = '/v1/surveys/import?source=table&format=csv&title=Canteen&import_responses=false';
    const made = await tenant.api('POST', path, { body: FORM });
    expect(made.status).toBe(201);
    const responses = `/v1/surveys/${made.body.id}/responses/import`;
    const renamed = FORM.replace('Rate us', 'Score').replace('Timestamp', 'When');
    const unknown = await tenant.api('POST', `${responses}/plan?source=custom`, { body: renamed });
    expect(unknown.body.columns).toMatchObject([{ target: '' }, { found_by: 'title' }, { found_by: 'title' }, {}]);
    const columns = encodeURIComponent(JSON.stringify({ When: 'submitted_at', Score: 'Rate_us' }));
    const mapped = await tenant.api('POST', `${responses}/plan?columns=${columns}`, { body: renamed });
    expect(mapped.body.columns).toMatchObject([
      { target: 'submitted_at', found_by: 'option' },
      { target: 'How_was_it', found_by: 'title' },
      { target: 'Which_days', found_by: 'title' },
      { target: 'Rate_us', found_by: 'option' },
    ]);
    const report = await tenant.api('POST', `${responses}?format=csv&columns=${columns}`, { body: renamed });
    expect(report.body).toMatchObject({ imported: 3, failed: 0 });
    const stored = await tenant.api('GET', `/v1/surveys/${made.body.id}/responses`);
    expect(stored.body.map(({ data }: { data: object }) => data)).toContainEqual({
      How_was_it: 'Good',
      Which_days: ['Monday', 'Tuesday'],
      Rate_us: 4,
    });
  });
});
