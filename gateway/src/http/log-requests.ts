import { traceFields } from '@survey/runtime/telemetry/spans';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { callOf } from './call.ts';

/** One line for each request when it is over; the template of its route, never the address, which holds ids. */
export function logRequests(log: Logger): RequestHandler {
  // Looking for secrets in lines that have room for none would cost as much as writing them.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const startedAt = performance.now();
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    // The line belongs to the trace of the request, which the end of the answer knows nothing of.
    const trace = traceFields();
    response.once('close', () => {
      const { requestId, endpoint, tenantId } = callOf(response);
      lines.info(
        {
          request_id: requestId,
          method: request.method,
          route: endpoint,
          ...(response.headersSent ? { status: response.statusCode } : { gone: true }),
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
