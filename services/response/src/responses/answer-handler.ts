import { AnswerService as AnswerServiceDesc } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ResponseService } from './response-service.ts';

/** Serves answers to the webhook service. */
export function createAnswerHandler(responses: Pick<ResponseService, 'getByIds'>) {
  return implement(AnswerServiceDesc, {
    async getAnswers({ responseIds }, context) {
      const { found, postponed } = await responses.getByIds(tenantCallOf(context).tenantId, responseIds);
      const answers = found.map(({ id, revision, data }) => ({ responseId: id, revision, data }));
      return { answers, postponedIds: [...postponed] };
    },
  });
}
