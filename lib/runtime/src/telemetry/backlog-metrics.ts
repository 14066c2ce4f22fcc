import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { remembered } from '../service/remembered.ts';

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

interface Options {
  /** What waits now, of all replicas. */
  readonly measure: () => Promise<Backlog>;
  readonly count: Named;
  readonly oldest: Named;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Both gauges of a page tell of the same moment. Milliseconds. */
const SAME_PAGE_MS = 500;

/** Two gauges of a backlog, measured anew for each page; while that fails they tell what was true last. */
export function measureBacklog({ measure, count, oldest, registry, log }: Options): void {
  const measured = remembered(measure, SAME_PAGE_MS);

  function tell({ name, help }: Named, pick: (backlog: Backlog) => number): void {
    new Gauge({
      name,
      help: `${help}; every replica tells the same number.`,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        try {
          this.set(pick(await measured()));
        } catch (error) {
          log.warn({ err: error, metric: name }, 'a backlog could not be measured');
        }
      },
    });
  }

  tell(count, (backlog) => backlog.count);
  tell(oldest, (backlog) => backlog.oldestSeconds);
}
