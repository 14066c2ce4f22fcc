import { DefinitionService, type Retention } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { RetentionSource, SurveyRetention } from './survey-walk.ts';

const DEADLINE_MS = 10_000;

/** Reads the retention of surveys from the survey service. The reply names their tenants. */
export function createRetentionClient(connection: ServiceConnection): RetentionSource {
  const client = connection.client(DefinitionService);
  return async (surveyIds) => {
    const options = { ...callOptionsFor({}), timeoutMs: DEADLINE_MS };
    const { retentions } = await client.getRetentions({ surveyIds: [...surveyIds] }, options);
    return new Map(retentions.map((retention) => [retention.surveyId, toRetention(retention)]));
  };
}

/** Throws for invalid values: a deletion cannot be undone. */
export function toRetention({ surveyId, tenantId: tenant, state, retentionDays }: Retention): SurveyRetention {
  const tenantId = toTenantId(tenant);
  if (state === 'purged') return { state, surveyId, tenantId };
  if (state !== 'kept') throw new Error(`The survey ${surveyId} has the unknown state ${state}`);
  if (retentionDays !== undefined && retentionDays < 1)
    throw new Error(`The survey ${surveyId} has an invalid retention of ${retentionDays} days`);
  return { state, surveyId, tenantId, retentionDays };
}
