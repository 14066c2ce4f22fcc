import { createBoundedLabel } from '@survey/runtime/telemetry/bounded-label';
import type { Request, Response } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { callOf } from '../http/call.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const MAX_TENANTS = 1_000;
/** The caller left before there was an answer. */
const CLIENT_CLOSED = 499;

/** Counts requests when they are over. */
export type ObserveRequest = (request: Request, response: Response) => void;

export function createHttpMetrics(registry: Registry): ObserveRequest {
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
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'endpoint', 'tenant_id'],
    buckets: [0.025, 0.1, 0.5, 2.5],
    aggregator: 'sum',
    registers: [registry],
  });

  return (request, response) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { endpoint, tenantId } = callOf(response);
      const method = METHODS.includes(request.method) ? request.method : 'other';
      const tenant_id = tenantId === undefined ? 'unknown' : tenants.of(tenantId);
      const status_code = String(response.headersSent ? response.statusCode : CLIENT_CLOSED);
      // Labels are written in the order of these objects; it is the documented one.
      requests.inc({ method, endpoint, status_code, tenant_id });
      duration.observe({ method, endpoint, tenant_id }, (performance.now() - startedAt) / 1000);
    });
  };
}
