import { randomUUID } from 'node:crypto';
import { TenantLoadService } from '@survey/proto/survey/identity/v1/tenant_load_service_pb';
import { type Interval, startInterval } from '@survey/runtime/flow/interval';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { selectBusiest } from '@survey/runtime/telemetry/busiest-tenants';
import type { Logger } from 'pino';
import { IDENTITY_TIMEOUT_MS } from '../authentication/identity-permissions.ts';
import type { RequestSeries } from './request-series.ts';

interface Options {
  readonly series: Pick<RequestSeries, 'takeLoads' | 'retain'>;
  readonly identity: ServiceConnection;
  /** Limit of time series. A part is kept free for new routes of the selected tenants. */
  readonly maxSeries: number;
  readonly log: Logger;
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;
/** Share of the series for selected tenants. The rest is for their further routes and for `other`. */
const SELECTED_SHARE = 0.8;

/**
 * Selects the tenants that get time series of their own, once a minute. Identity merges the loads of all gateways. If
 * identity fails, only the load of this gateway counts.
 */
export function shareLoads({ series, identity, maxSeries, log, everyMs = EVERY_MS }: Options): Interval {
  const client = identity.client(TenantLoadService);
  const reporter = randomUUID();
  const limit = Math.floor(maxSeries * SELECTED_SHARE);

  async function share(): Promise<void> {
    const loads = series.takeLoads();
    try {
      const request = { reporter, maxSeries: limit, loads: [...loads] };
      series.retain(await client.reportTenantLoads(request, { timeoutMs: IDENTITY_TIMEOUT_MS }));
    } catch (error) {
      log.warn({ err: error }, 'cannot share the loads of tenants, measuring by the load of this gateway');
      series.retain(selectBusiest([loads], limit));
    }
  }
  return startInterval({ everyMs, call: share });
}
