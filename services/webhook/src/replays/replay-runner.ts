import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type PeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Logger } from 'pino';
import type { Lease } from '../deliveries/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Replay, ReplayFilter, ReplayPosition, ReplayStatus } from './replay.ts';

/** Replays that there is something to do for, of all tenants, shared by any number of processes. */
export interface ReplayQueue {
  /** Takes the one that waits for longest, until the lease ends; then others may have it. */
  take(lease: Lease & { readonly now: Date }): Promise<Replay | undefined>;
  /** Writes down how far it is, and gives it back. False when the lease was lost before. */
  advance(replay: Replay, claim: string, step: ReplayStep): Promise<boolean>;
}

interface ReplayStep {
  /** How many of its batch are due now. */
  readonly replayed: number;
  readonly now: Date;
  readonly next:
    | { readonly batch: readonly string[]; readonly position: ReplayPosition | undefined; readonly dueAt: Date }
    | { readonly status: Exclude<ReplayStatus, 'running'> };
}

/** Deliveries, as replays have to do with them. */
export interface ReplayedDeliveries {
  /** Those that fit and are over, the oldest first, after a position. */
  findOver(
    tenantId: TenantId,
    filter: ReplayFilter,
    page: { readonly after: ReplayPosition | undefined; readonly limit: number },
  ): Promise<readonly ReplayPosition[]>;
  /** Makes those of the batch due that are over still. May be called again: none is made due twice. */
  replay(replay: Replay, now: Date): Promise<void>;
  /** How many of the batch it made due. */
  countReplayed(replay: Replay): Promise<number>;
  /** Counts the due retries of the webhook, and those that wait for answers, up to the limit. */
  countDue(replay: Replay, now: Date, limit: number): Promise<number>;
}

interface Dependencies {
  readonly replays: ReplayQueue;
  readonly deliveries: ReplayedDeliveries;
  readonly webhooks: { find(tenantId: TenantId, id: string): Promise<Webhook | undefined> };
  /** Called once for each batch. */
  readonly onReplayed: (deliveries: number) => void;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 200;
const IDLE_LOOK_EVERY_MS = 10_000;
/** The pause of a replay while its receiver is too slow. */
const PAUSE_MS = 200;
/** The most due retries of its webhook that a replay adds to: it does not outrun the receiver. */
const MAX_DUE = 250;

/**
 * Continues replays, one batch of each at a time. A batch is stored before its deliveries are made due, so another
 * process can continue after a crash and count exactly. A process that stalls beyond its lease makes no delivery due
 * twice, and cannot advance the replay.
 */
export function createReplayRunner(dependencies: Dependencies): PeriodicWorker {
  const { replays, deliveries, webhooks, onReplayed, clock, newId, leaseMs, log } = dependencies;

  async function nextOf(replay: Replay): Promise<ReplayStep['next']> {
    const now = clock();
    const limit = MAX_DUE - (await deliveries.countDue(replay, now, MAX_DUE));
    if (limit < MAX_DUE / 2) return { batch: [], position: undefined, dueAt: new Date(now.getTime() + PAUSE_MS) };
    const found = await deliveries.findOver(replay.tenantId, replay.filter, { after: replay.position, limit });
    const position = found.at(-1);
    if (position === undefined) return { status: 'completed' };
    return { batch: found.map(({ id }) => id), position, dueAt: now };
  }

  async function goOn(replay: Replay, claim: string): Promise<void> {
    const webhook = await webhooks.find(replay.tenantId, replay.filter.webhookId);
    const mayGoOn = replay.status === 'running' && webhook?.active === true;
    if (mayGoOn && replay.batch.length > 0) await deliveries.replay(replay, clock());
    const replayed = replay.batch.length === 0 ? 0 : await deliveries.countReplayed(replay);
    const next = mayGoOn ? await nextOf(replay) : { status: 'failed' as const };
    if (await replays.advance(replay, claim, { replayed, now: clock(), next })) return onReplayed(replayed);
    log.warn({ replay_id: replay.id }, 'the lease of a replay ended before its batch');
  }

  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    idleEveryMs: IDLE_LOOK_EVERY_MS,
    failure: 'cannot run replays',
    log,
    async work(isStopped) {
      let hasWorked = false;
      while (!isStopped()) {
        const now = clock();
        const lease = { claim: newId(), until: new Date(now.getTime() + leaseMs) };
        const replay = await replays.take({ ...lease, now });
        if (replay === undefined) return hasWorked;
        hasWorked = true;
        await goOn(replay, lease.claim);
      }
      return hasWorked;
    },
  });
}
