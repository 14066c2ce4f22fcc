import { Counter, collectDefaultMetrics, Gauge, type MetricConfiguration, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Interval of the timer that measures the lag of the event loop. Milliseconds. The metric of an idle process shows this
 * value as its lag. At 10 ms, the timer used a tenth of an idle platform's CPU.
 */
const EVENT_LOOP_PRECISION_MS = 100;

/** Creates the registry of a process, with Node's metrics and `build_info`. */
export function createRegistry({ service }: { readonly service: string }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  new Gauge({
    name: 'build_info',
    help: 'Version of the process and of Node; the value is always 1.',
    // `part` is the name of the process: gateway or a service. All packages of a release have the same version.
    labelNames: ['part', 'version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ part: service, version: manifest.version, node: process.version }, 1);
  return registry;
}

/** Configuration of a metric; `aggregator` defines how the gateway combines the values of several replicas. */
type Configuration<L extends string> = Omit<MetricConfiguration<L>, 'registers'> & {
  readonly aggregator: 'sum' | 'max';
};

/** The registry's gauge of this name, created on first use. Several components of a process may share it. */
export function sharedGauge<L extends string>(registry: Registry, configuration: Configuration<L>): Gauge<L> {
  // Only this function registers gauges of this name, so the type is right.
  const known = registry.getSingleMetric(configuration.name) as Gauge<L> | undefined;
  return known ?? new Gauge({ ...configuration, registers: [registry] });
}

/** Like `sharedGauge`. */
export function sharedCounter<L extends string>(registry: Registry, configuration: Configuration<L>): Counter<L> {
  const known = registry.getSingleMetric(configuration.name) as Counter<L> | undefined;
  return known ?? new Counter({ ...configuration, registers: [registry] });
}

/**
 * Starts the series of a counter at 0, for all combinations of these values. Prometheus misses the first increase of a
 * series that did not exist.
 *
 * @param labels a value or a list of values for each label
 */
export function startAtZero<L extends string>(
  counter: Counter<L>,
  labels: Readonly<Record<L, string | readonly string[]>>,
): void {
  let series: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [name, values] of Object.entries<string | readonly string[]>(labels))
    series = series.flatMap((one) => [values].flat().map((value) => ({ ...one, [name]: value })));
  for (const one of series) counter.inc(one as Record<L, string>, 0);
}
