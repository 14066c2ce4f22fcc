import { createRequire } from 'node:module';

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

const PATCHED = Symbol.for('survey.kafkajs.request-queue-patch');

/** Code that shows the first bug: the delay is negative while the client is not throttled. */
const NEGATIVE_WAIT = 'this.throttledUntil - Date.now()';
/** Code that shows the second bug: every connection is checked ten times a second. */
const FREQUENT_CHECK = 'Math.min(this.requestTimeout, 100)';
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
  const prototype = loadPrototype();
  if (Object.hasOwn(prototype, PATCHED)) return;
  const original = prototype.scheduleCheckPendingRequests;
  const contains = (method: unknown, text: string) => typeof method === 'function' && method.toString().includes(text);
  if (!contains(original, NEGATIVE_WAIT) || !contains(prototype.scheduleRequestTimeoutCheck, FREQUENT_CHECK)) {
    throw new Error(
      'kafkajs has changed: see whether its RequestQueue still needs the patch of request-queue-patch.ts',
    );
  }
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
  Object.defineProperty(prototype, PATCHED, { value: true });
}

function loadPrototype(): RequestQueue {
  const module: unknown = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
  if (typeof module !== 'function') throw new Error('kafkajs has changed: its RequestQueue is not where it was');
  // kafkajs has no types for this file; the methods are checked before they are replaced.
  return module.prototype as RequestQueue;
}
