import type { HandlerContext } from '@connectrpc/connect';
import { PublicResponseService } from '@survey/proto/survey/responses/v1/public_response_service_pb';
import { callOf } from '@survey/runtime/rpc/call-context';
import { headers } from '@survey/runtime/rpc/headers';
import { markReplayed, readIdempotencyKey } from '@survey/runtime/rpc/idempotency-key';
import { implement } from '@survey/runtime/rpc/implementation';
import { checkAccess, checkOpen, type Definition, etagOf } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { isOpenToAll } from '../links/link.ts';
import type { LinkService } from '../links/link-service.ts';
import { readVisitor } from '../links/visitor.ts';
import { fromSubmissionMessage, toPublicSurveyMessage, toSubmittedMessage } from './response-mapper.ts';
import type { SubmissionService } from './submission-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly links: LinkService;
  readonly submissions: SubmissionService;
  readonly clock: () => Date;
}

/** The respondents' side. */
export function createPublicResponseHandler({ definitions, links, submissions, clock }: Dependencies) {
  return implement(PublicResponseService, {
    async getPublicSurvey({ surveyId }, context) {
      const definition = await definitions.findPublic(surveyId);
      // Before anything is refused: the gateway counts refusals by tenant too.
      context.responseHeader.set(headers.tenant, definition.tenantId);
      checkOpen(definition, clock());
      checkAccess(definition);
      return { survey: show(definition, 'for-everybody', context) };
    },

    async getPublicLink({ slug }, context) {
      const visit = await links.visit(slug, readVisitor(context.requestHeader));
      const { link } = visit;
      context.responseHeader.set(headers.tenant, link.tenantId);
      if (visit.outcome === 'refused') throw visit.error;
      const definition = await definitions.findLinked(link.tenantId, link.surveyId);
      checkOpen(definition, clock());
      if (visit.linkToken !== undefined) context.responseHeader.set('link-token', visit.linkToken);
      return { survey: show(definition, isOpenToAll(link) ? 'for-everybody' : 'for-visitor', context) };
    },

    async submitPublicResponse(request, context) {
      const submission = fromSubmissionMessage(request);
      const definition = await definitions.findPublic(request.surveyId);
      context.responseHeader.set(headers.tenant, definition.tenantId);
      const { response, origin } = await submissions.submitPublic(
        definition,
        { submission, idempotencyKey: readIdempotencyKey(context) },
        callOf(context).traceparent,
      );
      if (origin === 'replayed') markReplayed(context);
      return { response: toSubmittedMessage(response) };
    },
  });
}

/** What a renderer needs. What everybody may see caches may keep for a moment. */
function show(definition: Definition, audience: 'for-everybody' | 'for-visitor', { responseHeader }: HandlerContext) {
  if (audience === 'for-everybody') responseHeader.set('cache-control', 'public, max-age=1');
  responseHeader.set('etag', etagOf(definition));
  return toPublicSurveyMessage(definition);
}
