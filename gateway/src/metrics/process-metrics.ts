import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, as in its `/metrics.json`. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

const AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'];

/** Reads `/metrics.json` of a process. Throws if it is malformed. */
export function toProcessMetrics(json: unknown): ProcessMetrics {
  if (!Array.isArray(json) || !json.every(isMetric)) throw new Error('the metrics of the process are malformed');
  // JSON has no NaN: such values arrive as null.
  return json.map((metric) => ({ ...metric, values: metric.values.filter(({ value }) => Number.isFinite(value)) }));
}

function isMetric(value: unknown): value is ProcessMetrics[number] {
  if (typeof value !== 'object' || value === null) return false;
  const { name, help, type, aggregator, values } = value as Record<string, unknown>; // any object can be read like this
  return (
    [name, help, type].every((text) => typeof text === 'string') &&
    typeof aggregator === 'string' &&
    AGGREGATORS.includes(aggregator) &&
    Array.isArray(values) &&
    values.every((item) => typeof item === 'object' && item !== null)
  );
}
