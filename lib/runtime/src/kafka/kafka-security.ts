import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ISocketFactory, KafkaConfig } from 'kafkajs';

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
    ...(config.kafkaTls ? { ssl: true, socketFactory: createTlsSocketFactory(config) } : {}),
    ...toSasl(config),
  };
}

function toSasl(config: KafkaSecurityConfig): Pick<KafkaConfig, 'sasl'> {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username = '', kafkaSaslPassword: password = '' } = config;
  // kafkajs's type has one member per mechanism, and does not accept a union.
  return mechanism === 'none' ? {} : { sasl: { mechanism, username, password } as NonNullable<KafkaConfig['sasl']> };
}

/** Reads the certificates for each connection, so that they can be rotated. kafkajs would keep those from the start. */
function createTlsSocketFactory(config: KafkaSecurityConfig): ISocketFactory {
  const { kafkaTlsCaFile: ca, kafkaTlsCertFile: cert, kafkaTlsKeyFile: key } = config;
  return ({ host, port, onConnect }) => {
    const files = Object.entries({ ca, cert, key }).flatMap(([name, path]) =>
      path === undefined ? [] : [[name, readFileSync(path)]],
    );
    // Server names in TLS must not be IP addresses (RFC 6066, section 3).
    const servername = isIP(host) ? {} : { servername: host };
    const socket = connect({ host, port, ...servername, ...Object.fromEntries(files) }, onConnect);
    return socket.setKeepAlive(true, KEEP_ALIVE_MS);
  };
}
