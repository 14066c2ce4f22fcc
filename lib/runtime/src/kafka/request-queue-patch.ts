import { patchClass } from '../patches/patch-class.ts';

interface Request {
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** The members of kafkajs's class that the patch uses. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, Request>;
  readonly enforceRequestTimeout: boolean;
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly isConnected: () => boolean;
  requestTimeoutIntervalId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

/** Checks within a timeout, so a request can last a quarter longer. Each connection has a timer for its checks. */
const CHECKS_PER_TIMEOUT = 4;

/**
 * Fixes two timers of kafkajs 2.2.4 (https://github.com/tulios/kafkajs/issues/1751 and 1556).
 *
 * - The first one has a negative delay. Node.js warns and turns it into 1 ms, so it fires forever. The patch starts it
 *   only while requests wait.
 * - The second one checks each connection for timeouts ten times a second. The patch checks four times within a timeout.
 *
 * Throws if kafkajs has changed.
 */
export function patchRequestQueue(): void {
  patchClass<RequestQueue>({
    library: 'kafkajs',
    path: 'src/network/requestQueue/index.js',
    faults: {
      // The delay is negative while the client is not throttled.
      scheduleCheckPendingRequests: 'this.throttledUntil - Date.now()',
      scheduleRequestTimeoutCheck: 'Math.min(this.requestTimeout, 100)',
    },
    replace(prototype) {
      const original = prototype.scheduleCheckPendingRequests;
      prototype.scheduleCheckPendingRequests = function scheduleWhenPending() {
        if (this.pending.length > 0) original.call(this);
      };
      prototype.scheduleRequestTimeoutCheck = function checkTimeouts() {
        if (!this.enforceRequestTimeout) return;
        this.destroy();
        this.requestTimeoutIntervalId = setInterval(() => {
          const now = Date.now();
          for (const request of this.inflight.values()) {
            if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
          }
          if (!this.isConnected()) this.destroy();
        }, this.requestTimeout / CHECKS_PER_TIMEOUT);
      };
    },
  });
}
