import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@survey/local/infra/kafka';
import type { Kafka } from 'kafkajs';
import { createKafka } from '../kafka/kafka-client.ts';
import { certificatesOf } from './test-certificates.ts';
import { testLog } from './test-log.ts';

/** A Kafka broker for one test, with authentication and authorization. Everything that is not forbidden is allowed. */
export interface SecuredKafka {
  /** Listener without TLS and SASL. */
  readonly plain: string;
  /** Listener with SASL and TLS, with the certificate `first`. */
  readonly sasl: string;
  /** Listener with mutual TLS, with the same certificate. Clients need a certificate of the same CA. */
  readonly mutualTls: string;
  /** A client without restrictions, TLS or SASL. */
  readonly admin: Kafka;
  /** Forbids an operation on a topic for `user`. The result allows it again. */
  forbid(operation: 'read' | 'write', topic: string): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** The SASL user, valid with all mechanisms. */
export const user = { username: 'alice', password: 'correct horse battery' } as const;

/** Constants of ACLs in the Kafka protocol, which kafkajs does not export to ES modules. */
const acl = { topic: 2, literal: 3, all: 2, read: 3, write: 4, deny: 2, allow: 3 } as const;

const home = process.env['JAVA_HOME'];
const java = home ? join(home, 'bin', 'java') : 'java';

/** Whether the broker can run. It needs Java on this machine: in a container, it could not read its files. */
export const hasJava = spawnSync(java, ['-version']).status === 0;

export async function startSecuredKafka(): Promise<SecuredKafka> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-secured-kafka-'));
  const certificates = certificatesOf('first');
  const keyStore = join(folder, 'broker.pem');
  const parts = await Promise.all([readFile(join(certificates, 'tls.key')), readFile(join(certificates, 'tls.crt'))]);
  await writeFile(keyStore, Buffer.concat(parts));
  const [sasl, mutualTls] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const listeners = `SECURED://${sasl},MUTUAL://${mutualTls}`;
  const kafka = await startKafka({
    dataDir: join(folder, 'data'),
    log: (line) => testLog.info(line),
    // Exclude variables that select an existing broker.
    env: { PATH: process.env['PATH'] },
    scramUsers: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
      (mechanism) => `${mechanism}=[name=${user.username},password=${user.password}]`,
    ),
    adjust: (defaults) => ({
      ...defaults,
      listeners: `${defaults['listeners']},${listeners}`,
      'advertised.listeners': `${defaults['advertised.listeners']},${listeners}`,
      'listener.security.protocol.map': `${defaults['listener.security.protocol.map']},SECURED:SASL_SSL,MUTUAL:SSL`,
      'inter.broker.listener.name': 'PLAINTEXT',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': keyStore,
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': join(certificates, 'ca.crt'),
      'listener.name.mutual.ssl.client.auth': 'required',
      'listener.name.secured.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      'listener.name.secured.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_${user.username}="${user.password}";`,
      ...Object.fromEntries(
        ['256', '512'].map((bits) => [
          `listener.name.secured.scram-sha-${bits}.sasl.jaas.config`,
          'org.apache.kafka.common.security.scram.ScramLoginModule required;',
        ]),
      ),
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
      'allow.everyone.if.no.acl.found': 'true',
    }),
  });
  const clients = createKafka({ brokers: kafka.brokers.split(','), clientId: 'admin', log: testLog });
  const admin = clients.admin();
  await admin.connect();
  return {
    plain: kafka.brokers,
    sasl,
    mutualTls,
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
    async stop() {
      await admin.disconnect();
      await kafka.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
