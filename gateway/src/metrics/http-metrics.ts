import type { Request, Response } from 'express';
import { callOf } from '../http/call.ts';
import { type RequestSeries, UNKNOWN } from './request-series.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The client disconnected before the reply. */
const CLIENT_CLOSED = 499;

/** Counts a request that was rejected immediately, before authentication. */
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

export function createHttpMetrics(series: Pick<RequestSeries, 'observe'>): HttpMetrics {
  const nameOf = (method: string) => (METHODS.includes(method) ? method : 'other');

  return {
    observe({ method }, response) {
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

    count({ method, endpoint, status }) {
      const statusCode = String(status);
      series.observe({
        method: nameOf(method),
        endpoint,
        statusCode,
        tenantId: UNKNOWN,
        seconds: 0,
        traceId: undefined,
      });
    },
  };
}
