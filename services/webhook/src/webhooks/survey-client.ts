import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';

export interface SurveyLookup {
  /** Returns the ids that are surveys of the caller's tenant. Throws `UNAVAILABLE` if the survey service is down. */
  findExisting(context: ChangeContext, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Looks up surveys in the survey service. */
export function createSurveyLookup(connection: ServiceConnection): SurveyLookup {
  const client = connection.client(DefinitionService);
  return {
    async findExisting({ tenantId, actor: subject, requestId, traceparent }, ids) {
      const options = callOptionsFor({ claims: { tenantId, subject }, requestId, traceparent });
      const { surveyIds } = await client.findSurveys({ surveyIds: [...ids] }, options);
      return new Set(surveyIds);
    },
  };
}
