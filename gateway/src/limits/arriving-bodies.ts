import type { IncomingMessage } from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { type AddressRanges, isIn, toClient } from '@survey/runtime/limits/client';
import { hasBody } from '@survey/runtime/rest/request-body';
import { MAX_IN_FLIGHT } from '../forwarding/forwarder.ts';
import { MAX_SHORT_BYTES } from '../forwarding/message-forwarder.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import type { RouteClass } from './route-class.ts';

/**
 * Bodies that are on their way to this gateway. Slow ones take memory here, or places at a service, for as long as they
 * like: of both the bodies of one client may have a part.
 */
export interface ArrivingBodies {
  /**
   * Counts the body of a request until all of it is there. Throws `TOO_MANY_REQUESTS` when those of its client take too
   * much, and `OVERLOADED` when all together do.
   */
  enter(request: IncomingMessage, address: string, routeClass: RouteClass): void;
}

interface Options {
  /** Whose clients are not limited. */
  readonly unlimited: AddressRanges;
  readonly metrics: LimitMetrics;
}

/** Bytes of all together, and of one client: as many long bodies as have places at a service, and an eighth of those. */
const MOST = MAX_IN_FLIGHT * MAX_SHORT_BYTES;
const CLIENT_REQUESTS = MAX_IN_FLIGHT / 8;
const CLIENT_QUOTA = concurrencyQuota('concurrent-bodies', CLIENT_REQUESTS);
const CLIENT_MOST = CLIENT_REQUESTS * MAX_SHORT_BYTES;

export function createArrivingBodies({ unlimited, metrics }: Options): ArrivingBodies {
  const bodies = createKeyedSemaphore({ perKey: CLIENT_MOST, total: MOST });

  return {
    enter(request, address, routeClass) {
      // Most are there by now, and then this is all that it costs.
      if (request.complete || request.destroyed || !hasBody(request)) return;
      const bytes = roomOf(request);
      const client = toClient(address);
      const reached = bodies.tryAcquire(client, bytes, () => isIn(unlimited, address));
      if (reached === 'key') {
        metrics.refused('client_bodies', routeClass);
        throw quotaExceeded(CLIENT_QUOTA);
      }
      if (reached === 'total') throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      let isReleased = false;
      const release = () => {
        if (!isReleased) bodies.release(client, bytes);
        isReleased = true;
      };
      request.once('end', release).once('close', release);
    },
  };
}

/** What a body takes here at the most: a long one is handed on as it comes. */
function roomOf({ headers }: IncomingMessage): number {
  return Math.min(Number(headers['content-length'] ?? MAX_SHORT_BYTES), MAX_SHORT_BYTES);
}
