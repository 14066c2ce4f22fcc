import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createTokenVerifier } from '../auth/internal-token.ts';
import { createKeySet } from '../auth/key-set.ts';
import type { FileWatch } from '../config/follow-files.ts';
import { createTranscoder } from '../rest/transcoder.ts';
import { checkContract } from '../rpc/contract.ts';
import { createGrpcHealth } from '../rpc/grpc-health.ts';
import { createGrpcServer } from '../rpc/grpc-server.ts';
import type { Implementation } from '../rpc/implementation.ts';
import type { PeerTls } from '../rpc/peer-tls.ts';
import { createPipeline } from '../rpc/pipeline.ts';
import { createAdminServer } from './admin-server.ts';
import { createHealth, type HealthCheck } from './health.ts';
import { createHttpListener } from './http-listener.ts';
import { ADMIN_GRACE_MS, timeToFinishCalls } from './stop-times.ts';

/** The three listeners of a service, and the order of their start and stop. */
interface ServiceHost {
  start(): Promise<{ readonly httpPort: number; readonly grpcPort: number; readonly adminPort: number }>;
  /** Reports "not ready", and serves for another `drainMs`. Does not wait if the host never served, as in set-up. */
  drain(): Promise<void>;
  /** Accepts no new calls, and resolves when the running ones are done. */
  finish(): Promise<void>;
  /** Closes the admin port, which stays open longest. */
  close(): Promise<void>;
}

interface Options {
  readonly service: string;
  readonly config: {
    readonly host: string;
    readonly httpPort: number;
    readonly grpcPort: number;
    readonly adminPort: number;
    readonly drainMs: number;
    readonly stopMs: number;
    readonly internalJwksFile: string;
  };
  readonly log: Logger;
  readonly registry: Registry;
  readonly implementations: readonly Implementation[];
  readonly checks: { readonly database: HealthCheck; readonly queue: HealthCheck };
  /** Certificates for REST and gRPC. The admin port has no TLS, because probes have no certificates. */
  readonly tls?: PeerTls | undefined;
  /** Measures the file of the public keys. */
  readonly watch?: FileWatch;
}

/**
 * Serves the implementations over REST and gRPC through one pipeline, and the admin port. Rejects if the contract is
 * invalid.
 */
export async function createServiceHost({
  service,
  config,
  log,
  registry,
  implementations,
  checks,
  tls,
  watch,
}: Options): Promise<ServiceHost> {
  checkContract(implementations.map((implementation) => implementation.service));
  const keySet = await createKeySet({ file: config.internalJwksFile, log, watch });
  const pipeline = createPipeline({ verifier: createTokenVerifier({ service, keySet }), log, registry });
  const health = createHealth({ checks, needed: ['database'], registry });
  const transcode = createTranscoder({ implementations, pipeline });
  const rest = createHttpListener((request, response) => void transcode(request, response), tls);
  const services = implementations.map(({ service: { typeName } }) => typeName);
  const unauthenticated = [createGrpcHealth({ services, isReady: health.isReady })];
  const grpc = createGrpcServer({ implementations, pipeline, unauthenticated, tls });
  const admin = createAdminServer({ health, registry, log });
  let serving = false;

  return {
    async start() {
      const httpPort = await rest.listen(config.httpPort, config.host);
      const grpcPort = await grpc.listen(config.grpcPort, config.host);
      const adminPort = await admin.listen(config.adminPort, config.host);
      serving = true;
      health.setServing(true);
      log.info({ http: httpPort, grpc: grpcPort, admin: adminPort }, 'listening');
      return { httpPort, grpcPort, adminPort };
    },
    async drain() {
      if (!serving) return;
      health.setServing(false);
      rest.drain();
      await sleep(config.drainMs);
    },
    async finish() {
      const graceMs = timeToFinishCalls(config.stopMs);
      await Promise.all([rest.close(graceMs), grpc.close(graceMs)]);
    },
    close: () => admin.close(ADMIN_GRACE_MS),
  };
}
