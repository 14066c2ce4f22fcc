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

/** The respondents' side. */
export function createPublicResponseHandler(definitions: DefinitionService, submissions: SubmissionService) {
  return implement(PublicResponseService, {
    async getPublicSurvey({ surveyId }, context) {
      const definition = await definitions.findPublic(surveyId);
      checkOpen(definition);
      context.responseHeader.set(headers.tenant, definition.tenantId);
      context.responseHeader.set('cache-control', 'public, max-age=1');
      return { survey: toPublicSurveyMessage(definition) };
    },

    async submitPublicResponse(request, context) {
      const { response, origin } = await submissions.submitPublic({
        surveyId: request.surveyId,
        submission: fromSubmissionMessage(request),
        idempotencyKey: readIdempotencyKey(context.requestHeader.get('idempotency-key')),
        traceparent: callOf(context).traceparent,
      });
      context.responseHeader.set(headers.tenant, response.tenantId);
      markReplay(origin, context);
      return { response: toSubmittedMessage(response) };
    },
  });
}
