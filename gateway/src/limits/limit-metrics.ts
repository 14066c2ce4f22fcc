import { Counter, type Registry } from 'prom-client';
import type { RouteClass } from './route-class.ts';

const LIMITS = ['tenant_rate', 'tenant_concurrency', 'client_rate', 'client_failures', 'client_bodies'] as const;
const CLASSES: readonly RouteClass[] = ['default', 'heavy'];

/** What a request was over. */
type LimitName = (typeof LIMITS)[number];

export interface LimitMetrics {
  /** Counts a request that was refused. */
  refused(limit: LimitName, routeClass: RouteClass): void;
  /** Counts a time that identity could not tell. */
  leaseFailed(): void;
}

export function createLimitMetrics(registry: Registry): LimitMetrics {
  const refusals = new Counter({
    name: 'gateway_limit_refusals_total',
    help: 'Requests answered with 429 by the gateway, by the limit that they were over and the class of their route.',
    labelNames: ['limit', 'route_class'],
    aggregator: 'sum',
    registers: [registry],
  });
  for (const limit of LIMITS) for (const route_class of CLASSES) refusals.inc({ limit, route_class }, 0);
  const failures = new Counter({
    name: 'gateway_limit_lease_failures_total',
    help: 'Times that identity could not lease tokens of a limit: the gateway goes on with a limit of its own then.',
    aggregator: 'sum',
    registers: [registry],
  });
  return {
    refused: (limit, route_class) => refusals.inc({ limit, route_class }),
    leaseFailed: () => failures.inc(),
  };
}
