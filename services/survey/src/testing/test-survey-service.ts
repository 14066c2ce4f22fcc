import { randomUUID } from 'node:crypto';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { type Db, MongoClient } from 'mongodb';
import { createSurveyApp } from '../app.ts';
import { startFakeInvitations } from './fake-invitations.ts';

export type TestSurveyService = Awaited<ReturnType<typeof startTestSurveyService>>;

export const testPayload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [{ questions: [{ id: 'q1', type: 'rating', title: 'How was it?', required: true }] }],
  },
};

/** All permissions of this service, as the gateway forwards them for a user. */
const permissions = [
  ...['surveys:read', 'surveys:write', 'surveys:delete', 'surveys:export'],
  ...['projects:read', 'projects:write', 'links:read', 'links:write'],
];

interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const createTestSurveyConfig = (keys: TestKeys) => ({
  ...createTestConfig('survey', keys),
  // Nothing listens here. Tests of invitations have another address.
  responseGrpcAddress: '127.0.0.1:1',
  purgeDeletedAfterDays: 30,
});

/** Starts the survey service with its own database, and clients that call it like the gateway and other services. */
export async function startTestSurveyService() {
  const keys = await createTestKeys();
  const invitations = await startFakeInvitations(keys);
  const config = { ...createTestSurveyConfig(keys), responseGrpcAddress: invitations.address };
  const app = await createSurveyApp(config, testLog);
  const ports = await app.start();
  const gateway = await keys.minterOf('gateway');
  const address = `127.0.0.1:${ports.grpcPort}`;
  const connections = {
    gateway: await keys.connectAs('gateway', 'survey', address),
    response: await keys.connectAs('response', 'survey', address),
    import: await keys.connectAs('import', 'survey', address),
    webhook: await keys.connectAs('webhook', 'survey', address),
  };
  const client = new MongoClient(config.mongodbUri);
  const db: Db = client.db(config.mongodbDatabase);

  /** A client for a new tenant. */
  function tenant(tenantId: string = randomUUID(), allowed = permissions) {
    async function call(method: string, path: string, { body, headers = {} }: Request = {}) {
      const token = await gateway.mint('survey', { tenantId, subject: 'user-1', permissions: allowed });
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const [text, type] = [await response.text(), response.headers.get('content-type') ?? ''];
      // biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
      const parsed: any = type.startsWith('text/') ? text : text === '' ? undefined : JSON.parse(text);
      return { status: response.status, headers: response.headers, body: parsed };
    }

    return {
      id: tenantId,
      call,
      async createSurvey(change: object = {}): Promise<string> {
        return (await call('POST', '/v1/surveys', { body: { ...testPayload, ...change } })).body.id;
      },
    };
  }

  return {
    config,
    db,
    ports,
    tenant,
    connections,
    invitations,
    definitions: connections.response.client(DefinitionService),

    async close() {
      for (const connection of Object.values(connections)) connection.close();
      await app.stop();
      await invitations.close();
      await keys.close();
      await db.dropDatabase();
      await client.close();
    },
  };
}
