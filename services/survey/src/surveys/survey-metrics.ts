import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { ActiveSurveys } from './survey-store.ts';

/** Tenants that get a series of their own. */
const MAX_TENANTS = 1_000;

/** `active_surveys_count{tenant_id}`, counted anew at each scrape: right after every change, restart and delete. */
export function registerSurveyMetrics({
  store,
  registry,
  log,
}: {
  readonly store: ActiveSurveys;
  readonly registry: Registry;
  readonly log: Logger;
}): void {
  const tenant = createBoundedLabel({ name: 'active_surveys_count.tenant_id', max: MAX_TENANTS, registry });
  new Gauge({
    name: 'active_surveys_count',
    help: 'Surveys that take answers now; every replica tells the same number.',
    labelNames: ['tenant_id'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      try {
        const counts = await store.countActive();
        this.reset();
        for (const { tenantId, count } of counts) this.inc({ tenant_id: tenant.of(tenantId) }, count);
      } catch (error) {
        // The page tells the other metrics, and of this one what was true last.
        log.warn({ err: error }, 'active surveys could not be counted');
      }
    },
  });
}
