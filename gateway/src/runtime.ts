import { createRotatingMinter, type TokenMinter } from '@survey/runtime/auth/internal-token';
import { loadPeerTls, type PeerTls } from '@survey/runtime/rpc/peer-tls';
import { connectService, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { createRegistry } from '@survey/runtime/telemetry/metrics';
import { createSecretMetrics } from '@survey/runtime/telemetry/secret-metrics';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { GatewayConfig } from './config.ts';

/** The resources that the features of the gateway share. */
export interface GatewayRuntime {
  readonly log: Logger;
  readonly registry: Registry;
  readonly minter: TokenMinter;
  /** Certificates for connections to services; undefined if the connections are not encrypted. */
  readonly tls: PeerTls | undefined;
  readonly identity: ServiceConnection;
  close(): void;
}

type RuntimeConfig = Pick<GatewayConfig, 'internalKey' | 'tlsDir' | 'identityGrpcAddress'>;

export async function createGatewayRuntime(config: RuntimeConfig, log: Logger): Promise<GatewayRuntime> {
  const registry = createRegistry({ service: 'gateway' });
  const observerOf = createSecretMetrics(registry);
  const minter = await createRotatingMinter({
    service: 'gateway',
    secret: config.internalKey,
    log,
    observer: observerOf('internal_key'),
  });
  const tls = await loadPeerTls(config.tlsDir, log, observerOf);
  const identity = connectService({ name: 'identity', address: config.identityGrpcAddress, minter, tls });
  return {
    log,
    registry,
    minter,
    tls,
    identity,
    close() {
      identity.close();
      tls?.close();
    },
  };
}
