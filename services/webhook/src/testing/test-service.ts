import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import { createPublisher, type OutgoingMessage, type Publisher } from '@survey/runtime/kafka/publisher';
import { connectMongo, type Mongo } from '@survey/runtime/mongo/connect-mongo';
import { poll } from '@survey/runtime/testing/poll';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { createWebhookApp } from '../app.ts';
import type { WebhookConfig } from '../config.ts';
import { parseRange } from '../targets/address-rules.ts';
import { type FakeResponses, startFakeResponses } from './fake-responses.ts';
import { type FakeSurveys, startFakeSurveys } from './fake-surveys.ts';

/** A running webhook service with its own database, and a publisher of events. */
export interface TestService {
  readonly db: Mongo['db'];
  readonly ports: { readonly httpPort: number; readonly adminPort: number };
  readonly publisher: Publisher;
  readonly responses: FakeResponses;
  readonly surveys: FakeSurveys;
  call(
    method: string,
    path: string,
    options: {
      tenantId: string;
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
      /** Default: `ALL_PERMISSIONS`. */
      permissions?: readonly string[];
    },
  ): Promise<Reply>;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the members that it needs
  readonly body: any;
}

function createConfig(keys: TestKeys, addresses: Pick<WebhookConfig, 'surveyGrpcAddress' | 'responseGrpcAddress'>) {
  return {
    ...createTestConfig('webhook', keys),
    allowHttp: true,
    allowedRanges: [parseRange('127.0.0.1/32')],
    refusedRanges: [],
    allowedPorts: 'any' as const,
    dnsServers: [],
    timeoutMs: 2_000,
    leaseMarginMs: 30_000,
    concurrency: 4,
    retrySeconds: [0.1, 0.2],
    disableAfterDays: 5,
    retentionDays: 30,
    ...addresses,
    headerPrefix: 'X-Service',
    disableOnGone: true,
  };
}

const ALL_PERMISSIONS = ['webhooks:read', 'webhooks:write', 'responses:read'];

/** Resolves when the service is ready. */
export async function startTestService(settings: Partial<WebhookConfig> = {}): Promise<TestService> {
  const keys = await createTestKeys();
  const responses = await startFakeResponses(keys);
  const surveys = await startFakeSurveys(keys);
  const addresses = { surveyGrpcAddress: surveys.address, responseGrpcAddress: responses.address };
  const config = { ...createConfig(keys, addresses), ...settings };
  const app = await createWebhookApp(config, testLog);
  const ports = await app.start();
  const publisher = createPublisher({
    kafka: createKafka({ brokers: config.kafkaBrokers, clientId: 'test', log: testLog }),
  });
  const { mongodbUri: uri, mongodbDatabase: database } = config;
  const mongo = await connectMongo({ uri, database, log: testLog, registry: new Registry() });
  const minter = await keys.minterOf('gateway');
  await poll(async () => (await fetch(`http://127.0.0.1:${ports.adminPort}/readyz`)).ok);
  return {
    db: mongo.db,
    ports,
    publisher,
    responses,
    surveys,
    async call(method, path, { tenantId, body, headers, permissions = ALL_PERMISSIONS }) {
      const token = await minter.mint('webhook', { tenantId, subject: 'user-1', permissions });
      const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    async close() {
      await publisher.close();
      await app.stop();
      await responses.close();
      await surveys.stop();
      await keys.close();
      await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}

/** The event of a new survey, as the survey service publishes it. */
export function surveyCreated(tenantId: string, surveyId: string = randomUUID(), time = new Date()): OutgoingMessage {
  const event = makeEvent({
    topic: topics.survey,
    recordId: surveyId,
    revision: 1,
    type: 'survey.created',
    source: '/surveys',
    tenantId: toTenantId(tenantId),
    time,
    data: { survey_id: surveyId, title: 'Zoë 😀', version: 1, status: 'draft' },
    traceparent: '',
  });
  return toMessage(event);
}

/** The event of a response, as the response service publishes it. */
export function responseEvent(
  tenantId: string,
  type: 'response.submitted' | 'response.updated' | 'response.deleted',
  {
    responseId = randomUUID(),
    surveyId = randomUUID(),
    revision = 1,
  }: { responseId?: string; surveyId?: string; revision?: number } = {},
): OutgoingMessage {
  const event = makeEvent({
    topic: topics.response,
    recordId: responseId,
    revision,
    type,
    source: '/responses',
    tenantId: toTenantId(tenantId),
    time: new Date(),
    data: { response_id: responseId, survey_id: surveyId, survey_version: 1, status: 'completed' },
    traceparent: '',
  });
  return toMessage(event);
}
