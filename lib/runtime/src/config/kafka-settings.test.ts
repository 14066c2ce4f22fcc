import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificatesOf } from '../testing/test-certificates.ts';
import { kafkaSettings } from './kafka-settings.ts';
import { ConfigError, readConfig } from './settings.ts';

const read = (env: NodeJS.ProcessEnv) => readConfig(kafkaSettings, { KAFKA_BROKERS: 'k:9092', ...env });

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ text }) => text);
    throw error;
  }
}

describe('the settings of Kafka', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survey-config-'));
    writeFileSync(join(folder, 'password'), 'secret\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const sasl = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'alice', KAFKA_SASL_PASSWORD: 'secret' };
  const tls = {
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA_FILE: join(certificatesOf('first'), 'ca.crt'),
    KAFKA_TLS_CERT_FILE: join(certificatesOf('first'), 'tls.crt'),
    KAFKA_TLS_KEY_FILE: join(certificatesOf('first'), 'tls.key'),
  };

  it('use neither TLS nor SASL by default', () => {
    expect(read({})).toMatchObject({ kafkaTls: false, kafkaTlsCaFile: undefined, kafkaSaslMechanism: 'none' });
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('accept TLS and SASL with %s', (mechanism) => {
    expect(read({ ...tls, ...sasl, KAFKA_SASL_MECHANISM: mechanism })).toMatchObject({
      kafkaTls: true,
      kafkaTlsKeyFile: tls.KAFKA_TLS_KEY_FILE,
      kafkaSaslMechanism: mechanism,
      kafkaSaslUsername: 'alice',
      kafkaSaslPassword: 'secret',
    });
  });

  it('read the password from a file', () => {
    const { KAFKA_SASL_PASSWORD: _, ...rest } = sasl;
    expect(read({ ...rest, KAFKA_SASL_PASSWORD_FILE: join(folder, 'password') }).kafkaSaslPassword).toBe('secret');
  });

  it('accept CA certificates without a client certificate', () => {
    expect(problemsOf({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: tls.KAFKA_TLS_CA_FILE })).toEqual([]);
  });

  it.each([
    ['KAFKA_TLS', { KAFKA_TLS: 'yes' }],
    ['KAFKA_TLS_CA_FILE', { KAFKA_TLS_CA_FILE: tls.KAFKA_TLS_CA_FILE }],
    ['KAFKA_TLS_CA_FILE', { ...tls, KAFKA_TLS_CA_FILE: '/not/there' }],
    ['KAFKA_TLS_CA_FILE', { ...tls, KAFKA_TLS_CA_FILE: tls.KAFKA_TLS_KEY_FILE }],
    ['KAFKA_TLS_CERT_FILE', { ...tls, KAFKA_TLS_KEY_FILE: '' }],
    ['KAFKA_TLS_KEY_FILE', { ...tls, KAFKA_TLS_CERT_FILE: '' }],
    ['KAFKA_TLS_KEY_FILE', { ...tls, KAFKA_TLS_KEY_FILE: tls.KAFKA_TLS_CERT_FILE }],
    ['KAFKA_SASL_MECHANISM', { ...sasl, KAFKA_SASL_MECHANISM: 'gssapi' }],
    ['KAFKA_SASL_USERNAME', { ...sasl, KAFKA_SASL_USERNAME: '' }],
    ['KAFKA_SASL_PASSWORD', { ...sasl, KAFKA_SASL_PASSWORD: '' }],
    ['KAFKA_SASL_PASSWORD', { KAFKA_SASL_PASSWORD: 'secret' }],
    ['KAFKA_TOPIC_MIN_INSYNC_REPLICAS', { KAFKA_TOPIC_MIN_INSYNC_REPLICAS: '4' }],
    ['KAFKA_TOPIC_MIN_INSYNC_REPLICAS', { KAFKA_TOPIC_MIN_INSYNC_REPLICAS: '0' }],
  ])('report one problem, of %s, for %o', (variable, env) => {
    const problems = problemsOf(env);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([variable]);
    expect(problems.join()).not.toContain('secret');
  });

  it('report all problems at once', () => {
    const { KAFKA_TLS: _, ...files } = tls;
    const env = {
      ...files,
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_TOPIC_REPLICATION: '1',
      KAFKA_TOPIC_MIN_INSYNC_REPLICAS: '2',
    };
    expect(problemsOf(env).map((problem) => problem.split(' ')[0])).toEqual([
      'KAFKA_TLS_CA_FILE',
      'KAFKA_TLS_CERT_FILE',
      'KAFKA_TLS_KEY_FILE',
      'KAFKA_SASL_USERNAME',
      'KAFKA_SASL_PASSWORD',
      'KAFKA_TOPIC_MIN_INSYNC_REPLICAS',
    ]);
  });
});
