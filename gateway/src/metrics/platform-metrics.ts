import { remembered } from '@survey/runtime/service/remembered';
import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, type Registry } from 'prom-client';
import type { MetricsSource } from './metrics-sources.ts';
import type { ProcessMetrics } from './process-metrics.ts';

interface Options {
  readonly sources: readonly MetricsSource[];
  readonly registry: Registry;
  readonly log: Logger;
  /** How long a page holds, in milliseconds: who may read it asks all processes with each one. */
  readonly rememberedMs?: number;
}

/**
 * The view over all processes alive now, in Prometheus' text format: each metric summed, maximised, … as its
 * definition says. What does not answer in time is left out and counted.
 */
export function createPlatformMetrics({
  sources,
  registry,
  log,
  rememberedMs = 1_000,
}: Options): () => Promise<string> {
  const failures = new Counter({
    name: 'gateway_metrics_source_failures_total',
    help: 'Processes that were left out of /metrics because they did not answer.',
    labelNames: ['service'],
    aggregator: 'sum',
    registers: [registry],
  });

  async function readSource({ name, read }: MetricsSource): Promise<readonly ProcessMetrics[]> {
    const leaveOut = (error: unknown): readonly ProcessMetrics[] => {
      failures.inc({ service: name });
      log.warn({ err: error, source: name }, 'metrics cannot be read');
      return [];
    };
    const replicas = await read().catch((error: unknown) => {
      leaveOut(error);
      return [];
    });
    return (await Promise.all(replicas.map((replica) => replica.then((metrics) => [metrics], leaveOut)))).flat();
  }

  async function readAll(): Promise<string> {
    return mergeMetrics((await Promise.all(sources.map(readSource))).flat());
  }
  return remembered(readAll, rememberedMs);
}

/** One page from the metrics of many processes. */
function mergeMetrics(processes: readonly ProcessMetrics[]): Promise<string> {
  // The types of prom-client lack `readonly`, and say that it takes objects only.
  return AggregatorRegistry.aggregate(processes as unknown as object[]).metrics();
}
