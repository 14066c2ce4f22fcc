import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kafka, startKafka } from '@survey/local/infra/kafka';
import type { Host } from '@survey/local/process/host';
import type { SecuredListeners } from '../infra-context.ts';
import { freePort } from '../network/free-port.ts';
import { certificatesOf } from '../test-certificates.ts';

/** The SASL user, valid with all mechanisms. */
export const user = { username: 'alice', password: 'correct horse battery' } as const;

export interface TestKafka extends Kafka {
  /** Listeners with authentication and authorization, if the broker runs on this machine. */
  readonly secured: SecuredListeners | undefined;
}

/**
 * Starts a broker for tests.
 * @param folder for its data
 * @param host default: a new one, which is closed with the broker
 */
export async function startTestKafka(folder: string, log: (line: string) => void, host?: Host): Promise<TestKafka> {
  const options = { dataDir: join(folder, 'data'), log, ...(host === undefined ? {} : { host }) };
  // In a container, the broker could not read the files of its secured listeners.
  if (!hasJava()) return { ...(await startKafka(options)), secured: undefined };
  const certificates = certificatesOf('first');
  const keyStore = join(folder, 'broker.pem');
  await mkdir(folder, { recursive: true });
  const parts = await Promise.all([readFile(join(certificates, 'tls.key')), readFile(join(certificates, 'tls.crt'))]);
  await writeFile(keyStore, Buffer.concat(parts));
  const [sasl, mutualTls] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const listeners = `SECURED://${sasl},MUTUAL://${mutualTls}`;
  const kafka = await startKafka({
    ...options,
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
  return { ...kafka, secured: { sasl, mutualTls } };
}

function hasJava(): boolean {
  const home = process.env['JAVA_HOME'];
  const java = home ? join(home, 'bin', 'java') : 'java';
  return spawnSync(java, ['-version']).status === 0;
}
