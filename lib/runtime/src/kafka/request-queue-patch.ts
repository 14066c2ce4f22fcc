import { createRequire } from 'node:module';

/** The part of kafkajs's class that the patch deals with. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const PATCHED = Symbol.for('survey.kafkajs.request-queue-patch');

/** What the method with the fault contains: a wait that is negative while nothing throttles the client. */
const FAULT = 'this.throttledUntil - Date.now()';

/**
 * Takes a timer out of kafkajs 2.2.4 that never ends: after each response a connection waits a negative time, which
 * Node makes 1 ms (with a TimeoutNegativeWarning), to look for waiting requests, and again. Requests can only wait
 * when `pending` has some. https://github.com/tulios/kafkajs/issues/1751, .../1556
 *
 * Throws when kafkajs is no longer what this was written for.
 */
export function patchRequestQueue(): void {
  const prototype = loadPrototype();
  if (Object.hasOwn(prototype, PATCHED)) return;
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function' || !original.toString().includes(FAULT)) {
    throw new Error(
      'kafkajs has changed: see whether its RequestQueue still needs the patch of request-queue-patch.ts',
    );
  }
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending() {
    if (this.pending.length > 0) original.call(this);
  };
  Object.defineProperty(prototype, PATCHED, { value: true });
}

function loadPrototype(): RequestQueue {
  const module: unknown = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
  if (typeof module !== 'function') throw new Error('kafkajs has changed: its RequestQueue is not where it was');
  // The file is not part of kafkajs's types; the method is checked before it is replaced.
  return module.prototype as RequestQueue;
}
