import { randomUUID } from 'node:crypto';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { itFindsSurveys } from '@survey/runtime/testing/contracts/survey-lookup-contract';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { afterAll, beforeAll, describe } from 'vitest';
import { type FakeSurveys, startFakeSurveys } from './fake-surveys.ts';

let keys: TestKeys;
let surveys: FakeSurveys;
let connection: ServiceConnection;

beforeAll(async () => {
  keys = await createTestKeys();
  surveys = await startFakeSurveys(keys);
  connection = await keys.connectAs('webhook', 'survey', surveys.address);
});
afterAll(async () => {
  connection.close();
  await surveys.stop();
  await keys.close();
});

describe('the fake survey service', () => {
  itFindsSurveys(() => ({
    connection,
    async addSurvey(tenantId) {
      const id = randomUUID();
      surveys.tenants.set(id, tenantId);
      return id;
    },
    async deleteSurvey(_, id) {
      surveys.tenants.delete(id);
    },
  }));
});
