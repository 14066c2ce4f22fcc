import type { Logger } from 'pino';
import type { Import } from './import.ts';
import type { ImportStore, Lease, Standing, Step } from './import-store.ts';

/** The hold of this process on an import: others have to wait until it is let go, or this process has died. */
export interface Hold {
  readonly item: Import;
  readonly claim: string;
  /** How the import stands, as far as is known. */
  standing(): Standing;
  /** Makes the lease longer at once, and tells whether it is ours still. */
  renew(): Promise<boolean>;
  /** Writes down how far the import is. */
  advance(step: Step): Promise<void>;
  /** Whether anything was done with it since it was taken. */
  hasAdvanced(): boolean;
  /** Lets another process go on with it, from a time on; with since when it breaks off each time. */
  release(from: Date, failingSince?: Date): Promise<void>;
  /** Stops making the lease longer. */
  end(): void;
}

interface Dependencies {
  readonly store: Pick<ImportStore, 'advance' | 'extend' | 'release'>;
  readonly clock: () => Date;
  readonly leaseMs: number;
  readonly log: Logger;
}

export type KeepHold = ReturnType<typeof createHolds>;

/** Keeps a lease that was taken by making it longer, also while the import is at something that takes long. */
export function createHolds({ store, clock, leaseMs, log }: Dependencies) {
  return (item: Import, claim: string): Hold => {
    let standing: Standing = item.status === 'cancelling' ? 'cancelling' : 'running';
    let hasAdvanced = false;
    const lease = (): Lease => ({ claim, until: new Date(clock().getTime() + leaseMs) });
    const note = (now: Standing) => {
      standing = now;
    };
    const extend = async () => note(await store.extend(item, lease()));
    const timer = setInterval(() => {
      extend().catch((error) => {
        log.warn({ err: error, import_id: item.id }, 'the lease of an import could not be made longer, trying again');
      });
    }, leaseMs / 3);
    return {
      item,
      claim,
      standing: () => standing,
      async renew() {
        await extend();
        return standing !== 'lost';
      },
      async advance(step) {
        note(await store.advance(item, lease(), step));
        hasAdvanced = true;
      },
      hasAdvanced: () => hasAdvanced,
      release: (from, failingSince) => store.release(item, claim, from, failingSince),
      end: () => clearInterval(timer),
    };
  };
}
