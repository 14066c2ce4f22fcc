import { memoize } from '../flow/memoize.ts';
import { createReportedGauge, type Reporting } from './reported-gauge.ts';

/** What waits to be worked on. */
export interface Backlog {
  readonly count: number;
  /** For how long what has waited longest has done so, 0 when nothing waits. */
  readonly oldestSeconds: number;
}

interface Named {
  readonly name: string;
  /** Without a full stop. */
  readonly help: string;
}

interface Options extends Reporting {
  /** What waits now, of all replicas. */
  readonly measure: () => Promise<Backlog>;
  readonly count: Named;
  readonly oldest: Named;
}

/** Gauges of one page are measured together. Milliseconds. */
export const SAME_PAGE_MS = 500;

/** Two gauges of a backlog, which one replica measures each time its metrics are read. */
export function measureBacklog({ measure, count, oldest, ...reporting }: Options): void {
  const measured = memoize(measure, { ttlMs: SAME_PAGE_MS });
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
