import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import {
  type DefinitionCallers,
  itServesDefinitions,
} from '@survey/runtime/testing/contracts/definition-service-contract';
import { itStoresImportedResponses } from '@survey/runtime/testing/contracts/response-import-contract';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { afterAll, beforeAll, describe } from 'vitest';
import { startFakeServices } from './fake-services.ts';

let keys: TestKeys;
let fakes: Awaited<ReturnType<typeof startFakeServices>>;
let survey: DefinitionCallers;
let response: ServiceConnection;

beforeAll(async () => {
  keys = await createTestKeys();
  fakes = await startFakeServices(keys);
  survey = {
    import: await keys.connectAs('import', 'survey', fakes.surveyGrpcAddress),
    response: await keys.connectAs('response', 'survey', fakes.surveyGrpcAddress),
  };
  response = await keys.connectAs('import', 'response', fakes.responseGrpcAddress);
});

afterAll(async () => {
  for (const connection of Object.values(survey)) connection.close();
  response.close();
  await fakes.close();
  await keys.close();
});

describe('the fake survey service', () => {
  itServesDefinitions(() => survey);
});

describe('the fake response service', () => {
  itStoresImportedResponses(() => ({
    connection: response,
    addSurvey({ surveyId, tenantId, status, definition }) {
      const payload = { schema_version: '1.0', version: 1, survey: definition };
      fakes.state.surveys.set(surveyId, { tenantId, status, payload, createdBy: 'user-1' });
    },
  }));
});
