import type { Worker } from '../flow/worker.ts';
import { createKafkaCheck } from '../kafka/kafka-check.ts';
import { ensureTopics, toTopicSpec } from '../kafka/topics.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { createServiceHost } from './create-service-host.ts';
import type { FollowedTenants } from './follow-tenants.ts';
import type { App } from './run-process.ts';
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
  readonly tenants: Pick<FollowedTenants, 'indexes' | 'topics' | 'pollers' | 'workers'>;
}

/** A service. Its start resolves to the ports. */
interface ServiceApp extends App {
  start(): ReturnType<Awaited<ReturnType<typeof createServiceHost>>['start']>;
}

/** Creates a service from its modules, and defines the order of start and stop. */
export async function createServiceApp(options: Options): Promise<ServiceApp> {
  const { runtime, config, modules, tenants } = options;
  const {
    handlers,
    indexes,
    topics,
    setup: changeStoredData,
    pollers,
    workers,
    connections,
  } = mergeModules([...modules, tenants]);
  const { service, log, registry, mongo, kafka, tls, watchSecret } = runtime;
  const queue = createKafkaCheck(kafka);
  const checks = { database: mongo.ping, queue: queue.check };
  const host = await createServiceHost({
    service,
    config,
    log,
    registry,
    implementations: handlers,
    checks,
    tls,
    watch: watchSecret('internal_jwks'),
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
      for (const worker of [...workers, ...pollers]) worker.start?.();
      return host.start();
    },
    stop: () =>
      inOrder([
        host.drain,
        () => stopAll(pollers),
        host.finish,
        () => stopAll(workers),
        async () => {
          for (const connection of connections) connection.close();
        },
        queue.close,
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
