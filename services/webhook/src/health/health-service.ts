import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { memoize } from '@survey/runtime/flow/memoize';
import type { WebhookBatches } from '../deliveries/webhook-reader.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import { type Activity, type Circuit, type DeliveryCounts, toActivity, toCircuit } from './health-report.ts';
import type { HealthStore } from './health-store.ts';

/** The health of a webhook: of its receiver, and of its deliveries. */
export interface Health extends Circuit, Omit<DeliveryCounts, 'waitingSince'> {
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
/** The number of deliveries that are read. */
const MAX_SAMPLE = 1_000;
const CACHE = { ttlMs: 5_000, maxKeys: 1_000 } as const;

export type HealthService = ReturnType<typeof createHealthService>;

export function createHealthService({ webhooks, states, store, clock, now }: Dependencies) {
  async function measure(tenantId: TenantId, webhookId: string): Promise<Health> {
    const time = clock();
    const ago = (ms: number) => new Date(time.getTime() - ms);
    const [found, { waitingSince, ...counts }, [state]] = await Promise.all([
      store.sample(tenantId, webhookId, ago(24 * HOUR_MS), MAX_SAMPLE + 1),
      store.countDeliveries(tenantId, webhookId),
      states.findStates([webhookId]),
    ]);
    const sample = found.slice(0, MAX_SAMPLE);
    const isCut = found.length > MAX_SAMPLE;
    return {
      webhookId,
      ...toCircuit(state?.breaker, time),
      failingSince: state?.failingSince,
      lastHour: toActivity(sample, isCut, ago(HOUR_MS)),
      lastDay: toActivity(sample, isCut, ago(24 * HOUR_MS)),
      ...counts,
      // Processes have different clocks.
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
    async get(tenantId: TenantId, webhookId: string): Promise<Health> {
      await webhooks.get(tenantId, webhookId);
      return measureCached(JSON.stringify([tenantId, webhookId]));
    },
  };
}
