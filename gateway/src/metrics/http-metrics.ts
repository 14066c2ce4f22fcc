import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import type { Request, Response } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { callOf } from '../http/call.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const MAX_TENANTS = 1_000;
/** The client disconnected before the reply. */
const CLIENT_CLOSED = 499;
/** Label of requests without a known tenant. */
const UNKNOWN_TENANT = 'unknown';

/** Counts a request that was rejected at once, before authentication. */
export type CountRequest = (request: {
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
}) => void;

export interface HttpMetrics {
  /** Counts a request when its response closes. */
  observe(request: Request, response: Response): void;
  readonly count: CountRequest;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const tenants = createBoundedLabel({ name: 'http_requests_total.tenant_id', max: MAX_TENANTS, registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests to the API by route template, status and tenant.',
    labelNames: ['method', 'endpoint', 'status_code', 'tenant_id'],
    aggregator: 'sum',
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its reply.',
    labelNames: ['method', 'endpoint', 'tenant_id'],
    buckets: [0.025, 0.1, 0.5, 2.5],
    aggregator: 'sum',
    registers: [registry],
  });

  function add(counted: Parameters<CountRequest>[0], tenant_id: string, seconds: number): void {
    const { endpoint, status } = counted;
    const method = METHODS.includes(counted.method) ? counted.method : 'other';
    // prom-client prints labels in this order. The documentation shows the same order.
    requests.inc({ method, endpoint, status_code: String(status), tenant_id });
    duration.observe({ method, endpoint, tenant_id }, seconds);
  }

  return {
    observe({ method }, response) {
      const startedAt = performance.now();
      response.once('close', () => {
        const { endpoint, tenantId } = callOf(response);
        const tenant = tenantId === undefined ? UNKNOWN_TENANT : tenants.of(tenantId);
        const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
        add({ method, endpoint, status }, tenant, (performance.now() - startedAt) / 1000);
      });
    },

    count: (counted) => add(counted, UNKNOWN_TENANT, 0),
  };
}
