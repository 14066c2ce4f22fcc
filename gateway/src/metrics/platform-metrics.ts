import { memoize } from '@survey/runtime/flow/memoize';
import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, type Registry } from 'prom-client';
import type { MetricsSource } from './metrics-sources.ts';
import type { ProcessMetrics } from './process-metrics.ts';

interface Options {
  readonly sources: readonly MetricsSource[];
  readonly registry: Registry;
  readonly log: Logger;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/** Time for which a page is cached, since reading it calls all processes. */
const TTL_MS = 1_000;

/**
 * Merges the metrics of all processes in Prometheus' text format, each metric by its aggregator (sum, max, …). Counts
 * processes that cannot be read.
 */
export function createPlatformMetrics({
  sources,
  registry,
  log,
  now = () => performance.now(),
}: Options): () => Promise<string> {
  const failures = new Counter({
    name: 'gateway_metrics_source_failures_total',
    help: 'Times that the metrics of a process could not be read, or its host name could not be resolved.',
    labelNames: ['part'],
    aggregator: 'sum',
    registers: [registry],
  });

  // Start the series at 0: Prometheus misses the first increase of a series that did not exist.
  for (const { name } of sources) failures.inc({ part: name }, 0);

  async function readAll(): Promise<string> {
    const read = (source: MetricsSource) =>
      source.read((error) => {
        failures.inc({ part: source.name });
        log.warn({ err: error, source: source.name }, 'cannot read metrics of a process');
      });
    return mergeMetrics((await Promise.all(sources.map(read))).flat());
  }
  return memoize(readAll, { ttlMs: TTL_MS, now });
}

/** Merges the metrics of many processes into one page. */
function mergeMetrics(processes: readonly ProcessMetrics[]): Promise<string> {
  // prom-client's types lack `readonly` and the shape of a metric.
  return AggregatorRegistry.aggregate(processes as unknown as object[]).metrics();
}
