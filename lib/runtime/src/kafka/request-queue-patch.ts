import { createRequire } from 'node:module';

interface Request {
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** The part of kafkajs's class that the patch deals with. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, Request>;
  readonly enforceRequestTimeout: boolean;
  readonly isConnected: () => boolean;
  requestTimeoutIntervalId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

const PATCHED = Symbol.for('survey.kafkajs.request-queue-patch');

/** The replaced methods contain a wait that is negative while nothing throttles the client … */
const NEGATIVE_WAIT = 'this.throttledUntil - Date.now()';
/** … and a check of every connection ten times a second. */
const FREQUENT_CHECK = 'Math.min(this.requestTimeout, 100)';
/** Requests time out after 20 s. */
const CHECK_TIMEOUTS_MS = 1_000;

/**
 * Takes two timers out of kafkajs 2.2.4. One never ends: after each response a connection waits a negative time, which
 * Node makes 1 ms (with a TimeoutNegativeWarning), to look for waiting requests, and again. Requests can only wait
 * when `pending` has some. https://github.com/tulios/kafkajs/issues/1751, .../1556
 * The other one looks for requests that timed out, ten times a second on each connection; once is enough.
 *
 * Throws when kafkajs is no longer what this was written for.
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
    }, CHECK_TIMEOUTS_MS);
  };
  Object.defineProperty(prototype, PATCHED, { value: true });
}

function loadPrototype(): RequestQueue {
  const module: unknown = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
  if (typeof module !== 'function') throw new Error('kafkajs has changed: its RequestQueue is not where it was');
  // The file is not part of kafkajs's types; the methods are checked before they are replaced.
  return module.prototype as RequestQueue;
}
