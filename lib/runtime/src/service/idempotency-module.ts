import type { Envelope } from '../crypto/envelope.ts';
import { idempotencyIndexes } from '../idempotency/idempotency-store.ts';
import type { ServiceRuntime } from './service-runtime.ts';

/** Replies to calls with an `Idempotency-Key`, kept in the collection `idempotency_keys`. */
export function createIdempotencyModule(runtime: ServiceRuntime, envelope: Envelope) {
  return { indexes: { idempotency_keys: idempotencyIndexes }, api: runtime.idempotency(envelope) };
}
