import type { IncomingMessage } from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { hasBody } from '@survey/runtime/rest/request-body';
import type { Caller } from '../forwarding/forwarder.ts';
import { MAX_SHORT_BODY_BYTES } from '../forwarding/message-forwarder.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import type { RouteClass } from './route-class.ts';

export type ArrivingBodies = ReturnType<typeof createArrivingBodies>;

/** Maximum bytes of all clients, and of one client. Each body counts at most `MAX_SHORT_BODY_BYTES`. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CLIENT_BYTES = 4 * 1024 * 1024;
/** The limit of one client, as a number of bodies: clients can limit their concurrent requests, but not bytes. */
const CLIENT_QUOTA = concurrencyQuota('concurrent-bodies', MAX_CLIENT_BYTES / MAX_SHORT_BODY_BYTES);

/**
 * Limits the bodies that are still arriving. A short body occupies memory here until it is complete. A long body of a
 * slow client occupies a slot: one of the concurrent requests to a service.
 */
export function createArrivingBodies(metrics: LimitMetrics) {
  const bodies = createKeyedSemaphore({ perKey: MAX_CLIENT_BYTES, total: MAX_BYTES });

  return {
    /**
     * Counts the body of a request until it is complete. Throws `TOO_MANY_REQUESTS` at the limit of the client, unless
     * the client is exempt. Throws `OVERLOADED` at the limit of the gateway, even for exempt clients.
     */
    enter(request: IncomingMessage, { key, isExempt }: Caller, routeClass: RouteClass): void {
      // Most bodies are complete by now.
      if (request.complete || request.destroyed || !hasBody(request)) return;
      // A long body is forwarded while it arrives, so only a part of it is in memory.
      const length = Number(request.headers['content-length'] ?? MAX_SHORT_BODY_BYTES);
      const bytes = Math.min(length, MAX_SHORT_BODY_BYTES);
      const reached = bodies.acquireOrLimit(key, bytes, isExempt);
      if (reached === 'key') {
        metrics.rejected('client_bodies', routeClass);
        throw quotaExceeded(CLIENT_QUOTA);
      }
      if (reached === 'total') throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      let isReleased = false;
      const release = () => {
        if (!isReleased) bodies.release(key, bytes);
        isReleased = true;
      };
      request.once('end', release).once('close', release);
    },
  };
}
