import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectSecuredKafka, isSecured, type SecuredKafka } from '../testing/kafka/secured-kafka.ts';
import { user } from '../testing/kafka/start-test-kafka.ts';
import { certificatesOf } from '../testing/test-certificates.ts';
import { createKafka } from './kafka-client.ts';
import { type KafkaSecurityConfig, toKafkaSecurity } from './kafka-security.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { ensureTopics, toTopicSpec } from './topics.ts';

const TOPIC = 'secured';

describe.skipIf(!isSecured)('a client of brokers with TLS and SASL', () => {
  let broker: SecuredKafka;
  let lines: string[];
  const publishers: Publisher[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

  beforeAll(async () => {
    lines = [];
    broker = await connectSecuredKafka();
    const spec = toTopicSpec(TOPIC, { partitions: 1, replication: 1, minInsync: 1 });
    await ensureTopics(broker.admin, [spec], log);
  });
  afterEach(async () => {
    await Promise.all(publishers.splice(0).map((publisher) => publisher.close()));
    lines = [];
  });
  afterAll(() => broker.close());

  const plain: KafkaSecurityConfig = {
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaTlsCertFile: undefined,
    kafkaTlsKeyFile: undefined,
    kafkaSaslMechanism: 'none',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
  };
  const trusting = { ...plain, kafkaTls: true, kafkaTlsCaFile: join(certificatesOf('first'), 'ca.crt') };
  const withPassword = (kafkaSaslMechanism: KafkaSecurityConfig['kafkaSaslMechanism'], password: string) => ({
    ...trusting,
    kafkaSaslMechanism,
    kafkaSaslUsername: user.username,
    kafkaSaslPassword: password,
  });

  async function publish(address: string, config: KafkaSecurityConfig): Promise<void> {
    const kafka = createKafka({ brokers: [address], clientId: 'test', security: toKafkaSecurity(config), log });
    const publisher = createPublisher({ kafka });
    publishers.push(publisher);
    await publisher.publish([{ topic: TOPIC, key: 'k', value: Buffer.from('v'), headers: {} }]);
  }

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'publishes with the right password, %s',
    async (mechanism) => {
      await publish(broker.sasl, withPassword(mechanism, user.password));
    },
  );

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'is rejected with a wrong password, %s, and says so without it',
    async (mechanism) => {
      const failure = await publish(broker.sasl, withPassword(mechanism, 'wrong-secret')).catch(
        (error: Error) => error,
      );
      expect(failure).toBeInstanceOf(Error);
      const said = [String(failure), (failure as Error).stack, ...lines].join('\n');
      expect(said).toMatch(/authentication failed/i);
      expect(said).not.toContain('wrong-secret');
    },
  );

  it('never logs a correct password', async () => {
    await publish(broker.sasl, withPassword('plain', user.password));
    expect(lines.join('')).not.toContain(user.password);
  });

  it('rejects a broker whose certificate another authority signed', async () => {
    const config = {
      ...withPassword('plain', user.password),
      kafkaTlsCaFile: join(certificatesOf('stranger'), 'ca.crt'),
    };
    await expect(publish(broker.sasl, config)).rejects.toThrow(/certificate/);
  });

  it('rejects a broker with a private CA if no CA is configured', async () => {
    const config = { ...withPassword('plain', user.password), kafkaTlsCaFile: undefined };
    await expect(publish(broker.sasl, config)).rejects.toThrow(/certificate/);
  });

  it('cannot connect to a TLS listener without TLS', async () => {
    await expect(publish(broker.mutualTls, plain)).rejects.toThrow();
  });

  it('presents its certificate to brokers that require one', async () => {
    const [kafkaTlsCertFile, kafkaTlsKeyFile] = [
      join(certificatesOf('second'), 'tls.crt'),
      join(certificatesOf('second'), 'tls.key'),
    ];
    await publish(broker.mutualTls, { ...trusting, kafkaTlsCertFile, kafkaTlsKeyFile });
  });

  it('is rejected without the required certificate, and with one of another CA', async () => {
    await expect(publish(broker.mutualTls, trusting)).rejects.toThrow();
    const [kafkaTlsCertFile, kafkaTlsKeyFile] = [
      join(certificatesOf('stranger'), 'tls.crt'),
      join(certificatesOf('stranger'), 'tls.key'),
    ];
    await expect(publish(broker.mutualTls, { ...trusting, kafkaTlsCertFile, kafkaTlsKeyFile })).rejects.toThrow();
  });

  it('uses rotated certificates, and the last good ones while the files are unusable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'survey-kafka-tls-'));
    try {
      const [kafkaTlsCertFile, kafkaTlsKeyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
      const put = async (from: 'second' | 'stranger') => {
        await copyFile(join(certificatesOf(from), 'tls.crt'), kafkaTlsCertFile);
        await copyFile(join(certificatesOf(from), 'tls.key'), kafkaTlsKeyFile);
      };
      await put('stranger');
      const security = toKafkaSecurity({ ...trusting, kafkaTlsCertFile, kafkaTlsKeyFile });
      const kafka = createKafka({ brokers: [broker.mutualTls], clientId: 'test', security, log });
      const publisher = createPublisher({ kafka });
      publishers.push(publisher);
      const message = { topic: TOPIC, key: 'k', value: Buffer.from('v'), headers: {} };
      await expect(publisher.publish([message])).rejects.toThrow();
      await put('second');
      await publisher.publish([message]);
      await writeFile(kafkaTlsKeyFile, 'no key');
      const another = createPublisher({ kafka });
      publishers.push(another);
      await another.publish([message]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
