import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Whether this replica reports the metrics that all replicas of the service share. */
export type IsReporter = () => Promise<boolean>;

/** Dependencies of metrics that one replica reports for all. */
export interface Reporting {
  readonly isReporter: IsReporter;
  readonly registry: Registry;
  readonly log: Logger;
}

/**
 * A gauge that one replica measures for all, whenever its metrics are read. The others do not measure; they report 0,
 * or no series if there are labels. On failure, the gauge keeps its last value.
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
        log.warn({ err: error, metric: name }, 'cannot measure a metric');
      }
    },
  });
}
