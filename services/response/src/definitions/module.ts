import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createDefinitionClient } from './definition-client.ts';
import { createDefinitionService } from './definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definition-store.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly tenants: FollowedTenants;
}

export function createDefinitionModule(
  { collection, log, clock, now }: ServiceRuntime,
  { survey, tenants }: Dependencies,
) {
  const store = createDefinitionStore(collection<DefinitionDocument>('definitions'));
  const source = createDefinitionClient(survey);
  return {
    indexes: { definitions: definitionIndexes },
    api: createDefinitionService({ store, source, tenants, log, clock, now }),
  };
}
