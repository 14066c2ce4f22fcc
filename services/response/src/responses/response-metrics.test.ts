import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createResponseCounter } from './module.ts';

const MAX_SERIES = 60;

describe('survey_responses_total', () => {
  it('has no more series than the limit, whatever the tenants and surveys are, and counts each response once', async () => {
    const registry = new Registry();
    const count = createResponseCounter(registry, MAX_SERIES);
    let responses = 0;
    const submit = (tenant: string, survey: string) => {
      for (const status of ['completed', 'disqualified', 'abandoned'] as const) {
        // Only these properties are read.
        count({ tenantId: tenant, surveyId: survey, status } as Parameters<typeof count>[0]);
        responses += 1;
      }
    };
    // First one tenant with many surveys submits, then many tenants with one survey each.
    for (let survey = 0; survey < 100; survey += 1) submit('large', `survey-${survey}`);
    for (let tenant = 0; tenant < 100; tenant += 1) submit(`tenant-${tenant}`, `survey-of-${tenant}`);
    const values = (await registry.getSingleMetric('survey_responses_total')?.get())?.values ?? [];
    const own = values.filter(({ labels }) => labels['tenant_id'] !== 'other');
    expect(own.length).toBeGreaterThan(MAX_SERIES / 2);
    expect(own.length).toBeLessThanOrEqual(MAX_SERIES);
    expect(values.reduce((sum, { value }) => sum + value, 0)).toBe(responses);
  });
});
