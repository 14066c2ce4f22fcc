import { PublicResponseService } from '@survey/proto/survey/responses/v1/public_response_service_pb';
import { callOf } from '@survey/runtime/rpc/call-context';
import { headers } from '@survey/runtime/rpc/headers';
import { implement } from '@survey/runtime/rpc/implementation';
import { checkOpen } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { markReplay } from './response-handler.ts';
import { fromSubmissionMessage, toPublicSurveyMessage, toSubmittedMessage } from './response-mapper.ts';
import type { SubmissionService } from './submission-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly submissions: SubmissionService;
}

/** The respondents' side. */
export function createPublicResponseHandler({ definitions, submissions }: Dependencies) {
  return implement(PublicResponseService, {
    async getPublicSurvey({ surveyId }, context) {
      const definition = await definitions.findPublic(surveyId);
      // Before anything is refused: the gateway counts refusals by tenant too.
      context.responseHeader.set(headers.tenant, definition.tenantId);
      checkOpen(definition);
      context.responseHeader.set('cache-control', 'public, max-age=1');
      return { survey: toPublicSurveyMessage(definition) };
    },

    async submitPublicResponse(request, context) {
      const submission = fromSubmissionMessage(request);
      const definition = await definitions.findPublic(request.surveyId, submission.surveyVersion);
      context.responseHeader.set(headers.tenant, definition.tenantId);
      const { response, origin } = await submissions.submitPublic(definition, {
        submission,
        idempotencyKey: readIdempotencyKey(context.requestHeader.get('idempotency-key')),
        traceparent: callOf(context).traceparent,
      });
      markReplay(origin, context);
      return { response: toSubmittedMessage(response) };
    },
  });
}
