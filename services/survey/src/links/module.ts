import { randomBytes } from 'node:crypto';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createInvitationClient } from './invitation-client.ts';
import { createLinkHandler } from './link-handler.ts';
import { createLinkSecrets } from './link-secrets.ts';
import { createLinkService } from './link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './link-store.ts';
import { createSlugStore, type ReservationDocument, reservationIndexes, type SlugStore } from './slug-store.ts';

/** Creates the reservations of slugs, for links, the purge of surveys and the erasure of tenants. */
export function createSlugs({ collection, clock }: ServiceRuntime): SlugStore {
  const links = collection<LinkDocument>('links');
  return createSlugStore({ collection: collection<ReservationDocument>('slug_reservations'), links, clock });
}

interface Dependencies {
  readonly slugs: SlugStore;
  readonly surveys: Parameters<typeof createLinkService>[0]['surveys'];
  readonly response: ServiceConnection;
  readonly envelope: Envelope;
  readonly idempotency: Idempotency;
}

export function createLinkModule(
  runtime: ServiceRuntime,
  { slugs, surveys, response, envelope, idempotency }: Dependencies,
) {
  const collection = runtime.collection<LinkDocument>('links');
  const relay = runtime.relay(systemScope(collection));
  const store = createLinkStore({ collection, slugs, client: runtime.mongo.client, onEvent: relay.wake });
  const secrets = createLinkSecrets({ envelope, passwords: createPasswordHasher(), randomBytes });
  const storeInvitations = createInvitationClient(response);
  const links = createLinkService({ store, secrets, surveys, storeInvitations, clock: runtime.clock, randomBytes });
  return {
    handlers: [createLinkHandler({ links, idempotency })],
    indexes: { links: [...linkIndexes, outboxIndex], slug_reservations: reservationIndexes },
    stoppedLast: [relay],
    provides: links,
  };
}
