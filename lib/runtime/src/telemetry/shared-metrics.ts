import { Counter, Gauge, type MetricConfiguration, type Registry } from 'prom-client';

/** Configuration of a metric; `aggregator` defines how the metrics of several processes are combined. */
type Configuration<L extends string> = Omit<MetricConfiguration<L>, 'registers'> & {
  readonly aggregator: 'sum' | 'max';
};

/** The registry's gauge of this name, created on first use. Several components of a process may share it. */
export function sharedGauge<L extends string>(registry: Registry, configuration: Configuration<L>): Gauge<L> {
  // All metrics of this name are registered here, so the type is right.
  const known = registry.getSingleMetric(configuration.name) as Gauge<L> | undefined;
  return known ?? new Gauge({ ...configuration, registers: [registry] });
}

/** The registry's counter of this name, created on first use. */
export function sharedCounter<L extends string>(registry: Registry, configuration: Configuration<L>): Counter<L> {
  const known = registry.getSingleMetric(configuration.name) as Counter<L> | undefined;
  return known ?? new Counter({ ...configuration, registers: [registry] });
}
