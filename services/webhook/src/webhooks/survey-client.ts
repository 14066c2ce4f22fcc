import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';

/** The surveys of tenants, as far as webhooks need them. */
export interface SurveyLookup {
  /** Of some ids those of surveys that the caller's tenant has. Throws `UNAVAILABLE` without the survey service. */
  findExisting(by: Actor, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Asks the survey service. */
export function createSurveyLookup(connection: ServiceConnection): SurveyLookup {
  const client = connection.client(DefinitionService);
  return {
    async findExisting({ tenantId, actor: subject, requestId, traceparent }, ids) {
      const options = withOnBehalf({ subject: { tenantId, subject }, requestId, traceparent });
      const { surveyIds } = await client.findSurveys({ surveyIds: [...ids] }, options);
      return new Set(surveyIds);
    },
  };
}
