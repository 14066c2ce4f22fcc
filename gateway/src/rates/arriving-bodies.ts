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

/** Bytes of all clients together, and of one. A body counts with `MAX_SHORT_BODY_BYTES` at most. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CLIENT_BYTES = 4 * 1024 * 1024;
/** Reported as a number of bodies, because clients limit their concurrent requests, not bytes. */
const CLIENT_QUOTA = concurrencyQuota('concurrent-bodies', MAX_CLIENT_BYTES / MAX_SHORT_BODY_BYTES);

/**
 * Limits the bodies that are still arriving. A slow client occupies memory here with a short body, which is forwarded
 * in one piece. With a long body, it occupies a slot of a service: one unit of the requests that the service gets at a
 * time.
 */
export function createArrivingBodies(metrics: LimitMetrics) {
  const bodies = createKeyedSemaphore({ perKey: MAX_CLIENT_BYTES, total: MAX_BYTES });

  return {
    /**
     * Counts the body of a request until it is complete. Throws `TOO_MANY_REQUESTS` at the limit of the client, unless
     * it is exempt, and `OVERLOADED` at the limit of the gateway, which holds for all.
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
