import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { CountRejection } from '../rate-limits/rejection-metrics.ts';
import { createLinkClient, createSlugClient } from './link-client.ts';
import { createLinkPasses } from './link-pass.ts';
import { createLinkSealer } from './link-sealer.ts';
import { createLinkService } from './link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './link-store.ts';
import { createPasswordGuesses } from './password-guesses.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly tenants: FollowedTenants;
  readonly envelope: Envelope;
  readonly countRejection: CountRejection;
}

export function createLinkModule(
  { collection, log, clock, now }: ServiceRuntime,
  { survey, tenants, envelope, countRejection }: Dependencies,
) {
  const links = createLinkService({
    store: createLinkStore(collection<LinkDocument>('links')),
    sealer: createLinkSealer(envelope),
    source: createLinkClient(survey),
    findSlug: createSlugClient(survey),
    tenants,
    passes: createLinkPasses({ cipherOf: envelope.cipherOf, clock }),
    guessPassword: createPasswordGuesses({ isPassword: createPasswordHasher().isPassword, countRejection, now }),
    log,
    clock,
    now,
  });
  return { indexes: { links: linkIndexes }, api: links };
}
