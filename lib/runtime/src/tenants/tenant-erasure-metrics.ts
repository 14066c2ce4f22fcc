import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { ErasureBacklog, TenantStateStore } from './tenant-state-store.ts';

interface Dependencies {
  readonly states: Pick<TenantStateStore, 'measureDue'>;
  readonly clock: () => Date;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Tells which erasures of deleted tenants are due: one that stays so for long cannot be done. */
export function measureTenantErasures({ states, clock, registry, log }: Dependencies): void {
  function measure(name: string, help: string, pick: (backlog: ErasureBacklog) => number): void {
    new Gauge({
      name,
      help: `${help}; every replica tells the same number.`,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        try {
          this.set(pick(await states.measureDue(clock())));
        } catch (error) {
          log.warn({ err: error }, 'the erasures of tenants could not be measured');
        }
      },
    });
  }

  measure('tenant_erasures_due', 'Deleted tenants whose data are to be destroyed now', ({ count }) => count);
  measure(
    'tenant_oldest_erasure_due_seconds',
    'For how long the data of a deleted tenant have been to be destroyed, at the most',
    ({ oldestSeconds }) => oldestSeconds,
  );
}
