import type { Kafka } from 'kafkajs';
import { inject } from 'vitest';
import { createKafka } from '../../kafka/kafka-client.ts';
import type { SecuredListeners } from '../infra-context.ts';
import { testLog } from '../test-log.ts';
import { type TestKafka, user } from './start-test-kafka.ts';

/** A broker for tests, with authentication and authorization. Everything that is not forbidden is allowed. */
export interface SecuredKafka extends SecuredListeners {
  readonly plain: string;
  /** A client without restrictions, TLS or SASL. */
  readonly admin: Kafka;
  /** Forbids an operation on a topic for `user`. The result allows it again. */
  forbid(operation: 'read' | 'write', topic: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Constants of ACLs in the Kafka protocol, which kafkajs does not export to ES modules. */
const acl = { topic: 2, literal: 3, all: 2, read: 3, write: 4, deny: 2, allow: 3 } as const;

/** Whether brokers for tests have secured listeners. */
export const isSecured = inject('securedKafka') !== undefined;

/** Connects to a broker, by default to the one that all integration tests share. */
export async function connectSecuredKafka(
  { brokers: plain, secured }: Pick<TestKafka, 'brokers' | 'secured'> = {
    brokers: inject('kafkaBrokers'),
    secured: inject('securedKafka'),
  },
): Promise<SecuredKafka> {
  if (secured === undefined) throw new Error('Kafka has no secured listeners');
  const clients = createKafka({ brokers: plain.split(','), clientId: 'admin', log: testLog });
  const admin = clients.admin();
  await admin.connect();
  return {
    ...secured,
    plain,
    admin: clients,
    async forbid(operation, topic) {
      const rule = {
        resourceType: acl.topic,
        resourceName: topic,
        resourcePatternType: acl.literal,
        principal: `User:${user.username}`,
        host: '*',
      };
      const ban = { ...rule, operation: acl[operation], permissionType: acl.deny };
      // A topic with an ACL forbids everything else. So allow all operations, and forbid this one.
      await admin.createAcls({ acl: [{ ...rule, operation: acl.all, permissionType: acl.allow }, ban] });
      return async () => void (await admin.deleteAcls({ filters: [ban] }));
    },
    close: () => admin.disconnect(),
  };
}
