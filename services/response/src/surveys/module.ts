import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { CountRejection } from '../rates/rate-limits.ts';
import { createDefinitionService } from './definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definition-store.ts';
import { createLinkPasses } from './link-pass.ts';
import { createFindEntrance, createLinkService } from './link-service.ts';
import { createLinkSealer, createLinkStore, type LinkDocument, linkIndexes } from './link-store.ts';
import { createCheckGuess } from './password-guesses.ts';
import { createSurveyClient } from './survey-client.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly tenants: FollowedTenants;
  readonly envelope: Envelope;
  readonly countRejection: CountRejection;
}

/** Reads surveys and links of the survey service. */
export function createSurveyModule(
  { collection, log, clock, now }: ServiceRuntime,
  { survey, tenants, envelope, countRejection }: Dependencies,
) {
  const source = createSurveyClient(survey);
  const common = { source, tenants, log, clock, now };
  const store = createDefinitionStore(collection<DefinitionDocument>('definitions'));
  const definitions = createDefinitionService({ ...common, store });
  const links = createLinkService({
    ...common,
    store: createLinkStore(collection<LinkDocument>('links')),
    sealer: createLinkSealer(envelope),
    passes: createLinkPasses({ cipherOf: envelope.cipherOf, clock }),
    checkGuess: createCheckGuess({ isPassword: createPasswordHasher().isPassword, countRejection, now }),
  });
  return {
    indexes: { definitions: definitionIndexes, links: linkIndexes },
    provides: { definitions, links, findEntrance: createFindEntrance({ definitions, links, clock }) },
  };
}
