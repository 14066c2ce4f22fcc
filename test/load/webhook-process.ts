import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@survey/local/infra/kafka';
import { startMongo } from '@survey/local/infra/mongo';
import { createHost } from '@survey/local/process/host';
import { startProcess } from '@survey/local/process/start-process';
import { untilReady } from '@survey/local/process/until-ready';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { createPublisher, type Publisher } from '@survey/runtime/kafka/publisher';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';

/** The webhook service alone, with its own MongoDB and Kafka. */
export interface WebhookProcess {
  readonly pid: number;
  readonly mongoPid: number | undefined;
  readonly mongodbUri: string;
  readonly publisher: Publisher;
  /** Creates a webhook for all events of a tenant. */
  createWebhook(tenantId: string, url: string): Promise<string>;
  /** Its metrics page. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

const main = join(import.meta.dirname, '../../services/webhook/src/main.ts');

/** `nodeArgs` are for profiling, for example `--cpu-prof`. */
export async function startWebhookProcess(nodeArgs: readonly string[] = []): Promise<WebhookProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const log = (line: string) => console.error(line);
  const [mongo, kafka] = await Promise.all([
    startMongo({ dataDir: join(folder, 'mongodb'), log }),
    startKafka({ dataDir: join(folder, 'kafka'), log }),
  ]);
  const keys = await createTestKeys();
  const keyring = join(folder, 'keyring.json');
  await writeFile(keyring, JSON.stringify({ active: 'k1', keys: { k1: randomBytes(32).toString('base64') } }));
  const internalKey = join(folder, 'key.json');
  await writeFile(internalKey, JSON.stringify(keys.privateKeyOf('webhook')));
  const { ports, reaper, close: closeHost } = createHost();
  const [http, grpc, admin] = [await ports.claim(18_100), await ports.claim(18_200), await ports.claim(18_300)];
  const logFile = join(tmpdir(), 'survey-bench-webhook.log');
  const service = startProcess({
    command: process.execPath,
    args: [...nodeArgs, main],
    env: {
      HOST: '127.0.0.1',
      HTTP_PORT: String(http),
      GRPC_PORT: String(grpc),
      ADMIN_PORT: String(admin),
      LOG_LEVEL: 'warn',
      MONGODB_URI: mongo.uri,
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_TOPIC_REPLICATION: '1',
      SETUP_ON_START: 'true',
      INTERNAL_KEY_FILE: internalKey,
      INTERNAL_JWKS_FILE: keys.jwksFile,
      ENCRYPTION_KEYRING_FILE: keyring,
      SURVEY_GRPC_ADDRESS: '127.0.0.1:1',
      RESPONSE_GRPC_ADDRESS: '127.0.0.1:1',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      WEBHOOK_ALLOWED_PORTS: '*',
    },
    logFile,
    reaper,
  });
  const minter = await keys.minterOf('gateway');
  const publisher = createPublisher({
    kafka: createKafka({ brokers: kafka.brokers.split(','), clientId: 'bench', log: testLog }),
  });
  const admins = `http://127.0.0.1:${admin}`;
  const isReady = async () => (await fetch(`${admins}/readyz`)).ok;
  await untilReady(service, logFile, async () => void (await poll(isReady, { timeoutMs: 60_000 })));
  return {
    pid: service.pid,
    mongoPid: mongo.pid,
    mongodbUri: mongo.uri,
    publisher,
    async createWebhook(tenantId, url) {
      const permissions = ['webhooks:read', 'webhooks:write'];
      const token = await minter.mint('webhook', { tenantId, subject: 'bench', permissions });
      const response = await fetch(`http://127.0.0.1:${http}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url, event_types: ['*'] }),
      });
      if (response.status !== 201) throw new Error(`cannot create a webhook: ${await response.text()}`);
      // The reply is a webhook.
      return ((await response.json()) as { id: string }).id;
    },
    metrics: async () => (await fetch(`${admins}/metrics`)).text(),
    async stop() {
      await publisher.close();
      await service.stop();
      await Promise.all([mongo.stop(), kafka.stop(), keys.close(), closeHost()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
