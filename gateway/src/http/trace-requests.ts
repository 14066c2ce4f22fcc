import { startTrace } from '@survey/runtime/telemetry/spans';
import type { RequestHandler } from 'express';
import { callOf } from './call.ts';

/** Starts a trace for each request. For `traceparent` of the caller, see `startTrace`. */
export const traceRequests: RequestHandler = (request, response, next) => {
  const { method } = request;
  const traceparent = request.get('traceparent');
  const span = startTrace({
    name: method,
    traceparent,
    attributes: {
      'http.request.method': method,
      // TLS connections of clients end at a proxy in front of the gateway.
      'url.scheme': 'http',
      'network.protocol.version': request.httpVersion,
    },
  });
  callOf(response).traceId = span.recordedTraceId;
  response.once('close', () => {
    const { endpoint } = callOf(response);
    const { headersSent, statusCode } = response;
    span.end({
      name: `${method} ${endpoint}`,
      attributes: { 'http.route': endpoint, ...(headersSent ? { 'http.response.status_code': statusCode } : {}) },
      ...(headersSent && statusCode >= 500 ? { error: String(statusCode) } : {}),
    });
  });
  span.run(next);
};
