import { memoize } from '@survey/runtime/flow/memoize';
import { createYieldIfDue } from '@survey/runtime/flow/yielding';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import {
  collect,
  formatMetrics,
  type MetricPart,
  type Sample,
  SLICE_MS,
  splitSeries,
} from '@survey/runtime/telemetry/metrics-text';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { MetricsSource, ProcessMetrics } from './metrics-sources.ts';
import { REMOVED_PREFIX } from './request-series.ts';

interface Options {
  readonly sources: readonly MetricsSource[];
  readonly registry: Registry;
  readonly log: Logger;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/** Pages with the metrics of all processes, in the text format of Prometheus. */
export interface PlatformMetrics {
  /** The page with ids of tenants and surveys. */
  readonly full: () => Promise<Buffer>;
  /** The same page without ids: each metric is summed up over all tenants and surveys. */
  readonly totals: () => Promise<Buffer>;
}

/** Cache time of a page. Making a page calls all processes. */
const TTL_MS = 1_000;
/** Labels with ids. In totals, their value is `ALL`. */
const IDS: ReadonlySet<string> = new Set(['tenant_id', 'survey_id']);
const ALL = 'all';

/** Merges the metrics of all processes. Counts processes that cannot be read. */
export function createPlatformMetrics({
  sources,
  registry,
  log,
  now = () => performance.now(),
}: Options): PlatformMetrics {
  const failures = new Counter({
    name: 'gateway_metrics_source_failures_total',
    help: 'Times that the metrics of a process could not be read, or its host name could not be resolved.',
    labelNames: ['part'],
    aggregator: 'sum',
    registers: [registry],
  });

  startAtZero(failures, { part: sources.map(({ name }) => name) });

  const readAll = memoize(
    async (): Promise<readonly ProcessMetrics[]> => {
      const read = (source: MetricsSource) =>
        source.read((error) => {
          failures.inc({ part: source.name });
          log.warn({ err: error, source: source.name }, 'cannot read metrics of a process');
        });
      return (await Promise.all(sources.map(read))).flat();
    },
    { ttlMs: TTL_MS, now },
  );
  const cached = (merge: () => Promise<ProcessMetrics>) =>
    memoize(async () => toText(await merge()), { ttlMs: TTL_MS, now });
  return {
    full: cached(async () => mergeMetrics(await readAll())),
    totals: cached(async () => mergeMetrics(await toTotals(await readAll()))),
  };
}

/**
 * Sums up the series of each process over all tenants and surveys, whatever the aggregator of their metric. The
 * aggregator then merges only these sums: with `max`, the total of a gauge is the largest sum of a process.
 */
async function toTotals(processes: readonly ProcessMetrics[]): Promise<readonly ProcessMetrics[]> {
  const yieldIfDue = createYieldIfDue(SLICE_MS);
  const totals: ProcessMetrics[] = [];
  // Merge the processes one after the other: concurrent merges would block other work for several time slices in a row.
  for (const metrics of processes) {
    totals.push(await mergeMetrics([metrics.map(withRemoved)], { aggregator: 'sum', labelsOf: withoutIds }));
    await yieldIfDue();
  }
  return totals;
}

/** A sample merged from series with the same name and labels, and the number of these series. */
type MergedSample = Omit<Sample, 'value'> & { value: number; merged: number };

/**
 * Merges series with the same name and labels, in small steps. Leaves out metrics with the aggregator `omit`.
 *
 * @param options.aggregator replaces the aggregator of each metric
 * @param options.labelsOf labels of a merged series
 */
async function mergeMetrics(
  processes: readonly ProcessMetrics[],
  {
    aggregator,
    labelsOf = (labels) => labels,
  }: { readonly aggregator?: string; readonly labelsOf?: (labels: Sample['labels']) => Sample['labels'] } = {},
): Promise<ProcessMetrics> {
  const yieldIfDue = createYieldIfDue(SLICE_MS);
  const metrics = new Map<string, { readonly part: MetricPart; readonly samples: Map<string, MergedSample> }>();
  for (const part of processes.flat()) {
    if (part.aggregator === 'omit') continue;
    const metric = metrics.get(part.name) ?? { part, samples: new Map<string, MergedSample>() };
    metrics.set(part.name, metric);
    for (const sample of part.values) {
      const labels = labelsOf(sample.labels);
      const key = `${sample.metricName ?? ''} ${JSON.stringify(labels)}`;
      const merged = metric.samples.get(key) ?? { ...sample, labels, value: 0, merged: 0 };
      metric.samples.set(key, merged);
      aggregate(merged, aggregator ?? part.aggregator, sample.value);
    }
    await yieldIfDue();
  }
  return [...metrics.values()].map(({ part, samples }) => ({ ...part, values: [...samples.values()] }));
}

/** Merges a value into a sample. Aggregators not listed here, such as `first`, keep the first value. */
function aggregate(sample: MergedSample, aggregator: string, value: number): void {
  sample.merged += 1;
  if (sample.merged === 1) sample.value = value;
  else if (aggregator === 'sum') sample.value += value;
  else if (aggregator === 'max') sample.value = Math.max(sample.value, value);
  else if (aggregator === 'min') sample.value = Math.min(sample.value, value);
  else if (aggregator === 'average') sample.value += (value - sample.value) / sample.merged;
}

/** Gives the metric of removed series its original name. So totals include removed series, and never fall. */
function withRemoved(part: MetricPart): MetricPart {
  if (!part.name.startsWith(REMOVED_PREFIX)) return part;
  const rename = (name: string) => name.replace(REMOVED_PREFIX, 'http_');
  const values = part.values.map(({ metricName, ...sample }) => ({
    ...sample,
    ...(metricName && { metricName: rename(metricName) }),
  }));
  return { ...part, name: rename(part.name), values };
}

function withoutIds(labels: Sample['labels']): Sample['labels'] {
  if (!Object.keys(labels).some((name) => IDS.has(name))) return labels;
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, IDS.has(name) ? ALL : value]));
}

async function toText(metrics: ProcessMetrics): Promise<Buffer> {
  const yieldIfDue = createYieldIfDue(SLICE_MS);
  async function* parts(): AsyncGenerator<MetricPart> {
    for (const part of metrics) {
      for (const values of splitSeries(part.values)) {
        yield { ...part, values };
        await yieldIfDue();
      }
    }
  }
  return collect(formatMetrics(parts(), 'text'));
}
