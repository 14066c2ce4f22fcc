import type { Kafka } from 'kafkajs';
import { inject } from 'vitest';
import { createKafka } from '../kafka/kafka-client.ts';
import type { SecuredListeners } from './infra-context.ts';
import { user } from './start-test-kafka.ts';
import { testLog } from './test-log.ts';

/** The broker of the tests, with authentication and authorization. Everything that is not forbidden is allowed. */
export interface SecuredKafka extends SecuredListeners {
  /** Listener without TLS and SASL. */
  readonly plain: string;
  /** A client without restrictions, TLS or SASL. */
  readonly admin: Kafka;
  /** Forbids an operation on a topic for `user`. The result allows it again. */
  forbid(operation: 'read' | 'write', topic: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Constants of ACLs in the Kafka protocol, which kafkajs does not export to ES modules. */
const acl = { topic: 2, literal: 3, all: 2, read: 3, write: 4, deny: 2, allow: 3 } as const;

/** Whether the broker of the tests has secured listeners. */
export const isSecured = inject('securedKafka') !== undefined;

/** Connects to the broker of the tests. */
export async function connectSecuredKafka(): Promise<SecuredKafka> {
  const listeners = inject('securedKafka');
  if (listeners === undefined) throw new Error('Kafka has no secured listeners');
  const plain = inject('kafkaBrokers');
  const clients = createKafka({ brokers: plain.split(','), clientId: 'admin', log: testLog });
  const admin = clients.admin();
  await admin.connect();
  return {
    ...listeners,
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
      // As soon as a topic has an ACL, everything else on it is forbidden. So allow everything, then forbid this.
      await admin.createAcls({ acl: [{ ...rule, operation: acl.all, permissionType: acl.allow }, ban] });
      return async () => void (await admin.deleteAcls({ filters: [ban] }));
    },
    close: () => admin.disconnect(),
  };
}
