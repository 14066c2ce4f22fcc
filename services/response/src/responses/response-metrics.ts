import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import { Counter, type Registry } from 'prom-client';
import type { ResponseFields } from './response.ts';

/** Series of a survey: one for each status but `in_progress`. */
const SERIES_OF_SURVEY = 3;

/** Counts a stored response that is not in progress. */
export type CountResponse = (response: ResponseFields) => void;

/** `survey_responses_total{tenant_id,survey_id,status}`, with at most `maxSeries` series. */
export function createResponseCounter(registry: Registry, maxSeries: number): CountResponse {
  const max = Math.floor(maxSeries / SERIES_OF_SURVEY);
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
