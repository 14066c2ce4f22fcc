import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createTokenVerifier } from '../auth/internal-token.ts';
import { createKeySet } from '../auth/key-set.ts';
import type { FileObserver } from '../config/follow-files.ts';
import type { Worker } from '../flow/loop.ts';
import { createKafkaCheck } from '../kafka/kafka-client.ts';
import { ensureTopics, toTopicSpec } from '../kafka/topics.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { createTranscoder } from '../rest/transcoder.ts';
import { checkContract } from '../rpc/access.ts';
import { createGrpcHealth, createGrpcServer } from '../rpc/grpc-server.ts';
import type { Implementation } from '../rpc/implementation.ts';
import type { PeerTls } from '../rpc/peer-tls.ts';
import { createPipeline } from '../rpc/pipeline.ts';
import { createAdminServer } from './admin-server.ts';
import type { FollowedTenants } from './follow-tenants.ts';
import { createHealth, type HealthCheck } from './health.ts';
import { createHttpListener } from './http-listener.ts';
import { ADMIN_GRACE_MS, type App, timeToFinishCalls } from './run-process.ts';
import { mergeModules, type ServiceModule } from './service-module.ts';
import type { ServiceRuntime } from './service-runtime.ts';

interface Options {
  readonly runtime: ServiceRuntime;
  readonly config: Parameters<typeof createServiceHost>[0]['config'] & {
    readonly setupOnStart: boolean;
    readonly kafkaTopicPartitions: number;
    readonly kafkaTopicReplication: number;
    readonly kafkaTopicMinInsync: number | undefined;
  };
  readonly modules: readonly ServiceModule[];
  /** Required, so that no service keeps data of deleted tenants. */
  readonly tenants: Pick<FollowedTenants, 'indexes' | 'topics' | 'stoppedFirst' | 'stoppedLast'>;
}

/** A service. `start` resolves to its ports. */
interface ServiceApp extends App {
  start(): ReturnType<Awaited<ReturnType<typeof createServiceHost>>['start']>;
}

/** Creates a service from its modules, and defines the order of start and stop (see `ServiceModule`). */
export async function createServiceApp(options: Options): Promise<ServiceApp> {
  const { runtime, config, modules, tenants } = options;
  const {
    handlers,
    indexes,
    topics,
    setup: changeStoredData,
    stoppedFirst,
    stoppedLast,
    connections,
  } = mergeModules([...modules, tenants]);
  const { service, log, registry, mongo, kafka, tls, observerOf } = runtime;
  const kafkaCheck = createKafkaCheck(kafka);
  const checks = { database: mongo.ping, queue: kafkaCheck.check };
  const host = await createServiceHost({
    service,
    config,
    log,
    registry,
    implementations: handlers,
    checks,
    tls,
    observer: observerOf('internal_jwks'),
  });

  async function setup(): Promise<void> {
    await ensureIndexes(mongo.db, indexes);
    await changeStoredData();
    const { kafkaTopicPartitions: partitions, kafkaTopicReplication: replication, kafkaTopicMinInsync } = config;
    // One broker may be down, so that a cluster can be upgraded one broker at a time.
    const minInsync = kafkaTopicMinInsync ?? Math.max(1, replication - 1);
    const specs = topics.map((topic) => toTopicSpec(topic, { partitions, replication, minInsync }));
    await ensureTopics(kafka, specs, log);
  }

  return {
    setup,
    async start() {
      if (config.setupOnStart) await setup();
      for (const worker of [...stoppedLast, ...stoppedFirst]) worker.start?.();
      return host.start();
    },
    stop: () =>
      inOrder([
        host.drain,
        () => stopAll(stoppedFirst),
        host.finish,
        () => stopAll(stoppedLast),
        async () => {
          for (const connection of connections) connection.close();
        },
        kafkaCheck.close,
        runtime.close,
        host.close,
      ]),
  };
}

/** Stops all workers, even after failures. Throws the first error. */
async function stopAll(workers: readonly Pick<Worker, 'stop'>[]): Promise<void> {
  const outcomes = await Promise.allSettled(workers.map((worker) => worker.stop()));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Runs all steps, even after failures. Throws the first error. */
async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

interface ServiceHostOptions {
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
  /** Receives the state of the file of public keys, for metrics. */
  readonly observer?: FileObserver;
}

/**
 * Serves the implementations over REST and gRPC through one pipeline, and opens the admin port. Rejects if the contract
 * is invalid.
 */
export async function createServiceHost({
  service,
  config,
  log,
  registry,
  implementations,
  checks,
  tls,
  observer,
}: ServiceHostOptions) {
  checkContract(implementations.map((implementation) => implementation.service));
  const keySet = await createKeySet({ file: config.internalJwksFile, log, observer });
  const pipeline = createPipeline({ verifier: createTokenVerifier({ service, keySet }), log, registry });
  // Without Kafka, calls still succeed: events wait in their outbox.
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
    /** Reports "not ready", and serves for another `drainMs`. Does not wait if the host never served, as in set-up. */
    async drain(): Promise<void> {
      if (!serving) return;
      health.setServing(false);
      // REST connections end with their next reply. gRPC connections end in `finish`: their clients retry calls.
      rest.drain();
      await sleep(config.drainMs);
    },
    /** Accepts no new calls, and resolves when the running calls are done. */
    async finish(): Promise<void> {
      const graceMs = timeToFinishCalls(config.stopMs);
      await Promise.all([rest.close(graceMs), grpc.close(graceMs)]);
    },
    /** Closes the admin port, which stays open longest. */
    close: () => admin.close(ADMIN_GRACE_MS),
  };
}
