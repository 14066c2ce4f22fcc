import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { fixedSecret } from './fixed-secret.ts';
import type {} from './infra-context.ts';
import { createTestKeyring } from './test-keyring.ts';
import type { TestKeys } from './test-keys.ts';

/** Configuration of a service under test: free ports, its own database, the shared MongoDB and Kafka. */
export function createTestConfig(service: string, keys: TestKeys) {
  return {
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    adminPort: 0,
    drainMs: 0,
    stopMs: 25_000,
    logLevel: 'silent' as const,
    internalKey: fixedSecret(keys.privateKeyOf(service)),
    encryptionKeyring: fixedSecret(createTestKeyring()),
    tlsDir: undefined,
    internalJwksFile: keys.jwksFile,
    mongodbUri: inject('mongodbUri'),
    mongodbDatabase: `test-${service}-${randomUUID()}`,
    mongodbSelectionTimeoutMs: 5_000,
    kafkaBrokers: inject('kafkaBrokers').split(','),
    kafkaSessionTimeoutMs: 5_000,
    leaseMs: 10_000,
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaTlsCertFile: undefined,
    kafkaTlsKeyFile: undefined,
    kafkaSaslMechanism: 'none' as const,
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
    kafkaTopicPartitions: 3,
    kafkaTopicReplication: 1,
    kafkaTopicMinInsync: undefined,
    tenantErasureSettleSeconds: 1,
    setupOnStart: true,
  };
}
