import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { memoize } from '../flow/memoize.ts';
import { withTimeLimit } from '../flow/retry.ts';

/** Whether this replica reports the metrics that all replicas of the service share. */
export type IsReporter = () => Promise<boolean>;

/** Dependencies of metrics that one replica reports for all. */
export interface Reporting {
  readonly isReporter: IsReporter;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Well below the timeout of a scrape: a slow database must not hide all other metrics. Milliseconds. */
const TIMEOUT_MS = 3_000;

/**
 * A gauge that one replica measures for all, whenever its metrics are read. Other replicas report 0, or no series if
 * there are labels. After a failure or three seconds, the gauge keeps its last value.
 *
 * @param help without a full stop
 * @param measure sets the gauge; it may do so after the time limit
 * @param timeoutMs time limit for a reader of metrics, in milliseconds
 */
export function createReportedGauge<L extends string = never>({
  name,
  help,
  labelNames = [],
  measure,
  isReporter,
  timeoutMs = TIMEOUT_MS,
  registry,
  log,
}: Reporting & {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly L[];
  readonly measure: (gauge: Gauge<L>) => Promise<void>;
  readonly timeoutMs?: number;
}): void {
  new Gauge<L>({
    name,
    help: `${help}; one replica reports it for all.`,
    labelNames: [...labelNames],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const measureIfReporter = async () => ((await isReporter()) ? measure(this) : this.reset());
      try {
        await withTimeLimit(measureIfReporter(), timeoutMs, () => {
          throw new Error('the measurement takes too long');
        });
      } catch (error) {
        log.warn({ err: error, metric: name }, 'cannot measure a metric');
      }
    },
  });
}

export interface Backlog {
  readonly count: number;
  /** Age of the oldest item; 0 if there is none. */
  readonly oldestSeconds: number;
}

interface MetricTexts {
  readonly name: string;
  /** Without a full stop. */
  readonly help: string;
}

interface Options extends Reporting {
  /** Measures the backlog of the service, over all replicas. */
  readonly measure: () => Promise<Backlog>;
  readonly count: MetricTexts;
  readonly oldest: MetricTexts;
}

/** Cache time of a measurement in milliseconds, so that all gauges of one scrape share it. */
export const SCRAPE_CACHE_MS = 500;

/** Registers two gauges of a backlog. One replica measures them whenever its metrics are read. */
export function measureBacklog({ measure, count, oldest, ...reporting }: Options): void {
  const measured = memoize(measure, { ttlMs: SCRAPE_CACHE_MS });
  createReportedGauge({
    ...reporting,
    ...count,
    measure: async (gauge) => gauge.set((await measured()).count),
  });
  createReportedGauge({
    ...reporting,
    ...oldest,
    measure: async (gauge) => gauge.set((await measured()).oldestSeconds),
  });
}
