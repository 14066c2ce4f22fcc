import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import type { ISocketFactory, KafkaConfig } from 'kafkajs';
import type { Logger } from 'pino';
import { followFiles } from '../config/follow-files.ts';
import { expiriesOf, parseCertificates } from '../crypto/parse-certificates.ts';
import type { ObserverOf } from '../telemetry/secret-metrics.ts';

export interface KafkaSecurityConfig {
  readonly kafkaTls: boolean;
  /** Paths of PEM files. */
  readonly kafkaTlsCaFile: string | undefined;
  readonly kafkaTlsCertFile: string | undefined;
  readonly kafkaTlsKeyFile: string | undefined;
  readonly kafkaSaslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly kafkaSaslUsername: string | undefined;
  readonly kafkaSaslPassword: string | undefined;
}

/** Options of kafkajs for TLS and SASL. */
export type KafkaSecurity = Pick<KafkaConfig, 'ssl' | 'sasl' | 'socketFactory'>;

const KEEP_ALIVE_MS = 60_000;

export function toKafkaSecurity(config: KafkaSecurityConfig): KafkaSecurity {
  return {
    // The socket factory makes the TLS connections; kafkajs uses `ssl` only in its log.
    ...(config.kafkaTls ? { ssl: true, socketFactory: createTlsSocketFactory(config) } : {}),
    ...toSasl(config),
  };
}

function toSasl(config: KafkaSecurityConfig): Pick<KafkaConfig, 'sasl'> {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username = '', kafkaSaslPassword: password = '' } = config;
  // kafkajs's type has one member per mechanism, and does not accept a union.
  return mechanism === 'none' ? {} : { sasl: { mechanism, username, password } as NonNullable<KafkaConfig['sasl']> };
}

/** The configured TLS files by their names in a Kubernetes Secret, which are also their labels in metrics. */
function kafkaTlsFiles({
  kafkaTlsCaFile: ca,
  kafkaTlsCertFile: cert,
  kafkaTlsKeyFile: key,
}: Pick<KafkaSecurityConfig, 'kafkaTlsCaFile' | 'kafkaTlsCertFile' | 'kafkaTlsKeyFile'>) {
  const paths = { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key };
  return Object.entries(paths).flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const]));
}

/** Makes the TLS context of connections. `contents` has the content of each file, by file name. Throws if unusable. */
function toSecureContext(contents: Readonly<Record<string, Buffer>>): SecureContext {
  const { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key } = contents;
  // Node would accept an invalid CA, and then reject every broker.
  if (ca !== undefined) parseCertificates(ca.toString());
  return createSecureContext({ ca, cert, key });
}

/**
 * Reads the certificates for each connection, so that they can be rotated. The reads are synchronous, because a socket
 * factory cannot wait. While the files are unusable, connections use the last good certificates.
 */
function createTlsSocketFactory(config: KafkaSecurityConfig): ISocketFactory {
  const files = kafkaTlsFiles(config);
  let lastGood: SecureContext | undefined;

  function readLatest(): SecureContext {
    try {
      lastGood = toSecureContext(Object.fromEntries(files.map(([name, path]) => [name, readFileSync(path)])));
    } catch (error) {
      if (lastGood === undefined) throw error;
    }
    return lastGood;
  }

  return ({ host, port, onConnect }) => {
    // Server names in TLS must not be IP addresses (RFC 6066, section 3).
    const sni = isIP(host) ? {} : { servername: host };
    const socket = connect({ host, port, ...sni, secureContext: readLatest() }, onConnect);
    return socket.setKeepAlive(true, KEEP_ALIVE_MS);
  };
}

/**
 * Exports metrics of the secret `kafka_tls`: the expiry of the certificates for Kafka, and whether the files are
 * usable. Rejects if a file is unusable at the start.
 */
export async function watchKafkaCertificates(
  config: Pick<KafkaSecurityConfig, 'kafkaTls' | 'kafkaTlsCaFile' | 'kafkaTlsCertFile' | 'kafkaTlsKeyFile'>,
  log: Logger,
  observerOf: ObserverOf,
): Promise<void> {
  const files = kafkaTlsFiles(config);
  if (!config.kafkaTls || files.length === 0) return;
  const observer = observerOf('kafka_tls');
  await followFiles({
    files: files.map(([, path]) => path),
    load(buffers) {
      const contents = buffers.map((content, index) => [files[index]?.[0] ?? '', content] as const);
      toSecureContext(Object.fromEntries(contents));
      const certificates = contents.filter(([name]) => name.endsWith('.crt'));
      observer.setExpiries(
        Object.assign({}, ...certificates.map(([name, content]) => expiriesOf(name, content.toString()))),
      );
    },
    log,
    observer,
  });
}
