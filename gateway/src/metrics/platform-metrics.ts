import { memoize } from '@survey/runtime/flow/memoize';
import {
  collect,
  createYieldIfDue,
  formatMetrics,
  type MetricPart,
  type Sample,
  splitSeries,
} from '@survey/runtime/telemetry/metrics-text';
import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
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

/** Pages with the metrics of all processes in Prometheus's text format, as UTF-8. */
export interface PlatformMetrics {
  /** Has ids of tenants and surveys. */
  readonly full: () => Promise<Buffer>;
  /** Has the sums over all tenants and surveys instead. */
  readonly totals: () => Promise<Buffer>;
}

/** Time for which a page is cached, since reading it calls all processes. */
const TTL_MS = 1_000;
/** Labels with ids, and their value in totals. */
const IDS: ReadonlySet<string> = new Set(['tenant_id', 'survey_id']);
const ALL = 'all';

/**
 * Merges the metrics of all processes, each metric by its aggregator (sum, max, …), in small steps. Counts processes
 * that cannot be read.
 */
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
  const page = (hasIds: boolean) =>
    memoize(async () => toText(await mergeMetrics(await readAll(), hasIds)), { ttlMs: TTL_MS, now });
  return { full: page(true), totals: page(false) };
}

/** A series of all processes. */
interface MergedSeries {
  readonly sample: Sample;
  value: number;
  processes: number;
}

/** A sum over all tenants and surveys, in one process. */
type ProcessTotal = Omit<Sample, 'value'> & { value: number };

interface MergedMetric {
  readonly part: MetricPart;
  readonly series: Map<string, MergedSeries>;
}

/** Merges the metrics of many processes by name and labels. */
async function mergeMetrics(
  processes: readonly ProcessMetrics[],
  hasIds: boolean,
): Promise<ReadonlyMap<string, MergedMetric>> {
  const yieldIfDue = createYieldIfDue();
  const merged = new Map<string, MergedMetric>();
  for (const metrics of processes) {
    for (const part of hasIds ? metrics : await toTotals(metrics)) {
      if (part.aggregator === 'omit') continue;
      const metric = merged.get(part.name) ?? { part, series: new Map<string, MergedSeries>() };
      merged.set(part.name, metric);
      for (const sample of part.values) {
        const key = keyOf(sample);
        const series = metric.series.get(key) ?? { sample, value: 0, processes: 0 };
        metric.series.set(key, series);
        aggregate(series, part.aggregator, sample.value);
      }
      await yieldIfDue();
    }
  }
  return merged;
}

function keyOf({ metricName = '', labels }: Pick<Sample, 'metricName' | 'labels'>): string {
  return `${metricName} ${JSON.stringify(labels)}`;
}

/** The metrics of one process, as sums over all tenants and surveys. */
async function toTotals(metrics: ProcessMetrics): Promise<ProcessMetrics> {
  const yieldIfDue = createYieldIfDue();
  const totals = new Map<string, { readonly part: MetricPart; readonly series: Map<string, ProcessTotal> }>();
  for (const part of metrics.map(withRemoved)) {
    const metric = totals.get(part.name) ?? { part, series: new Map<string, ProcessTotal>() };
    totals.set(part.name, metric);
    for (const sample of part.values) {
      const labels = withoutIds(sample.labels);
      const key = keyOf({ ...sample, labels });
      const total = metric.series.get(key) ?? { ...sample, labels, value: 0 };
      metric.series.set(key, total);
      total.value += sample.value;
    }
    await yieldIfDue();
  }
  return [...totals.values()].map(({ part, series }) => ({ ...part, values: [...series.values()] }));
}

/** Adds the value of one process to a series. */
function aggregate(series: MergedSeries, aggregator: string, value: number): void {
  series.processes += 1;
  if (series.processes === 1) series.value = value;
  else if (aggregator === 'sum') series.value += value;
  else if (aggregator === 'max') series.value = Math.max(series.value, value);
  else if (aggregator === 'min') series.value = Math.min(series.value, value);
  else if (aggregator === 'average') series.value += (value - series.value) / series.processes;
}

/** Renames a metric of removed series like the metric that had these series. So totals include them, and never fall. */
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

async function toText(merged: ReadonlyMap<string, MergedMetric>): Promise<Buffer> {
  const yieldIfDue = createYieldIfDue();
  async function* parts(): AsyncGenerator<MetricPart> {
    for (const { part, series } of merged.values()) {
      for (const chunk of splitSeries([...series.values()])) {
        yield { ...part, values: chunk.map(({ sample, value }) => ({ ...sample, value })) };
        await yieldIfDue();
      }
    }
  }
  return collect(formatMetrics(parts(), 'text'));
}
