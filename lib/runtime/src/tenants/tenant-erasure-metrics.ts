import { measureBacklog } from '../telemetry/backlog-metrics.ts';
import type { Reporting } from '../telemetry/reported-gauge.ts';
import type { TenantStateStore } from './tenant-state-store.ts';

interface Dependencies extends Reporting {
  readonly states: Pick<TenantStateStore, 'measureDue'>;
  readonly clock: () => Date;
}

/** Registers gauges of due erasures of deleted tenants. An erasure that stays due for long is failing. */
export function measureTenantErasures({ states, clock, ...reporting }: Dependencies): void {
  measureBacklog({
    measure: () => states.measureDue(clock()),
    count: { name: 'tenant_erasures_due', help: 'Deleted tenants whose data is due to be destroyed' },
    oldest: {
      name: 'tenant_oldest_erasure_due_seconds',
      help: 'Longest time that an erasure of a deleted tenant has been due',
    },
    ...reporting,
  });
}
