import { join } from 'node:path';
import type { InfraOptions } from '../infra/infra.ts';
import { type Kafka, startKafka } from '../infra/kafka.ts';
import { type Mongo, type MongoSettings, startMongo } from '../infra/mongo.ts';
import type { Host } from '../process/host.ts';
import { isRestartPaused, type toPaths } from './folder.ts';
import { supervise } from './supervise.ts';

interface StartInfraOptions {
  readonly paths: ReturnType<typeof toPaths>;
  readonly host: Host;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly onRestarted: () => void;
  readonly mongo?: MongoSettings | undefined;
}

interface Infra {
  readonly mongo: () => Mongo;
  readonly kafka: () => Kafka;
  readonly stop: () => Promise<void>;
}

/** Starts MongoDB and Kafka concurrently, and keeps them running. */
export async function startInfra(options: StartInfraOptions): Promise<Infra> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const starts = [
    startSupervised('mongodb', (mongodb) => startMongo({ ...mongodb, ...options.mongo }), { ...options, signal }),
    startSupervised('kafka', startKafka, { ...options, signal }),
  ] as const;
  for (const start of starts) start.catch(() => failed.abort());
  const [mongo, kafka] = await Promise.allSettled(starts);
  if (mongo.status === 'fulfilled' && kafka.status === 'fulfilled') {
    return {
      mongo: mongo.value.current,
      kafka: kafka.value.current,
      stop: async () => void (await Promise.all([kafka.value.stop(), mongo.value.stop()])),
    };
  }
  const reasons: unknown[] = [];
  for (const result of [mongo, kafka]) {
    if (result.status === 'fulfilled') await result.value.stop();
    else reasons.push(result.reason);
  }
  // Prefer the original error: the aborted server reports only the abort.
  throw reasons.find((reason) => !isAbort(reason)) ?? reasons[0];
}

async function startSupervised<T extends Mongo | Kafka>(
  name: string,
  start: (options: InfraOptions) => Promise<T>,
  { paths, host, log, signal, onRestarted }: Omit<StartInfraOptions, 'mongo'>,
) {
  const shared = { dataDir: join(paths.data, name), logFile: join(paths.logs, `${name}.log`), host, log };
  let current = await start({ ...shared, signal });
  const supervision = supervise({
    name,
    first: current,
    // Restart on the same port, because clients know the address.
    restart: (stopping) =>
      start({
        ...shared,
        signal: stopping,
        appendLog: true,
        ...(current.port === undefined ? {} : { port: current.port }),
      }),
    onRestarted: (running) => {
      current = running;
      onRestarted();
    },
    isRestartPaused: () => isRestartPaused(paths, name),
    log,
  });
  return { current: () => current, stop: supervision.stop };
}

function isAbort(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'AbortError';
}
