import { v7 } from 'uuid';
import type { Envelope } from '../crypto/envelope.ts';
import { createIdempotency } from '../idempotency/idempotency.ts';
import {
  createIdempotencyStore,
  type IdempotencyDocument,
  idempotencyIndexes,
} from '../idempotency/idempotency-store.ts';
import type { ServiceRuntime } from './service-runtime.ts';

const COLLECTION = 'idempotency_keys';

export function createIdempotencyModule({ collection, clock }: ServiceRuntime, envelope: Envelope) {
  const store = createIdempotencyStore(collection<IdempotencyDocument>(COLLECTION));
  return {
    indexes: { [COLLECTION]: idempotencyIndexes },
    provides: createIdempotency({ store, envelope, clock, newId: v7 }),
  };
}
