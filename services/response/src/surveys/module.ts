import { InvitationService } from '@survey/proto/survey/responses/v1/invitation_service_pb';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import { parseObject } from '@survey/runtime/json/parse-json';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { CountRejection } from '../rates/rate-limits.ts';
import { createDefinitionService } from './definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definition-store.ts';
import {
  createInvitationStore,
  type InvitationDocument,
  type InvitationStore,
  invitationIndexes,
} from './invitation-store.ts';
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
  const invitations = createInvitationStore({
    collection: collection<InvitationDocument>('invitations'),
    envelope,
    definitions,
  });
  const links = createLinkService({
    ...common,
    invitations,
    store: createLinkStore(collection<LinkDocument>('links')),
    sealer: createLinkSealer(envelope),
    passes: createLinkPasses({ cipherOf: envelope.cipherOf, clock }),
    checkGuess: createCheckGuess({ isPassword: createPasswordHasher().isPassword, countRejection, now }),
  });
  return {
    handlers: [createInvitationHandler(invitations)],
    indexes: { definitions: definitionIndexes, links: linkIndexes, invitations: invitationIndexes },
    provides: { definitions, links, findEntrance: createFindEntrance({ definitions, links, clock }) },
  };
}

/** Stores invitations for the survey service. */
function createInvitationHandler(invitations: Pick<InvitationStore, 'store'>) {
  return implement(InvitationService, {
    async storeInvitations({ surveyId, linkId, invitations: given }, context) {
      const { tenantId } = tenantCallOf(context);
      const wrong = given.findIndex(({ metadata }) => parseObject(metadata) === undefined);
      if (wrong >= 0) {
        const detail = 'must be the JSON text of an object';
        const errors = [{ path: `/invitations/${wrong}/metadata`, code: 'WRONG_TYPE', detail }];
        throw new AppError('VALIDATION_FAILED', { errors });
      }
      const texts = given.map(({ id, metadata }) => ({ id, text: metadata }));
      await invitations.store({ tenantId, surveyId, linkId }, texts);
      return {};
    },
  });
}
