import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, as its `/metrics.json` has them. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

const AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'];

/** Reads what a process sent. Throws when it is not what the registry of a process writes. */
export function toProcessMetrics(json: unknown): ProcessMetrics {
  if (!Array.isArray(json) || !json.every(isMetric)) throw new Error('these are no metrics');
  // JSON has no NaN: values that are none come as null, and mean that there is nothing to tell.
  return json.map((metric) => ({ ...metric, values: metric.values.filter(({ value }) => Number.isFinite(value)) }));
}

function isMetric(value: unknown): value is ProcessMetrics[number] {
  if (typeof value !== 'object' || value === null) return false;
  const { name, help, type, aggregator, values } = value as Record<string, unknown>; // any object can be read so
  return (
    [name, help, type].every((text) => typeof text === 'string') &&
    typeof aggregator === 'string' &&
    AGGREGATORS.includes(aggregator) &&
    Array.isArray(values) &&
    values.every((item) => typeof item === 'object' && item !== null)
  );
}
