import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommandConfig } from './command-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string) {
  const file = join(folder, 'client.properties');
  await writeFile(file, text);
  return loadCommandConfig(file);
}

describe('the configuration of Kafka commands', () => {
  it('has addresses, SASL and TLS in the format of Kafka', async () => {
    const text = `# a comment
bootstrap.servers = one:9093,two:9093
security.protocol=SASL_SSL
sasl.mechanism: SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
  username="alice" password="a=b:c d";
ssl.truststore.type=PEM
ssl.truststore.location=/certificates/ca.crt
`;
    expect(await load(text)).toEqual({
      KAFKA_BROKERS: 'one:9093,two:9093',
      KAFKA_TLS: 'true',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'alice',
      KAFKA_SASL_PASSWORD: 'a=b:c d',
      KAFKA_TLS_CA_FILE: '/certificates/ca.crt',
    });
  });

  it('has passwords with quotes and backslashes, which are escaped for JAAS and for the file', async () => {
    const text = String.raw`sasl.jaas.config=required username="alice" password="a\\\\b\\"c";`;
    expect(await load(text)).toEqual({ KAFKA_SASL_USERNAME: 'alice', KAFKA_SASL_PASSWORD: String.raw`a\b"c` });
  });

  it('continues lines, but not comments and escaped backslashes', async () => {
    const text = String.raw`# a comment \
bootstrap.servers=\
  one:1
ssl.truststore.location=C:\\
security.protocol=PLAINTEXT
`;
    expect(await load(text)).toEqual({
      KAFKA_BROKERS: 'one:1',
      KAFKA_TLS_CA_FILE: 'C:\\',
      KAFKA_TLS: 'false',
    });
  });

  it('names all properties that cannot be used, without their values', async () => {
    const text = 'security.protocol=SECRET\nssl.truststore.type=JKS\nsasl.jaas.config=required SECRET;\nfoo=SECRET\n';
    const error = await load(text).catch((cause: Error) => cause.message);
    expect(error).toContain('security.protocol: only PLAINTEXT, SSL');
    expect(error).toContain('ssl.truststore.type: only PEM');
    expect(error).toContain('sasl.jaas.config: it has no username');
    expect(error).toContain('foo: not supported');
    expect(error).not.toContain('SECRET');
  });
});
