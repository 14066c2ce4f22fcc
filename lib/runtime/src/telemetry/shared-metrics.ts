import { Counter, Gauge, type MetricConfiguration, type Registry } from 'prom-client';

/** What a metric is made of; `aggregator` says how the pages of several processes are summed up. */
type Configuration<L extends string> = Omit<MetricConfiguration<L>, 'registers'> & {
  readonly aggregator: 'sum' | 'max';
};

/** The registry's gauge of that name; a process can have several parts that share one, relays for example. */
export function sharedGauge<L extends string>(registry: Registry, configuration: Configuration<L>): Gauge<L> {
  // Names are ours alone, so what is registered under one was made here.
  const known = registry.getSingleMetric(configuration.name) as Gauge<L> | undefined;
  return known ?? new Gauge({ ...configuration, registers: [registry] });
}

/** The registry's counter of that name. */
export function sharedCounter<L extends string>(registry: Registry, configuration: Configuration<L>): Counter<L> {
  // As above.
  const known = registry.getSingleMetric(configuration.name) as Counter<L> | undefined;
  return known ?? new Counter({ ...configuration, registers: [registry] });
}
