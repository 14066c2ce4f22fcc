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

/** How long a page is cached, since it asks all processes. Milliseconds. */
const TTL_MS = 1_000;

/**
 * The view over all processes alive now, in Prometheus' text format: each metric summed, maximised, … as its
 * definition says. One that does not answer in time counts with what it told last, for a few seconds, and is left out then;
 * both are counted.
 */
export function createPlatformMetrics({
  sources,
  registry,
  log,
  now = () => performance.now(),
}: Options): () => Promise<string> {
  const failures = new Counter({
    name: 'gateway_metrics_source_failures_total',
    help: 'Times that a process, or the name of its part, did not answer for the view over the platform.',
    labelNames: ['part'],
    aggregator: 'sum',
    registers: [registry],
  });

  // What was never there before its first increase does not seem to increase.
  for (const { name } of sources) failures.inc({ part: name }, 0);

  async function readAll(): Promise<string> {
    const read = (source: MetricsSource) =>
      source.read((error) => {
        failures.inc({ part: source.name });
        log.warn({ err: error, source: source.name }, 'metrics cannot be read');
      });
    return mergeMetrics((await Promise.all(sources.map(read))).flat());
  }
  return memoize(readAll, { ttlMs: TTL_MS, now });
}

/** One page from the metrics of many processes. */
function mergeMetrics(processes: readonly ProcessMetrics[]): Promise<string> {
  // The types of prom-client lack `readonly`, and say that it takes objects only.
  return AggregatorRegistry.aggregate(processes as unknown as object[]).metrics();
}
