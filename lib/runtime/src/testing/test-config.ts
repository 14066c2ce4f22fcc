import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type {} from './infra-context.ts';
import type { TestKeys } from './test-keys.ts';

/** Configuration of a service under test: free ports, a database of its own, the shared MongoDB and Kafka. */
export function createTestConfig(service: string, keys: TestKeys) {
  return {
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    adminPort: 0,
    drainMs: 0,
    stopMs: 25_000,
    logLevel: 'silent' as const,
    internalKey: keys.privateKeyOf(service),
    internalJwksFile: keys.jwksFile,
    mongodbUri: inject('mongodbUri'),
    mongodbDatabase: `test-${service}-${randomUUID()}`,
    kafkaBrokers: inject('kafkaBrokers').split(','),
    kafkaTopicPartitions: 3,
    kafkaTopicReplication: 1,
    setupOnStart: true,
  };
}
