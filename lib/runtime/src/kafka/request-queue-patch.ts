import { createRequire } from 'node:module';

/** The members of kafkajs's class that the patch uses. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const MODULE = 'kafkajs/src/network/requestQueue/index.js';
const PATCHED = Symbol.for('survey.patched');

/**
 * Fixes a timer of kafkajs 2.2.4 (https://github.com/tulios/kafkajs/issues/1751), once in a process. Its delay is
 * negative while the client is not throttled. Node.js warns and turns that into 1 ms, so it fires forever. The patch
 * starts it only while requests wait.
 *
 * Throws if kafkajs has changed, so that nobody updates it without looking at the patch.
 */
export function patchRequestQueue(): void {
  // kafkajs has no types for this class; the replaced method is checked.
  const { prototype } = createRequire(import.meta.url)(MODULE) as { readonly prototype: RequestQueue };
  if (Object.hasOwn(prototype, PATCHED)) return;
  const original = prototype.scheduleCheckPendingRequests;
  if (!String(original).includes('this.throttledUntil - Date.now()'))
    throw new Error(`kafkajs has changed: see whether ${MODULE} still needs the patch`);
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending() {
    if (this.pending.length > 0) original.call(this);
  };
  Object.defineProperty(prototype, PATCHED, { value: true, configurable: true });
}
