import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { CountRejection } from '../rates/rate-limits.ts';
import { createDefinitionClient } from './definition-client.ts';
import { createDefinitionService } from './definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definition-store.ts';
import { createLinkClient, createSlugClient } from './link-client.ts';
import { createLinkPasses } from './link-pass.ts';
import { createLinkService } from './link-service.ts';
import { createLinkSealer, createLinkStore, type LinkDocument, linkIndexes } from './link-store.ts';
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

interface DefinitionModuleDependencies {
  readonly survey: ServiceConnection;
  readonly tenants: FollowedTenants;
}

export function createDefinitionModule(
  { collection, log, clock, now }: ServiceRuntime,
  { survey, tenants }: DefinitionModuleDependencies,
) {
  const store = createDefinitionStore(collection<DefinitionDocument>('definitions'));
  const source = createDefinitionClient(survey);
  return {
    indexes: { definitions: definitionIndexes },
    api: createDefinitionService({ store, source, tenants, log, clock, now }),
  };
}
