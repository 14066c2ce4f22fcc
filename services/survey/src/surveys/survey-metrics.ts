import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import { createReportedGauge, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import type { ActiveSurveys } from './survey-store.ts';

/** Maximum number of tenants with their own series. */
const MAX_TENANTS = 1_000;

/** `active_surveys_count{tenant_id}`, counted at each scrape, so it is always current. */
export function registerSurveyMetrics({ store, ...reporting }: Reporting & { readonly store: ActiveSurveys }): void {
  const { registry } = reporting;
  const tenant = createBoundedLabel({ name: 'active_surveys_count.tenant_id', max: MAX_TENANTS, registry });
  createReportedGauge({
    ...reporting,
    name: 'active_surveys_count',
    help: 'Surveys that take answers now',
    labelNames: ['tenant_id'],
    async measure(gauge) {
      const counts = await store.countActive();
      gauge.reset();
      for (const { tenantId, count } of counts) gauge.inc({ tenant_id: tenant.of(tenantId) }, count);
    },
  });
}
