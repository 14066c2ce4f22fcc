import type { Request, Response } from 'express';
import { callOf } from '../http/call.ts';
import { type RequestSeries, UNKNOWN } from './request-series.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The client disconnected before the reply. */
const CLIENT_CLOSED = 499;

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

/** A request that was rejected before Express handled it. */
interface RejectedRequest {
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
}

export function createHttpMetrics(series: Pick<RequestSeries, 'observe'>) {
  const nameOf = (method: string) => (METHODS.includes(method) ? method : 'other');

  return {
    /** Counts a request when its response closes. */
    observe({ method }: Request, response: Response): void {
      const startedAt = performance.now();
      response.once('close', () => {
        const { endpoint, tenantId = UNKNOWN, traceId } = callOf(response);
        const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
        series.observe({
          method: nameOf(method),
          endpoint,
          statusCode: String(status),
          tenantId,
          seconds: (performance.now() - startedAt) / 1000,
          traceId,
        });
      });
    },

    count({ method, endpoint, status }: RejectedRequest): void {
      const unknown = { tenantId: UNKNOWN, seconds: 0, traceId: undefined };
      series.observe({ method: nameOf(method), endpoint, statusCode: String(status), ...unknown });
    },
  };
}
