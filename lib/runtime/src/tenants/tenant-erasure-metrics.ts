import { measureBacklog } from '../telemetry/backlog-metrics.ts';
import type { Reporting } from '../telemetry/reported-gauge.ts';
import type { TenantStateStore } from './tenant-state-store.ts';

interface Dependencies extends Reporting {
  readonly states: Pick<TenantStateStore, 'measureDue'>;
  readonly clock: () => Date;
}

/** Tells which erasures of deleted tenants are due: one that stays so for long cannot be done. */
export function measureTenantErasures({ states, clock, ...reporting }: Dependencies): void {
  measureBacklog({
    measure: () => states.measureDue(clock()),
    count: { name: 'tenant_erasures_due', help: 'Deleted tenants whose data are to be destroyed now' },
    oldest: {
      name: 'tenant_oldest_erasure_due_seconds',
      help: 'For how long the data of a deleted tenant have been to be destroyed, at the most',
    },
    ...reporting,
  });
}
