import { startInterval } from '@survey/runtime/flow/interval';
import type { ClaimLease } from '@survey/runtime/mongo/claim';
import type { Logger } from 'pino';
import type { Import } from './import.ts';
import type { ImportStore, LeaseState, StoredProgress } from './import-store.ts';

/** The right of this process to run an import. It is renewed until `stopRenewal` is called. */
export interface RenewedLease {
  readonly item: Import;
  /** The token that proves the lease in writes. */
  readonly claim: string;
  /** The last known state of the lease. */
  state(): LeaseState;
  /** Renews the lease now. Returns false if the lease is lost. */
  renew(): Promise<boolean>;
  /** Stores the progress of the import, and renews the lease with the same write. */
  advance(step: StoredProgress): Promise<void>;
  /** True after a call of `advance`. The value of `item.failingSince` is then out of date. */
  hasAdvanced(): boolean;
  /** Lets other processes claim the import from the time `from` on. Without `failingSince`, its stored value stays. */
  release(from: Date, failingSince?: Date): Promise<void>;
  /** Stops the renewal. A lease that was not released then expires. */
  stopRenewal(): void;
}

interface Dependencies {
  readonly store: Pick<ImportStore, 'advance' | 'extend' | 'release'>;
  readonly clock: () => Date;
  readonly leaseMs: number;
  readonly log: Logger;
}

export type StartRenewal = ReturnType<typeof createLeaseRenewal>;

/** Renews leases in the background, even during long steps of an import. */
export function createLeaseRenewal({ store, clock, leaseMs, log }: Dependencies) {
  return (item: Import, claim: string): RenewedLease => {
    let state: LeaseState = item.status === 'cancelling' ? 'cancelling' : 'running';
    let hasAdvanced = false;
    const lease = (): ClaimLease => ({ claim, until: new Date(clock().getTime() + leaseMs) });
    const setState = (next: LeaseState) => {
      state = next;
    };
    const extend = async () => setState(await store.extend(item, lease()));
    const renewal = startInterval({
      everyMs: leaseMs / 3,
      call: extend,
      onError: (error) => log.warn({ err: error, import_id: item.id }, 'cannot renew the lease of an import, retrying'),
    });
    return {
      item,
      claim,
      state: () => state,
      async renew() {
        await extend();
        return state !== 'lost';
      },
      async advance(step) {
        setState(await store.advance(item, lease(), step));
        hasAdvanced = true;
      },
      hasAdvanced: () => hasAdvanced,
      release: (from, failingSince) => store.release(item, claim, from, failingSince),
      stopRenewal: renewal.stop,
    };
  };
}
