import { memoize } from '../flow/memoize.ts';
import { createReportedGauge, type Reporting } from './reported-gauge.ts';

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
