import { randomUUID } from 'node:crypto';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { itReturnsAnswers } from '@survey/runtime/testing/contracts/answer-contract';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { afterAll, beforeAll, describe } from 'vitest';
import { type FakeResponses, startFakeResponses } from './fake-responses.ts';

let keys: TestKeys;
let responses: FakeResponses;
let connection: ServiceConnection;

beforeAll(async () => {
  keys = await createTestKeys();
  responses = await startFakeResponses(keys);
  connection = await keys.connectAs('webhook', 'response', responses.address);
});
afterAll(async () => {
  connection.close();
  await responses.close();
  await keys.close();
});

describe('the fake response service', () => {
  itReturnsAnswers(() => ({
    connection,
    async addResponse() {
      const response = { responseId: randomUUID(), tenantId: randomUUID(), data: { ate: 'no' } };
      responses.stored.set(response.responseId, { ...response, revision: 1 });
      return response;
    },
    async removeResponse({ responseId }) {
      responses.stored.delete(responseId);
    },
  }));
});
