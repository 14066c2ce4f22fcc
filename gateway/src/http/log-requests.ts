import { traceFields } from '@survey/runtime/telemetry/spans';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { callOf } from './call.ts';

/** Logs each request when its response closes, with the route template. Paths have ids and are never logged. */
export function logRequests(log: Logger): RequestHandler {
  // These lines cannot contain secrets, and redaction would double their cost.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const startedAt = performance.now();
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    // The `close` event runs outside of the trace.
    const trace = traceFields();
    response.once('close', () => {
      const { requestId, endpoint, tenantId } = callOf(response);
      lines.info(
        {
          request_id: requestId,
          method: request.method,
          route: endpoint,
          ...(response.headersSent ? { status: response.statusCode } : { client_disconnected: true }),
          ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
          duration_ms: Math.round(performance.now() - startedAt),
          bytes: socket.bytesWritten - sentBefore,
          ...trace,
        },
        'request',
      );
    });
    next();
  };
}
