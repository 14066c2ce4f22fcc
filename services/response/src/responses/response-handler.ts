import { ResponseService as ResponseServiceDesc } from '@survey/proto/survey/responses/v1/response_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { markReplayed, readIdempotencyKey } from '@survey/runtime/rpc/idempotency-key';
import { implement } from '@survey/runtime/rpc/implementation';
import { fromSubmissionMessage, toResponseMessage } from './response-mapper.ts';
import type { ResponseService } from './response-service.ts';
import type { SubmissionService } from './submission-service.ts';

interface Dependencies {
  readonly responses: ResponseService;
  readonly submissions: SubmissionService;
}

export function createResponseHandler({ responses, submissions }: Dependencies) {
  return implement(ResponseServiceDesc, {
    async createResponse(request, context) {
      const { response, origin } = await submissions.submitFor(tenantCallOf(context), request.surveyId, {
        submission: fromSubmissionMessage(request),
        idempotencyKey: readIdempotencyKey(context),
      });
      context.responseHeader.set('location', `${API_PREFIX}/responses/${response.id}`);
      if (origin === 'replayed') markReplayed(context);
      return { response: toResponseMessage(response) };
    },

    async listResponses({ surveyId, random, ...asked }, context) {
      const query = toPageQuery(asked);
      const { tenantId } = tenantCallOf(context);
      if (random) {
        if (query.cursor !== undefined) throw new AppError('INVALID_REQUEST', { errors: [CURSOR_WITH_RANDOM] });
        const sample = await responses.sample(tenantId, surveyId, query.limit);
        return { responses: sample.map(toResponseMessage) };
      }
      const page = await responses.list(tenantId, surveyId, query);
      return { responses: page.items.map(toResponseMessage), nextCursor: page.nextCursor ?? '' };
    },

    async countResponses({ surveyId }, context) {
      return { count: await responses.count(tenantCallOf(context).tenantId, surveyId) };
    },

    async getResponse({ responseId }, context) {
      return { response: toResponseMessage(await responses.get(tenantCallOf(context).tenantId, responseId)) };
    },
  });
}

const CURSOR_WITH_RANDOM = { path: '/cursor', code: 'NOT_WITH_RANDOM', detail: 'a random sample has no pages' };
