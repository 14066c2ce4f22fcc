import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { Counter, type Registry } from 'prom-client';
import type { RouteClass } from './route-class.ts';

/** `client_failures`: failed authentications. `client_bodies`: bytes of bodies that are arriving. */
const LIMITS = [
  'tenant_rate',
  'tenant_concurrency',
  'client_rate',
  'client_concurrency',
  'client_failures',
  'client_bodies',
] as const;
const CLASSES: readonly RouteClass[] = ['default', 'heavy'];

type LimitName = (typeof LIMITS)[number];

export type LimitMetrics = ReturnType<typeof createLimitMetrics>;

export function createLimitMetrics(registry: Registry) {
  const rejections = new Counter({
    name: 'gateway_limit_refusals_total',
    help: 'Requests that the gateway rejected with 429, by the exceeded limit and the class of the route.',
    labelNames: ['limit', 'route_class'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(rejections, { limit: LIMITS, route_class: CLASSES });
  const leaseFailures = new Counter({
    name: 'gateway_limit_lease_failures_total',
    help: 'Failed requests to identity for a lease of a rate limit. The gateway applies a local limit meanwhile.',
    aggregator: 'sum',
    registers: [registry],
  });
  return {
    rejected: (limit: LimitName, route_class: RouteClass) => rejections.inc({ limit, route_class }),
    leaseFailed: () => leaseFailures.inc(),
  };
}
