import type { JWK } from 'jose';
import { choice, flag, integer, json, list, port, text } from './kinds.ts';

/** What every process reads. */
export const processSettings = {
  host: text({ env: 'HOST', fallback: '0.0.0.0', help: 'Address to listen on.' }),
  adminPort: port({ env: 'ADMIN_PORT', fallback: '9464', help: 'Port of /livez, /readyz and /metrics.' }),
  logLevel: choice({
    env: 'LOG_LEVEL',
    fallback: 'info',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    help: 'The least important log lines that are written.',
  }),
  drainMs: integer({
    env: 'DRAIN_MS',
    fallback: '0',
    min: 0,
    max: 600_000,
    help: 'How long to go on serving after SIGTERM, as not ready, so that load balancers notice. Milliseconds.',
  }),
  stopMs: integer({
    env: 'STOP_MS',
    fallback: '25000',
    min: 100,
    max: 600_000,
    help: 'How long the work in hand may take to finish after that; what is left then is given up. Milliseconds.',
  }),
  internalKey: json<JWK>({
    env: 'INTERNAL_KEY',
    secret: true,
    help: 'Ed25519 private key (JWK with kid) that signs the tokens of calls to other services.',
  }),
};

/** What every service reads beside that. */
export const serviceSettings = {
  ...processSettings,
  httpPort: port({ env: 'HTTP_PORT', fallback: '8080', help: 'Port of the REST API.' }),
  grpcPort: port({ env: 'GRPC_PORT', fallback: '9090', help: 'Port of gRPC (HTTP/2 without TLS).' }),
  internalJwksFile: text({
    env: 'INTERNAL_JWKS_FILE',
    help: 'JWKS with the public keys of all callers; each has the members caller and may_call. Read again when it changes.',
  }),
  mongodbUri: text({ env: 'MONGODB_URI', secret: true, help: 'Connection string of the replica set or cluster.' }),
  kafkaBrokers: list({ env: 'KAFKA_BROKERS', help: 'Kafka bootstrap servers, host:port, with commas between them.' }),
  kafkaTopicPartitions: integer({
    env: 'KAFKA_TOPIC_PARTITIONS',
    fallback: '12',
    min: 1,
    max: 1000,
    help: 'Partitions of the topics that set-up creates.',
  }),
  kafkaTopicReplication: integer({
    env: 'KAFKA_TOPIC_REPLICATION',
    fallback: '3',
    min: 1,
    max: 10,
    help: 'Replicas of the topics that set-up creates.',
  }),
  setupOnStart: flag({
    env: 'SETUP_ON_START',
    fallback: 'false',
    help: 'Create indexes and topics before serving. In a cluster a job runs the command `setup` instead.',
  }),
};
