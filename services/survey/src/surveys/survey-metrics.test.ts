import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { testLog } from '@survey/runtime/testing/test-log';
import { Counter, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { registerSurveyMetrics } from './module.ts';

describe('active_surveys_count', () => {
  it('keeps its last value and the other metrics while the database is unavailable', async () => {
    let isAway = false;
    const store = {
      countActive: async () => {
        if (isAway) throw new Error('unavailable');
        return [{ tenantId: toTenantId('t'), count: 3 }];
      },
    };
    const registry = new Registry();
    new Counter({ name: 'other', help: 'o', registers: [registry] }).inc();
    registerSurveyMetrics({ store, registry, log: testLog, isReporter: async () => true });
    const before = await registry.metrics();
    expect(before).toContain('active_surveys_count{tenant_id="t"} 3');
    isAway = true;
    expect(await registry.metrics()).toBe(before);
  });
});
