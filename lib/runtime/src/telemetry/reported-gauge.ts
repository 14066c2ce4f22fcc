import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Whether this replica measures, for all replicas of the service, what is the same for all of them. */
export type IsReporter = () => Promise<boolean>;

/** Shared by the metrics of a service that one replica reports for all. */
export interface Reporting {
  readonly isReporter: IsReporter;
  readonly registry: Registry;
  readonly log: Logger;
}

/**
 * A gauge that one replica measures for all: each time its metrics are read. The others report 0 without labels, no
 * series with labels, and do not query. On failure the gauge keeps its last value.
 *
 * @param help without a full stop
 * @param measure sets the gauge
 */
export function createReportedGauge<L extends string = never>({
  name,
  help,
  labelNames = [],
  measure,
  isReporter,
  registry,
  log,
}: Reporting & {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly L[];
  readonly measure: (gauge: Gauge<L>) => Promise<void>;
}): void {
  new Gauge<L>({
    name,
    help: `${help}; one replica reports it for all.`,
    labelNames: [...labelNames],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      try {
        if (await isReporter()) await measure(this);
        else this.reset();
      } catch (error) {
        log.warn({ err: error, metric: name }, 'a metric could not be measured');
      }
    },
  });
}
