import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import { Counter, type Registry } from 'prom-client';
import type { ResponseFields } from './response.ts';

/** Maximum numbers of tenants and surveys with their own time series. */
const MAX_TENANTS = 1_000;
const MAX_SURVEYS = 10_000;

export type CountResponse = (response: ResponseFields) => void;

/** `survey_responses_total{tenant_id,survey_id,status}`. */
export function createResponseCounter(registry: Registry): CountResponse {
  const tenant = createBoundedLabel({ name: 'survey_responses_total.tenant_id', max: MAX_TENANTS, registry });
  const survey = createBoundedLabel({ name: 'survey_responses_total.survey_id', max: MAX_SURVEYS, registry });
  const total = new Counter({
    name: 'survey_responses_total',
    help: 'Responses stored by this process, imported ones included.',
    labelNames: ['tenant_id', 'survey_id', 'status'],
    aggregator: 'sum',
    registers: [registry],
  });
  return ({ tenantId, surveyId, status }) =>
    total.inc({ tenant_id: tenant.of(tenantId), survey_id: survey.of(surveyId), status });
}
