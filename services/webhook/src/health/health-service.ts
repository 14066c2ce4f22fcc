import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { memoize } from '@survey/runtime/flow/memoize';
import type { Attempt } from '../deliveries/delivery.ts';
import { isSuccess } from '../deliveries/post-delivery.ts';
import type { WebhookBatches, WebhookState } from '../deliveries/webhook-state-store.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { HealthStore } from './health-store.ts';

/** The health of a webhook: the state of its receiver and of its deliveries. */
export interface WebhookHealth extends Circuit, Omit<DeliveryCounts, 'waitingSince'> {
  readonly webhookId: string;
  readonly failingSince: Date | undefined;
  readonly oldestWaitingAgeSeconds: number | undefined;
  readonly lastHour: Activity;
  readonly lastDay: Activity;
}

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly states: Pick<WebhookBatches, 'findStates'>;
  readonly store: HealthStore;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const HOUR_MS = 60 * 60_000;
/** Maximum number of deliveries that are read. */
const MAX_SAMPLE = 1_000;
const CACHE = { ttlMs: 5_000, maxKeys: 1_000 } as const;

export type WebhookHealthService = ReturnType<typeof createWebhookHealthService>;

/** Reports how well a receiver works, by its circuit breaker and its latest deliveries. */
export function createWebhookHealthService({ webhooks, states, store, clock, now }: Dependencies) {
  async function measure(tenantId: TenantId, webhookId: string): Promise<WebhookHealth> {
    const time = clock();
    const ago = (ms: number) => new Date(time.getTime() - ms);
    const [found, { waitingSince, ...counts }, [state]] = await Promise.all([
      store.sample(tenantId, webhookId, ago(24 * HOUR_MS), MAX_SAMPLE + 1),
      store.countDeliveries(tenantId, webhookId),
      states.findStates([webhookId]),
    ]);
    const latest = found.slice(0, MAX_SAMPLE);
    const isCut = found.length > MAX_SAMPLE;
    return {
      webhookId,
      ...toCircuit(state?.breaker, time),
      failingSince: state?.failingSince,
      lastHour: toActivity(latest, isCut, ago(HOUR_MS)),
      lastDay: toActivity(latest, isCut, ago(24 * HOUR_MS)),
      ...counts,
      // Avoid a negative age: processes have different clocks.
      oldestWaitingAgeSeconds:
        waitingSince && Math.max(0, Math.round((time.getTime() - waitingSince.getTime()) / 1000)),
    };
  }

  const measureCached = memoize(
    (key: string) => {
      const [tenantId, webhookId]: [string, string] = JSON.parse(key);
      return measure(toTenantId(tenantId), webhookId);
    },
    { ...CACHE, now },
  );

  return {
    /** Returns the health, up to five seconds old. Throws `WEBHOOK_NOT_FOUND`. */
    async get(tenantId: TenantId, webhookId: string): Promise<WebhookHealth> {
      await webhooks.get(tenantId, webhookId);
      return measureCached(JSON.stringify([tenantId, webhookId]));
    },
  };
}

/** A delivery with its last attempts, at most `MAX_KEPT_ATTEMPTS`. */
export interface SampledDelivery {
  readonly createdAt: Date;
  readonly attempts: readonly Pick<Attempt, 'startedAt' | 'durationMs' | 'statusCode'>[];
}

export const countNames = ['pending', 'retrying', 'failed'] as const;

/** Numbers of deliveries that wait or failed for good, each counted up to a limit. */
export interface DeliveryCounts extends Readonly<Record<(typeof countNames)[number], number>> {
  /** Names of the numbers that exceed the limit. */
  readonly capped: readonly (typeof countNames)[number][];
  /** Time when the oldest waiting delivery was created. */
  readonly waitingSince: Date | undefined;
  readonly nextAttemptAt: Date | undefined;
}

interface Activity {
  readonly deliveries: number;
  readonly attempts: number;
  readonly succeeded: number;
  /** From 0 to 1. Undefined without attempts. */
  readonly successRate: number | undefined;
  /** In milliseconds, of attempts with a reply. */
  readonly latencyP50Ms: number | undefined;
  readonly latencyP95Ms: number | undefined;
  /** Whether earlier deliveries of the time span are left out. */
  readonly isSample: boolean;
}

interface Circuit {
  readonly circuit: 'closed' | 'open' | 'half_open';
  /** Undefined unless the circuit is open. */
  readonly circuitProbeAt: Date | undefined;
}

/** Summarises the deliveries since a time. @param isCut whether `latest` lacks earlier deliveries */
export function toActivity(latest: readonly SampledDelivery[], isCut: boolean, since: Date): Activity {
  const recent = latest.filter(({ createdAt }) => createdAt >= since);
  const attempts = recent.flatMap((delivery) => delivery.attempts);
  const succeeded = attempts.filter(({ statusCode }) => isSuccess(statusCode)).length;
  const latencies = attempts.filter(({ statusCode }) => statusCode !== undefined).map(({ durationMs }) => durationMs);
  const sorted = latencies.toSorted((one, other) => one - other);
  return {
    deliveries: recent.length,
    attempts: attempts.length,
    succeeded,
    successRate: attempts.length === 0 ? undefined : succeeded / attempts.length,
    latencyP50Ms: percentileOf(sorted, 0.5),
    latencyP95Ms: percentileOf(sorted, 0.95),
    isSample: isCut && recent.length === latest.length,
  };
}

/** Returns the nearest-rank percentile. */
function percentileOf(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(sorted.length * share) - 1];
}

export function toCircuit(breaker: WebhookState['breaker'], now: Date): Circuit {
  if (breaker === undefined) return { circuit: 'closed', circuitProbeAt: undefined };
  const isOpen = breaker.until > now.getTime();
  return isOpen
    ? { circuit: 'open', circuitProbeAt: new Date(breaker.until) }
    : { circuit: 'half_open', circuitProbeAt: undefined };
}
