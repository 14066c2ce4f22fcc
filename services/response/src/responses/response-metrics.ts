import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import { Counter, type Registry } from 'prom-client';
import type { ResponseFields } from './response.ts';

/** Statuses that are counted: all but `in_progress`. */
const STATUSES = 3;

/** Counts a stored response that is not in progress. */
export type CountResponse = (response: ResponseFields) => void;

/** `survey_responses_total{tenant_id,survey_id,status}`, with at most `maxSeries` series besides those of `other`. */
export function createResponseCounter(registry: Registry, maxSeries: number): CountResponse {
  // Half of the series are for surveys, half for the other surveys of each tenant.
  const max = Math.floor(maxSeries / (2 * STATUSES));
  const tenant = createBoundedLabel({ name: 'survey_responses_total.tenant_id', max, registry });
  const survey = createBoundedLabel({ name: 'survey_responses_total.survey_id', max, registry });
  const total = new Counter({
    name: 'survey_responses_total',
    help: 'Responses stored by this process, imported ones included, those in progress excluded.',
    labelNames: ['tenant_id', 'survey_id', 'status'],
    aggregator: 'sum',
    registers: [registry],
  });
  return ({ tenantId, surveyId, status }) =>
    total.inc({ tenant_id: tenant.of(tenantId), survey_id: survey.of(surveyId), status });
}
