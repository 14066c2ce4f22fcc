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

const MODULE = 'kafkajs/src/network/requestQueue/index.js';
const PATCHED = Symbol.for('survey.patched');
/** Checks in the time of one request timeout, so a request can last a quarter longer than its timeout. */
const CHECKS_PER_TIMEOUT = 4;

/**
 * Fixes two timers of kafkajs 2.2.4 (https://github.com/tulios/kafkajs/issues/1751 and 1556), once in a process.
 *
 * - The first one has a negative delay. Node.js warns and turns it into 1 ms, so it fires forever. The patch starts it
 *   only while requests wait, which ends the loop.
 * - The second one checks each connection for timeouts ten times a second. The patch checks four times within a timeout.
 *
 * Throws if kafkajs has changed, so that nobody updates it without looking at the patch.
 */
export function patchRequestQueue(): void {
  // kafkajs has no types for this class; the replaced methods are checked.
  const { prototype } = createRequire(import.meta.url)(MODULE) as { readonly prototype: RequestQueue };
  if (Object.hasOwn(prototype, PATCHED)) return;
  const { scheduleCheckPendingRequests: original, scheduleRequestTimeoutCheck } = prototype;
  // The delay is negative while the client is not throttled.
  const hasFaults =
    String(original).includes('this.throttledUntil - Date.now()') &&
    String(scheduleRequestTimeoutCheck).includes('Math.min(this.requestTimeout, 100)');
  if (!hasFaults) throw new Error(`kafkajs has changed: see whether ${MODULE} still needs the patch`);
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending() {
    if (this.pending.length > 0) original.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function scheduleTimeoutCheck() {
    if (!this.enforceRequestTimeout) return;
    // In kafkajs, `destroy` only clears this timer.
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      const now = Date.now();
      for (const request of this.inflight.values()) {
        if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
      }
      if (!this.isConnected()) this.destroy();
    }, this.requestTimeout / CHECKS_PER_TIMEOUT);
  };
  Object.defineProperty(prototype, PATCHED, { value: true, configurable: true });
}
