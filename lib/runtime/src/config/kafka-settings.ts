import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { choice, flag, integer, list, optionalInteger, optionalText } from './kinds.ts';
import type { Setting } from './settings.ts';

type Check = NonNullable<Setting<unknown>['check']>;

const requiresTls =
  (env: string): Check =>
  (rawValueOf) =>
    rawValueOf(env) !== '' && rawValueOf('KAFKA_TLS') !== 'true' ? 'is set, which needs KAFKA_TLS=true' : undefined;

const requires =
  (env: string, other: string): Check =>
  (rawValueOf) =>
    rawValueOf(env) !== '' && rawValueOf(other) === '' ? `is set, which needs ${other}` : undefined;

/** Returns the check of a credential, which is required with SASL and not allowed without SASL. */
const onlyWithSasl =
  (env: string): Check =>
  (rawValueOf) => {
    const isSaslOn = rawValueOf('KAFKA_SASL_MECHANISM') !== 'none';
    if (isSaslOn === (rawValueOf(env) !== '')) return undefined;
    return isSaslOn ? 'is not set, and KAFKA_SASL_MECHANISM needs it' : 'is set, which needs KAFKA_SASL_MECHANISM';
  };

const allOf =
  (...checks: readonly Check[]): Check =>
  (rawValueOf) =>
    checks.map((check) => check(rawValueOf)).find((problem) => problem !== undefined);

/** The path of a readable PEM file, or undefined if the variable is not set. */
function pemFile({
  validate,
  ...common
}: {
  env: string;
  help: string;
  check: Check;
  validate: (pem: Buffer) => unknown;
}) {
  const parse = (path: string) => {
    try {
      if (path !== '') validate(readFileSync(path));
    } catch (cause) {
      throw new Error(`must name a file in PEM: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    return path || undefined;
  };
  return { ...common, fallback: '', parse } satisfies Setting<string | undefined>;
}

const parseCertificate = (pem: Buffer) => new X509Certificate(pem);

export const kafkaSettings = {
  kafkaBrokers: list({ env: 'KAFKA_BROKERS', help: 'Kafka bootstrap servers: host:port, separated by commas.' }),
  kafkaSessionTimeoutMs: integer({
    env: 'KAFKA_SESSION_TIMEOUT_MS',
    fallback: '15000',
    min: 1_000,
    max: 300_000,
    help: 'A consumer without a heartbeat for this long loses its partitions to another replica. Must be within group.min.session.timeout.ms and group.max.session.timeout.ms of the brokers. Milliseconds.',
  }),
  kafkaTls: flag({
    env: 'KAFKA_TLS',
    fallback: 'false',
    help: 'Use TLS for connections to the brokers.',
  }),
  kafkaTlsCaFile: pemFile({
    env: 'KAFKA_TLS_CA_FILE',
    help: "CA certificates (PEM) for the brokers' certificates. Default: the CAs that Node trusts. TLS files are read again for each connection.",
    check: requiresTls('KAFKA_TLS_CA_FILE'),
    validate: parseCertificate,
  }),
  kafkaTlsCertFile: pemFile({
    env: 'KAFKA_TLS_CERT_FILE',
    help: 'Client certificate (PEM), for brokers that require one.',
    check: allOf(requiresTls('KAFKA_TLS_CERT_FILE'), requires('KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE')),
    validate: parseCertificate,
  }),
  kafkaTlsKeyFile: pemFile({
    env: 'KAFKA_TLS_KEY_FILE',
    help: 'Private key (PEM) of the client certificate, not encrypted.',
    check: allOf(requiresTls('KAFKA_TLS_KEY_FILE'), requires('KAFKA_TLS_KEY_FILE', 'KAFKA_TLS_CERT_FILE')),
    validate: createPrivateKey,
  }),
  kafkaSaslMechanism: choice({
    env: 'KAFKA_SASL_MECHANISM',
    fallback: 'none',
    values: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    help: 'SASL mechanism. plain sends the password in plain text: use it only with KAFKA_TLS.',
  }),
  kafkaSaslUsername: {
    ...optionalText({ env: 'KAFKA_SASL_USERNAME', help: 'SASL user name.' }),
    check: onlyWithSasl('KAFKA_SASL_USERNAME'),
  },
  kafkaSaslPassword: {
    ...optionalText({ env: 'KAFKA_SASL_PASSWORD', secret: true, help: 'SASL password.' }),
    check: onlyWithSasl('KAFKA_SASL_PASSWORD'),
  },
  kafkaTopicPartitions: integer({
    env: 'KAFKA_TOPIC_PARTITIONS',
    fallback: '12',
    min: 1,
    max: 1000,
    help: 'Partitions of topics that set-up creates.',
  }),
  kafkaTopicReplication: integer({
    env: 'KAFKA_TOPIC_REPLICATION',
    fallback: '3',
    min: 1,
    max: 10,
    help: 'Replicas of topics that set-up creates.',
  }),
  kafkaTopicMinInsync: {
    ...optionalInteger({
      env: 'KAFKA_TOPIC_MIN_INSYNC_REPLICAS',
      min: 1,
      max: 10,
      help: 'min.insync.replicas of topics that set-up creates: a message counts as published when this many replicas have it. Default: KAFKA_TOPIC_REPLICATION minus one, at least 1.',
    }),
    check: (rawValueOf: (env: string) => string) =>
      Number(rawValueOf('KAFKA_TOPIC_MIN_INSYNC_REPLICAS')) > Number(rawValueOf('KAFKA_TOPIC_REPLICATION'))
        ? 'must be at most KAFKA_TOPIC_REPLICATION'
        : undefined,
  },
};
