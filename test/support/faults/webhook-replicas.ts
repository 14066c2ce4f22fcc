import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InfraOptions, InfraServer } from '@survey/local/infra/infra';
import { startKafka } from '@survey/local/infra/kafka';
import { startMongo } from '@survey/local/infra/mongo';
import { createHost } from '@survey/local/process/host';
import type { Reaper } from '@survey/local/process/reaper-client';
import { signalGroup } from '@survey/local/process/signal-group';
import { type ManagedProcess, startProcess } from '@survey/local/process/start-process';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { createPublisher, type Publisher } from '@survey/runtime/kafka/publisher';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Supervised } from './supervised.ts';

/** A process of the webhook service, which is replaced when killed. Its name is its header prefix. */
export interface Replica extends Supervised {
  isReady(): Promise<boolean>;
  kill(): Promise<void>;
  /** Kills the process, and replaces it after `work`. Resolves when the new one is ready. */
  whileStopped(work: () => Promise<void>): Promise<void>;
}

interface RunningReplica extends Replica {
  readonly http: number;
  stop(): Promise<void>;
}

/** Replicas of the webhook service with their own MongoDB and Kafka. */
export interface WebhookReplicas {
  readonly replicas: readonly Replica[];
  readonly publisher: Publisher;
  /** Calls the API of an available replica. */
  call(method: string, path: string, tenantId: string, body?: unknown): Promise<unknown>;
  /** The sum of a counter over the current processes; a new process starts at 0. */
  count(metric: string): Promise<number>;
  readonly mongodbUri: string;
  readonly mongo: Supervised;
  killMongo(): Promise<void>;
  killKafka(): Promise<void>;
  close(): Promise<void>;
}

const main = join(import.meta.dirname, '../../../services/webhook/src/main.ts');
const log = (line: string) => process.stderr.write(`${line}\n`);

export async function startWebhookReplicas(count: number, env: NodeJS.ProcessEnv): Promise<WebhookReplicas> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-replicas-'));
  const { ports, reaper, close: closeHost } = createHost();
  const [mongo, kafka] = await Promise.all([
    startAgainWhenKilled(startMongo, { dataDir: join(folder, 'mongodb'), log, port: await ports.claim(27_300) }),
    startAgainWhenKilled(startKafka, { dataDir: join(folder, 'kafka'), log, port: await ports.claim(29_300) }),
  ]);
  const keys = await createTestKeys();
  const brokers = kafka.first.brokers;
  const common = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    MONGODB_URI: mongo.first.uri,
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_REPLICATION: '1',
    SETUP_ON_START: 'true',
    INTERNAL_KEY_FILE: join(folder, 'key.json'),
    INTERNAL_JWKS_FILE: keys.jwksFile,
    ENCRYPTION_KEYRING_FILE: join(folder, 'keyring.json'),
    // Unused: no webhook includes answers.
    SURVEY_GRPC_ADDRESS: '127.0.0.1:1',
    RESPONSE_GRPC_ADDRESS: '127.0.0.1:1',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    WEBHOOK_ALLOWED_PORTS: '*',
    ...env,
  };
  await writeFile(common.INTERNAL_KEY_FILE, JSON.stringify(keys.privateKeyOf('webhook')));
  const keyring = { active: 'k1', keys: { k1: randomBytes(32).toString('base64') } };
  await writeFile(common.ENCRYPTION_KEYRING_FILE, JSON.stringify(keyring));

  const running: RunningReplica[] = [];
  for (let n = 0; n < count; n += 1) {
    const [http, grpc, admin] = [await ports.claim(18_400), await ports.claim(18_500), await ports.claim(18_600)];
    const name = `replica-${n}`;
    const replica = createReplica(name, reaper, join(folder, `${name}.log`), {
      ...common,
      HTTP_PORT: String(http),
      GRPC_PORT: String(grpc),
      ADMIN_PORT: String(admin),
      // Lets a receiver identify the sender.
      WEBHOOK_HEADER_PREFIX: name,
    });
    running.push({ ...replica, http });
    await poll(replica.isReady);
  }
  const minter = await keys.minterOf('gateway');
  const publisher = createPublisher({
    kafka: createKafka({ brokers: brokers.split(','), clientId: 'test', log: testLog }),
  });

  return {
    replicas: running,
    publisher,
    async call(method, path, tenantId, body) {
      const permissions = ['webhooks:read', 'webhooks:write'];
      return poll(async () => {
        for (const { http } of running) {
          const token = await minter.mint('webhook', { tenantId, subject: 'test', permissions });
          const request = fetch(`http://127.0.0.1:${http}/v1/${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          const reply = await request.catch(() => undefined);
          if (reply?.ok) return reply.status === 204 ? {} : await reply.json();
        }
        return undefined;
      });
    },
    async count(metric) {
      const pages = running.map(async ({ admin }) => (await fetch(`${admin}/metrics`)).text());
      const values = (await Promise.all(pages)).map((page) => new RegExp(`^${metric} (\\d+)$`, 'm').exec(page)?.[1]);
      return values.reduce((sum, value) => sum + Number(value ?? 0), 0);
    },
    mongodbUri: mongo.first.uri,
    mongo: { name: 'mongodb', pid: mongo.pid, admin: undefined },
    killMongo: mongo.kill,
    killKafka: kafka.kill,
    async close() {
      await publisher.close();
      await Promise.all(running.map(({ stop }) => stop()));
      await Promise.all([mongo.stop(), kafka.stop(), keys.close()]);
      await closeHost();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createReplica(
  name: string,
  reaper: Reaper,
  logFile: string,
  env: NodeJS.ProcessEnv & { readonly ADMIN_PORT: string },
) {
  const admin = `http://127.0.0.1:${env.ADMIN_PORT}`;
  let running = start();
  let isStopping = false;
  let isAway = false;

  function start(): ManagedProcess {
    const started = startProcess({ command: process.execPath, args: [main], env, logFile, appendLog: true, reaper });
    // Restarts the process after a crash or failed start.
    void started.exited.then(startAgain);
    return started;
  }

  function startAgain(): void {
    setTimeout(() => {
      if (isStopping) return;
      if (isAway) startAgain();
      else running = start();
    }, 200);
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${admin}/readyz`).catch(() => undefined))?.ok === true;
  }

  async function kill(): Promise<void> {
    const { pid, exited } = running;
    signalGroup(pid, 'SIGKILL');
    await exited;
  }

  return {
    name,
    admin,
    pid: async () => running.pid,
    isReady,
    kill,
    async whileStopped(work: () => Promise<void>) {
      isAway = true;
      try {
        await kill();
        await work();
      } finally {
        isAway = false;
        await poll(isReady);
      }
    },
    async stop() {
      isStopping = true;
      await running.stop();
    },
  };
}

/** Restarts a server with its data and port after it was killed. */
async function startAgainWhenKilled<T extends InfraServer>(
  start: (options: InfraOptions) => Promise<T>,
  options: InfraOptions,
) {
  const first = await start(options);
  let current = first;
  async function pid(): Promise<number> {
    if (current.pid === undefined) throw new Error('the server was not started by this test');
    return current.pid;
  }
  return {
    first,
    pid,
    async kill() {
      process.kill(await pid(), 'SIGKILL');
      await current.exited;
      await current.stop();
      current = await start({ ...options, appendLog: true });
    },
    stop: () => current.stop(),
  };
}
