import type { ReceiverHealth } from './receiver-health.ts';
import type { SendStage } from './stage.ts';

/** Queues of deliveries that wait for a slot: new ones to fast receivers, other new ones, and retries. */
export type QueueName = 'healthy' | 'unknown' | 'retry';

/** Queues that may use only a share of the fast slots. */
export type LimitedQueue = Exclude<QueueName, 'healthy'>;

export const queueNames: readonly QueueName[] = ['healthy', 'unknown', 'retry'];

type HealthClass = 'healthy' | 'unknown' | 'slow' | 'failing';

/** All limits of one process. A share (`perTenant`, `unknown`, `retry`) leaves the rest to others. */
export interface SchedulerPolicy {
  /** Concurrent attempts that are expected to end soon. */
  readonly fastSlots: { readonly total: number; readonly perTenant: number } & Readonly<Record<LimitedQueue, number>>;
  /** Concurrent attempts that wait for a slow reply. */
  readonly slowSlots: {
    readonly total: number;
    readonly perTenant: number;
    /** Slots that each tenant gets even above `total`, up to `totalWithReserve`. */
    readonly reservePerTenant: number;
    readonly totalWithReserve: number;
    /** If at least this many slots are used, failing receivers get none. */
    readonly failing: number;
  };
  /** New deliveries that wait in memory. */
  readonly waiting: { readonly total: number; readonly perTenant: number; readonly unknown: number };
  /** Claimed deliveries that may wait in memory in addition to `waiting`: by stage, and by tenant or queue. */
  readonly claimed: { readonly perStage: number; readonly aboveShares: number };
  readonly webhook: {
    /** Deliveries that may wait in memory in addition to the concurrency of the webhook. */
    readonly waiting: Readonly<Record<HealthClass, number>>;
    /** The share of its concurrency for retries, at least 1. */
    readonly retryShare: number;
    /** Deliveries in memory while the breaker is open: a probe, or a retry. */
    readonly whileBreakerIsOpen: number;
    /** The longest time that a delivery waits for a breaker. Milliseconds. */
    readonly maxBreakerMs: number;
  };
  /** Total size of bodies in memory. */
  readonly maxBytes: number;
  /** A delivery that waited this long for a slot is released for other workers. Milliseconds. */
  readonly maxWaitMs: number;
}

export const POLICY: SchedulerPolicy = {
  fastSlots: { total: 256, perTenant: 128, unknown: 128, retry: 128 },
  slowSlots: { total: 4_096, perTenant: 1_024, reservePerTenant: 16, totalWithReserve: 6_144, failing: 5_120 },
  waiting: { total: 1_024, perTenant: 512, unknown: 512 },
  claimed: { perStage: 128, aboveShares: 64 },
  webhook: {
    waiting: { healthy: 16, unknown: 0, slow: 0, failing: 0 },
    retryShare: 1 / 2,
    whileBreakerIsOpen: 1,
    maxBreakerMs: 600_000,
  },
  maxBytes: 256 * 1024 * 1024,
  maxWaitMs: 5_000,
};

export function healthClassOf({ latency, failureScore }: ReceiverHealth): HealthClass {
  if (failureScore > 0) return 'failing';
  return latency === 'fast' ? 'healthy' : latency;
}

/** Running attempts of one webhook: of all stages, and of one stage. */
export interface Running {
  readonly all: number;
  readonly ofStage: number;
}

/** Whether one more attempt of the webhook may start. */
export function mayStart(
  { concurrency }: ReceiverHealth,
  running: Running,
  stage: SendStage,
  { webhook }: Pick<SchedulerPolicy, 'webhook'> = POLICY,
): boolean {
  if (running.all >= concurrency) return false;
  return stage === 'fresh' || running.ofStage < Math.max(1, Math.floor(concurrency * webhook.retryShare));
}
