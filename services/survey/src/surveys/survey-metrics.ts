import { createReportedGauge, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import type { ActiveSurveys } from './survey-store.ts';

/** Number of tenants with a series of their own: those with most active surveys. */
const MAX_TENANTS = 1_000;

/** `active_surveys_count{tenant_id}`, counted at each scrape, so it is always current. */
export function registerSurveyMetrics({ store, ...reporting }: Reporting & { readonly store: ActiveSurveys }): void {
  createReportedGauge({
    ...reporting,
    name: 'active_surveys_count',
    help: 'Surveys that take answers now',
    labelNames: ['tenant_id'],
    async measure(gauge) {
      const counts = await store.countActive();
      gauge.reset();
      const largestFirst = [...counts].sort((one, other) => other.count - one.count);
      for (const [index, { tenantId, count }] of largestFirst.entries())
        gauge.inc({ tenant_id: index < MAX_TENANTS ? tenantId : 'other' }, count);
    },
  });
}
