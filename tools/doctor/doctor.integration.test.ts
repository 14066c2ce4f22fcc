import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMongo } from '@survey/local/infra/mongo';
import { ensureKeys, type KeyFiles } from '@survey/local/stack/keys';
import type { Variables } from '@survey/local/stack/plan-processes';
import { serviceNames } from '@survey/local/stack/services';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { countDeadLetters } from '@survey/runtime/kafka/dead-letters';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { deadLetterTopic, ensureTopics, toTopicSpec } from '@survey/runtime/kafka/topics';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createRegistry } from '@survey/runtime/telemetry/metrics';
import { connectSecuredKafka, isSecured, type SecuredKafka } from '@survey/runtime/testing/kafka/secured-kafka';
import { startTestKafka, type TestKafka, user } from '@survey/runtime/testing/kafka/start-test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { certificatesOf } from '@survey/runtime/testing/test-certificates';
import { testLog } from '@survey/runtime/testing/test-log';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { platformTopics } from '../admin/consumer-groups.ts';
import type { Installation, InstalledProcess } from '../admin/installation.ts';
import manifest from '../package.json' with { type: 'json' };
import { checkProcesses } from './check-processes.ts';
import { examine } from './doctor.ts';
import type { Finding } from './finding.ts';
import indexes from './indexes.json' with { type: 'json' };
import { repair } from './repair.ts';

const script = fileURLToPath(new URL('../admin/admin.ts', import.meta.url));
const options = { clock: () => new Date(), version: manifest.version, indexes };
const shape = { partitions: 2, replication: 1, minInsync: 1 };
const NOWHERE = '127.0.0.1:1';

async function startServer(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let folder: string;
let keys: KeyFiles;
/** Not the shared one, whose topics other tests create. */
let broker: TestKafka;
let kafka: SecuredKafka;
let plainBrokers: string;
let client: MongoClient;
let processes: Awaited<ReturnType<typeof startServer>>;
/** A healthy installation, which each test breaks in one way. */
let healthy: Installation;
let databases: ReadonlyMap<string, Db>;

describe.skipIf(!isSecured)('the doctor', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    keys = await ensureKeys(folder);
    [broker, client] = await Promise.all([
      startTestKafka(join(folder, 'kafka'), (line) => testLog.info(line)),
      new MongoClient(inject('mongodbUri')).connect(),
    ]);
    kafka = await connectSecuredKafka(broker);
    plainBrokers = kafka.plain;
    const id = randomUUID().slice(0, 8);
    databases = new Map(serviceNames.map((name) => [name, client.db(`doctor-${id}-${name}`)]));
    await createTopics(platformTopics);
    await startGroups();
    const registry = createRegistry({ service: 'any' });
    const metrics = await registry.metrics();
    processes = await startServer((request, response) => {
      if (request.url === '/metrics') response.end(metrics);
      else response.end(JSON.stringify({ ready: true, checks: { database: true, queue: true } }));
    });
  });

  beforeEach(async () => {
    await Promise.all([...databases].map(([name, db]) => ensureIndexes(db, indexes[name as keyof typeof indexes])));
    healthy = {
      gateway: 'http://127.0.0.1',
      keys_folder: folder,
      processes: {
        gateway: { admin: processes.url, env: gatewayEnv() },
        ...Object.fromEntries(serviceNames.map((name) => [name, service(name)])),
      },
    };
  });

  afterAll(async () => {
    for (const db of databases.values()) await db.dropDatabase();
    await kafka.close();
    await Promise.all([broker.stop(), client.close(), processes.close()]);
    await rm(folder, { recursive: true });
  });

  const service = (name: (typeof serviceNames)[number]): InstalledProcess => ({
    admin: processes.url,
    env: {
      MONGODB_URI: inject('mongodbUri'),
      MONGODB_DATABASE: databases.get(name)?.databaseName ?? '',
      KAFKA_BROKERS: plainBrokers,
      KAFKA_TOPIC_PARTITIONS: String(shape.partitions),
      KAFKA_TOPIC_REPLICATION: String(shape.replication),
      INTERNAL_KEY_FILE: keys.internalKeyOf(name),
      INTERNAL_JWKS_FILE: keys.internalJwks,
      ENCRYPTION_KEYRING_FILE: keys.encryptionKeyring,
      SURVEY_GRPC_ADDRESS: 'survey:9090',
      RESPONSE_GRPC_ADDRESS: 'response:9090',
    },
  });

  const gatewayEnv = (): Variables => ({
    INTERNAL_KEY_FILE: keys.internalKeyOf('gateway'),
    JWT_JWKS_FILE: keys.internalJwks,
    IDENTITY_GRPC_ADDRESS: 'identity:9090',
    ...Object.fromEntries(
      serviceNames.flatMap((name) => [
        [`${name.toUpperCase()}_URL`, `http://${name}:8080`],
        [`${name.toUpperCase()}_ADMIN_URL`, `http://${name}:9464`],
      ]),
    ),
  });

  /** The healthy installation with other variables of all services. */
  const withEnv = (env: Variables): Installation => ({
    ...healthy,
    processes: Object.fromEntries(
      Object.entries(healthy.processes).map(([name, process]) => [
        name,
        name === 'gateway' ? process : { ...process, env: { ...process.env, ...env } },
      ]),
    ),
  });

  const createTopics = (names: readonly string[]) =>
    ensureTopics(
      kafka.admin,
      names.map((name) => toTopicSpec(name, shape)),
      testLog,
    );

  /** Waits until Kafka serves consumer groups: a new server prepares them at the first request, for some seconds. */
  async function startGroups(): Promise<void> {
    const admin = kafka.admin.admin();
    await admin.connect();
    for (const topic of Object.values(topics)) await poll(() => countDeadLetters(admin, topic));
    await admin.disconnect();
  }

  async function deleteTopics(names: readonly string[]): Promise<void> {
    const admin = kafka.admin.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [...names] });
    await expect.poll(async () => (await admin.listTopics()).filter((name) => names.includes(name))).toEqual([]);
    await admin.disconnect();
  }

  async function problemsOf(installation: Installation, changed = {}): Promise<readonly Finding[]> {
    const findings = await examine(installation, { ...options, ...changed });
    for (const { level, remedy } of findings) expect(remedy === undefined).toBe(level === 'ok');
    return findings.filter(({ level }) => level === 'problem');
  }

  /** The problem is reported for each service, or once if all services have it. */
  const expectOnly = (findings: readonly Finding[], detail: RegExp, remedy: RegExp, subject = /./) => {
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings)
      expect(finding).toMatchObject({
        subject: expect.stringMatching(subject),
        detail: expect.stringMatching(detail),
        remedy: expect.stringMatching(remedy),
      });
  };

  it('finds no problem in a healthy installation', async () => {
    expect(await problemsOf(healthy)).toEqual([]);
  });

  it('finds a missing index and an index with another definition', async () => {
    await databases.get('survey')?.collection('surveys').dropIndexes();
    expectOnly(await problemsOf(healthy), /missing indexes: surveys\./, /repair --execute/, /database of survey/);
    await ensureIndexes(databases.get('survey') as Db, {
      surveys: [{ name: indexes.survey.surveys[0]?.name ?? '', key: { other: 1 } }],
    });
    const findings = await problemsOf(healthy);
    expect(findings).toContainEqual(
      expect.objectContaining({
        detail: `indexes with another definition: surveys.${indexes.survey.surveys[0]?.name}`,
      }),
    );
    await databases.get('survey')?.collection('surveys').dropIndexes();
  });

  it('finds missing topics, topics with other settings and with fewer partitions', async () => {
    const name = deadLetterTopic(topics.webhook);
    await deleteTopics([name]);
    expectOnly(
      await problemsOf(healthy),
      new RegExp(`missing topics: ${name}$`),
      /set-up again/,
      /Kafka of identity, /,
    );
    await ensureTopics(
      kafka.admin,
      [{ ...toTopicSpec(name, shape), config: { 'max.message.bytes': '1000' } }],
      testLog,
    );
    const findings = await problemsOf(healthy);
    expect(findings).toContainEqual(
      expect.objectContaining({
        detail: `max.message.bytes of ${name} is 1000, expected 1064972`,
        remedy: expect.stringContaining('--add-config max.message.bytes=1064972'),
      }),
    );
    await deleteTopics([name]);
    await createTopics([name]);
    const more = await examine(withEnv({ KAFKA_TOPIC_PARTITIONS: '3' }), options);
    expect(more).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        detail: expect.stringMatching(/^partitions of .* is 2, expected 3$/),
      }),
    );
    expectOnly(
      await problemsOf(withEnv({ KAFKA_TOPIC_REPLICATION: '3' })),
      /1 broker|min\.insync/,
      /replication|kafka-configs/,
    );
  });

  it('looks with the credentials of a service only at its topics', async () => {
    const name = deadLetterTopic(topics.webhook);
    await deleteTopics([name]);
    const { webhook, ...others } = healthy.processes;
    const env = { ...webhook?.env, KAFKA_BROKERS: `${plainBrokers},${plainBrokers}` };
    const findings = await problemsOf({ ...healthy, processes: { ...others, webhook: { ...webhook, env } } });
    expect(findings.map(({ subject, detail }) => [subject, detail])).toEqual([
      ['Kafka of webhook', `missing topics: ${name}`],
    ]);
    await createTopics([name]);
  });

  it('finds an unreachable MongoDB', async () => {
    const uri = `mongodb://${NOWHERE}/?replicaSet=rs0`;
    expectOnly(await problemsOf(withEnv({ MONGODB_URI: uri })), /cannot be reached/, /NetworkPolicies/, /^MongoDB of/);
    expectOnly(await problemsOf(withEnv({ MONGODB_URI: 'mongo://x' })), /scheme/i, /connection string/);
    const balanced = `mongodb://${NOWHERE}/?loadBalanced=true&connectTimeoutMS=1000`;
    expectOnly(await problemsOf(withEnv({ MONGODB_URI: balanced })), /^cannot be reached/, /NetworkPolicies/);
  });

  it('finds a MongoDB without a replica set', async () => {
    const log = (line: string) => testLog.info(line);
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const alone = await startMongo({ dataDir: join(folder, 'alone'), standalone: true, log, env });
    try {
      for (const uri of [alone.uri, `${alone.uri}?replicaSet=rs0`])
        expect(await problemsOf(withEnv({ MONGODB_URI: uri }))).toContainEqual(
          expect.objectContaining({
            detail: 'the server is not a member of a replica set',
            remedy: expect.stringContaining('rs.initiate()'),
          }),
        );
    } finally {
      await alone.stop();
    }
  });

  it('finds an unreachable Kafka', async () => {
    expectOnly(
      await problemsOf(withEnv({ KAFKA_BROKERS: NOWHERE })),
      /cannot be reached/,
      /kafka\.brokers/,
      /^Kafka of/,
    );
  });

  it('finds a wrong SASL password, a wrong CA, and a listener that needs TLS', async () => {
    const ca = join(certificatesOf('first'), 'ca.crt');
    const secured = {
      KAFKA_BROKERS: kafka.sasl.replace('127.0.0.1', 'localhost'),
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: ca,
      KAFKA_SASL_MECHANISM: 'scram-sha-256',
      KAFKA_SASL_USERNAME: user.username,
      KAFKA_SASL_PASSWORD: user.password,
    };
    const wrong = await problemsOf(withEnv({ ...secured, KAFKA_SASL_PASSWORD: 'wrong' }));
    expectOnly(wrong, /authentication|credentials/i, /kafka\.sasl/);
    const stranger = join(certificatesOf('stranger'), 'ca.crt');
    expectOnly(await problemsOf(withEnv({ ...secured, KAFKA_TLS_CA_FILE: stranger })), /certificate/, /kafka\.tls/);
    const plain = await problemsOf(withEnv({ KAFKA_BROKERS: kafka.mutualTls }));
    expectOnly(plain, /cannot be reached/, /needs TLS or SASL/);
  });

  it('finds missing and wrong encryption keys', async () => {
    const missing = await problemsOf(withEnv({ ENCRYPTION_KEYRING_FILE: join(folder, 'nowhere.json') }));
    expectOnly(missing, /ENOENT/, /from your copy/, /encryption keys of/);
    const collection = databases.get('response')?.collection<DataKeyDocument>('data_keys');
    if (collection === undefined) throw new Error('no database');
    const envelope = createEnvelope({
      collection,
      keyring: async () =>
        parseKeyring(JSON.stringify({ active: 'k9', keys: { k9: randomBytes(32).toString('base64') } })),
      clock: () => new Date(),
    });
    await envelope.rotate(toTenantId(randomUUID()));
    expectOnly(await problemsOf(healthy), /lacks keys .*: k9$/, /from your copy/, /encryption keys of response/);
    await collection.deleteMany({});
  });

  it('finds an internal key that the services do not know', async () => {
    const jwks = JSON.parse(await readFile(keys.internalJwks, 'utf8'));
    const others = join(folder, 'others.json');
    const known = jwks.keys.filter(({ caller }: { caller: string }) => caller !== 'webhook');
    await writeFile(others, JSON.stringify({ keys: known }));
    const findings = await problemsOf(withEnv({ INTERNAL_JWKS_FILE: others }));
    expectOnly(findings, /not known to survey, response/, /public key/, /internal key of webhook/);
  });

  it('finds expired certificates, and certificates of another host', async () => {
    const tls = withEnv({ TLS_DIR: certificatesOf('first') });
    const late = await problemsOf(tls, { clock: () => new Date('2127-01-01T00:00:00Z') });
    expect(late).toContainEqual(
      expect.objectContaining({
        subject: 'certificate of survey',
        detail: expect.stringContaining('expired at 2126'),
        remedy: expect.stringContaining('renew it'),
      }),
    );
    const withEach = (members: object): Installation => ({
      ...tls,
      processes: Object.fromEntries(
        Object.entries(tls.processes).map(([name, one]) => [name, { ...one, ...(name === 'gateway' ? {} : members) }]),
      ),
    });
    expect(await problemsOf(withEach({ grpc: 'localhost:9090' }))).toEqual([]);
    const findings = await problemsOf(withEach({ grpc: 'survey-survey-pods:9090' }));
    expectOnly(findings, /is not valid for survey-survey-pods/, /issue it for/);
    // With a forwarded port, the folder has the certificate of the operator, which needs no host name.
    const forwarded = withEach({ grpc: '127.0.0.1:1', tls_name: 'survey-survey-pods' });
    expect(await problemsOf(forwarded)).toEqual([]);
    const subjects = (await examine(forwarded, options)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('certificate of'))).toEqual(['certificate of this command']);
  });

  it('finds clocks that differ', async () => {
    // The duration of a request does not count as a difference, and can be seconds on a busy machine.
    const findings = await problemsOf(healthy, { clock: () => new Date(Date.now() + 600_000) });
    expectOnly(findings, /^its clock is (59\d\.\d|600\.0) s behind/, /NTP/);
    expect(findings.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['gateway', 'webhook']));
    expect(findings.some(({ subject }) => subject.startsWith('MongoDB of'))).toBe(true);
  });

  it('finds another version', async () => {
    const findings = await problemsOf(healthy, { version: '99.0.0' });
    expectOnly(findings, /version .* but this command has version 99\.0\.0/, /finish the upgrade or the rollback/);
    expect(findings).toHaveLength(serviceNames.length + 1);
  });

  it('finds processes that do not reply or are not ready, and invalid settings', async () => {
    const broken = await startServer((_request, response) => {
      response.writeHead(503).end(JSON.stringify({ ready: false, checks: { database: true, queue: false } }));
    });
    const { survey, response, ...others } = healthy.processes;
    const installation = {
      ...healthy,
      processes: {
        ...others,
        survey: { ...survey, admin: `http://${NOWHERE}`, env: survey?.env ?? {} },
        response: { ...response, admin: broken.url, env: { ...response?.env, KAFKA_TLS: 'maybe' } },
      },
    };
    const findings = await problemsOf(installation);
    await broken.close();
    expect(findings.map(({ subject, detail }) => `${subject}: ${detail}`)).toEqual([
      expect.stringContaining('settings of response: KAFKA_TLS'),
      expect.stringContaining('survey: does not reply'),
      'response: is not ready: queue',
    ]);
  });

  it('finds invalid settings of single processes, and quotes no secret', async () => {
    const secret = 'secret-of-metrics';
    const wrong: Readonly<Record<string, Variables>> = {
      gateway: { METRICS_PAGE: 'everything', METRICS_TOKEN: secret, IDENTITY_URL: '' },
      webhook: { WEBHOOK_ALLOWED_RANGES: 'everywhere', WEBHOOK_ALLOW_HTTP: 'perhaps' },
      import: { RESPONSE_GRPC_ADDRESS: '' },
      response: { INTERNAL_KEY: secret },
    };
    const changed = Object.entries(healthy.processes).map(([name, process]) => [
      name,
      { ...process, env: { ...process.env, ...wrong[name] } },
    ]);
    const findings = await problemsOf({ ...healthy, processes: Object.fromEntries(changed) });
    expect(new Set(findings.map(({ subject, detail }) => `${subject}: ${detail.split(' ')[0]}`))).toEqual(
      new Set([
        'settings of gateway: METRICS_PAGE',
        'settings of gateway: IDENTITY_URL',
        'settings of webhook: WEBHOOK_ALLOWED_RANGES',
        'settings of webhook: WEBHOOK_ALLOW_HTTP',
        'settings of import: RESPONSE_GRPC_ADDRESS',
        'settings of response: INTERNAL_KEY',
      ]),
    );
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it('finds too few ready processes, and checks the others if one does not reply', async () => {
    const { survey, gateway, ...others } = healthy.processes;
    const more = {
      gateway: { ...gateway, replicas: 3, env: gateway?.env ?? {} },
      survey: { ...survey, replicas: 1, env: survey?.env ?? {} },
    };
    const findings = await problemsOf({ ...healthy, processes: { ...others, ...more } });
    expectOnly(findings, /^only 1 of 3 processes are ready$/, /kubectl get pods/, /^gateway$/);
    const silent = await startServer(({ socket }) => socket.destroy());
    // Both addresses of the name, of which only the first has a server.
    const port = Number(new URL(silent.url).port);
    const one = [{ name: 'survey', admin: `http://survey-pods:${port}` }];
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    const replies = createServer((_request, response) => response.end('{}')).listen(port, '::1');
    await once(replies, 'listening');
    const each = await checkProcesses(one, { ...options, resolve });
    replies.close();
    await silent.close();
    expect(each).toContainEqual(
      expect.objectContaining({
        subject: expect.stringContaining('127.0.0.1'),
        detail: expect.stringMatching(/^does not reply/),
      }),
    );
    expect(each).toContainEqual(expect.objectContaining({ level: 'ok', subject: expect.stringContaining('[::1]') }));
  });

  it('warns of settings from elsewhere, and finds no problem in them', async () => {
    const { survey, response, webhook, ...others } = healthy.processes;
    const { MONGODB_URI: _uri, ENCRYPTION_KEYRING: _keys, ENCRYPTION_KEYRING_FILE: _file, ...env } = survey?.env ?? {};
    const { KAFKA_BROKERS: _brokers, ...rest } = response?.env ?? {};
    // Correct only together with a variable whose value is not known.
    const withSasl = { ...webhook?.env, KAFKA_SASL_USERNAME: 'survey', KAFKA_SASL_MECHANISM: 'plain' };
    const installation = {
      ...healthy,
      processes: {
        ...others,
        survey: {
          ...survey,
          env,
          unknown_env: { variables: ['MONGODB_URI', 'ENCRYPTION_KEYRING_FILE'], others: false },
        },
        response: { ...response, env: rest, unknown_env: { variables: [], others: true } },
        webhook: { ...webhook, env: withSasl, unknown_env: { variables: ['KAFKA_SASL_PASSWORD'], others: false } },
      },
    };
    expect(await problemsOf(installation)).toEqual([]);
    const findings = await examine(installation, options);
    const warnings = findings.filter(({ detail }) => detail.startsWith('not checkable here'));
    expect(warnings.map(({ subject, detail }) => [subject, detail.replace(/.*: /, '')])).toEqual([
      ['settings of survey', 'MONGODB_URI, ENCRYPTION_KEYRING_FILE'],
      ['settings of response', 'those of envFrom'],
      ['settings of webhook', 'KAFKA_SASL_PASSWORD'],
    ]);
  });

  it('warns of dead letters', async () => {
    const publisher = createPublisher({ kafka: kafka.admin });
    await publisher.publish([{ topic: deadLetterTopic(topics.audit), key: 'a', value: Buffer.from('x'), headers: {} }]);
    await publisher.close();
    const findings = await examine(healthy, options);
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'warning', subject: 'dead letters of audit.events', detail: '1 not replayed' }),
    );
    await deleteTopics([deadLetterTopic(topics.audit)]);
    await createTopics([deadLetterTopic(topics.audit)]);
  });

  it('repairs missing indexes and topics, and says what it would do', async () => {
    await databases.get('webhook')?.collection('webhooks').dropIndexes();
    await deleteTopics([topics.import]);
    const [index] = indexes.webhook.webhooks;
    const missing = {
      indexes: expect.arrayContaining([`${databases.get('webhook')?.databaseName}.webhooks.${index?.name}`]),
      topics: [topics.import],
      unchecked: [],
    };
    expect(await repair(healthy, { indexes, execute: false })).toEqual(missing);
    expect(await problemsOf(healthy)).toHaveLength(2);
    expect(await repair(healthy, { indexes, execute: true })).toEqual(missing);
    expect(await problemsOf(healthy)).toEqual([]);
    expect(await repair(healthy, { indexes, execute: true })).toEqual({ indexes: [], topics: [], unchecked: [] });
  });

  it('touches no database whose name is not known', async () => {
    const { webhook, ...others } = healthy.processes;
    const { MONGODB_DATABASE: _name, ...env } = webhook?.env ?? {};
    const unknown = { variables: ['MONGODB_DATABASE'], others: false };
    const installation = { ...healthy, processes: { ...others, webhook: { ...webhook, env, unknown_env: unknown } } };
    expect(await problemsOf(installation)).toEqual([]);
    expect(await repair(installation, { indexes, execute: true })).toEqual({
      indexes: [],
      topics: [],
      unchecked: ['webhook'],
    });
  });

  it('prints what to do, and its exit code says whether', async () => {
    const run = async (installation: Installation) => {
      const file = join(folder, 'installation.json');
      await writeFile(file, JSON.stringify(installation));
      const env = { ...process.env, SURVEY_INSTALLATION: file };
      return new Promise<{ code: number; stdout: string }>((resolve) => {
        execFile(process.execPath, [script, 'doctor'], { env }, (error, stdout) =>
          resolve({ code: error ? Number(error.code) : 0, stdout }),
        );
      });
    };
    const good = await run(healthy);
    expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n0 problems, \d+ warnings, \d+ ok\n$/) });
    const bad = await run(withEnv({ KAFKA_BROKERS: NOWHERE }));
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(
      /\nproblem {2}Kafka of .*: cannot be reached: .*\n +-> check kafka\.brokers.*\n1 problems, /,
    );
  });
});
