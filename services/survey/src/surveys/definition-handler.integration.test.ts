import { connectService, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { itServesDefinitions } from '@survey/runtime/testing/definition-service-contract';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe } from 'vitest';
import { createSurveyApp } from '../app.ts';

let connection: ServiceConnection;
let close: () => Promise<void>;

beforeAll(async () => {
  const keys = await createTestKeys();
  const database = await createTestDatabase();
  const config = { ...createTestConfig('survey', keys), mongodbDatabase: database.db.databaseName };
  const app = await createSurveyApp(config, testLog);
  const { grpcPort } = await app.start();
  const minter = await keys.minterOf('import');
  connection = connectService({ name: 'survey', address: `127.0.0.1:${grpcPort}`, minter });
  close = async () => {
    connection.close();
    await app.stop();
    await database.drop();
    await keys.close();
  };
});

afterAll(() => close());

describe('the survey service', () => {
  itServesDefinitions(() => connection);
});
