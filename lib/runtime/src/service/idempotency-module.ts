import type { Envelope } from '../crypto/envelope.ts';
import { idempotencyIndexes } from '../idempotency/idempotency-store.ts';
import type { ServiceRuntime } from './service-runtime.ts';

/** Idempotent calls, stored in the collection `idempotency_keys`. */
export function createIdempotencyModule(runtime: ServiceRuntime, envelope: Envelope) {
  return { indexes: { idempotency_keys: idempotencyIndexes }, api: runtime.idempotency(envelope) };
}
