import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import { definitionStatuses } from './definition.ts';
import type { DefinitionSource } from './definition-service.ts';

/** How long the survey service may take. Milliseconds. */
const DEADLINE_MS = 1_000;

/** Asks the survey service, for no tenant: which one it is follows from the survey. */
export function createDefinitionClient(connection: ServiceConnection): DefinitionSource {
  const client = connection.client(DefinitionService);
  return async (surveyId) => {
    try {
      const found = await client.getDefinition({ surveyId }, { ...withOnBehalf({}), timeoutMs: DEADLINE_MS });
      const { tenantId, schemaVersion, version, definition = {} } = found;
      const status = definitionStatuses.find((known) => known === found.status);
      if (status === undefined) throw new Error(`The survey ${surveyId} is in the unknown state ${found.status}`);
      return { surveyId, tenantId: toTenantId(tenantId), status, schemaVersion, version, definition };
    } catch (error) {
      if (error instanceof AppError && error.reason === 'SURVEY_NOT_FOUND') return undefined;
      throw error;
    }
  };
}
