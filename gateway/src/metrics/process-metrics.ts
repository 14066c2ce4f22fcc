import { createYieldIfDue, type MetricPart } from '@survey/runtime/telemetry/metrics-text';

/** The metrics of one process, as in its `/metrics.json`. A metric with many series has several parts. */
export type ProcessMetrics = readonly MetricPart[];

const AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'];

/** Reads `/metrics.json` of a process, line by line because a long text blocks. Throws if it is malformed. */
export async function parseProcessMetrics(text: string): Promise<ProcessMetrics> {
  const yieldIfDue = createYieldIfDue();
  const parts: MetricPart[] = [];
  for (const line of text.split('\n')) {
    const json = line.replace(/,$/, '');
    if (json === '[' || json === ']' || json === '') continue;
    // Processes of earlier versions send all in one line.
    const parsed: unknown = JSON.parse(json);
    parts.push(...toProcessMetrics(Array.isArray(parsed) ? parsed : [parsed]));
    await yieldIfDue();
  }
  return parts;
}

/** Checks the metrics of a process. Throws if they are malformed. */
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
