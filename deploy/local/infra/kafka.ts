import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists } from '../process/files.ts';
import type { Host } from '../process/host.ts';
import { runCommand } from '../process/run-command.ts';
import { startProcess } from '../process/start-process.ts';
import { untilReady } from '../process/until-ready.ts';
import { download, findCached } from './cache.ts';
import { startContainer } from './containers.ts';
import { type Attempt, firstAvailable, UnavailableError } from './first-available.ts';
import { type InfraOptions, type InfraServer, neverExited, type PreparedOptions, prepareAndStart } from './infra.ts';
import { javaFlags, requireJava } from './java.ts';
import { probeKafka, untilKafkaServes } from './kafka-probe.ts';
import { toKafkaProperties } from './kafka-properties.ts';

export interface Kafka extends InfraServer {
  /** Bootstrap servers: host:port, separated by commas. */
  readonly brokers: string;
}

interface KafkaOptions extends InfraOptions {
  /** Changes the default settings. */
  readonly adjust?: (properties: Readonly<Record<string, string>>) => Record<string, string>;
  /**
   * Users with SCRAM credentials, in the format of `kafka-storage format --add-scram`. Not supported in a container.
   */
  readonly scramUsers?: readonly string[];
}

type PreparedKafkaOptions = PreparedOptions & KafkaOptions;

const DEFAULT_PORT = 9092;
const DEFAULT_CONTROLLER_PORT = 19092;
const IMAGE = 'apache/kafka:4.1.0';
const POM = fileURLToPath(new URL('pom.xml', import.meta.url));
const LOG_SETTINGS = fileURLToPath(new URL('log4j2.properties', import.meta.url));

/**
 * Starts Kafka as a single-node KRaft cluster, or uses the one in KAFKA_BROKERS. SURVEY_KAFKA_IMAGE selects a
 * container.
 */
export function startKafka(options: KafkaOptions): Promise<Kafka> {
  return prepareAndStart(options, DEFAULT_PORT, async (prepared) =>
    firstAvailable({
      server: 'Kafka',
      remedy: 'Set KAFKA_BROKERS, or install Java 17 or later with Maven (for a download), or start Docker.',
      attempts: attempts(await toCacheName(), { ...options, ...prepared }),
      log: options.log,
      signal: options.signal,
    }),
  );
}

function attempts(cacheName: string, options: PreparedKafkaOptions): Attempt<Kafka>[] {
  const { host, env, log, signal } = options;
  const image = env.SURVEY_KAFKA_IMAGE;
  if (image) return [{ name: 'a container', start: () => startBrokerContainer(image, options) }];
  return [
    { name: 'KAFKA_BROKERS', start: () => useExternal(env.KAFKA_BROKERS) },
    {
      name: 'Kafka from the cache folder',
      start: async () => startBroker(await findCached(cacheName), options),
    },
    {
      name: 'Kafka downloaded with Maven',
      start: async () => {
        await requireJava(host, signal);
        const fetch = (into: string) => fetchJars(into, host, signal);
        return startBroker(await download({ name: cacheName, fetch, log, signal }), options);
      },
    },
    { name: 'a container', start: () => startBrokerContainer(IMAGE, options) },
  ];
}

/** The name contains a hash of pom.xml: after a change of pom.xml, Kafka is downloaded again. */
async function toCacheName(): Promise<string> {
  return `kafka-${createHash('sha256')
    .update(await readFile(POM))
    .digest('hex')
    .slice(0, 12)}`;
}

async function useExternal(brokers: string | undefined): Promise<Kafka> {
  if (!brokers) throw new UnavailableError('not set');
  await Promise.any(brokers.split(',').map((address) => probeKafka(address.trim(), 5_000))).catch((error: unknown) => {
    throw error instanceof AggregateError ? new Error(error.errors.map(String).join('; '), { cause: error }) : error;
  });
  return { brokers, exited: neverExited, stop: async () => {} };
}

async function startBroker(home: string, options: PreparedKafkaOptions): Promise<Kafka> {
  const { dataDir, host, port, logFile, signal, adjust = (defaults) => defaults, scramUsers = [] } = options;
  const java = await requireJava(host, signal);
  const settings = join(dataDir, 'server.properties');
  const controllerPort = await host.ports.claim(DEFAULT_CONTROLLER_PORT);
  const properties = toKafkaProperties({
    bind: '127.0.0.1',
    port,
    controllerPort,
    logDir: join(dataDir, 'log'),
  });
  await mkdir(dataDir, { recursive: true });
  await writeFile(settings, toPropertiesFile(adjust(properties)));
  const javaArgs = [...javaFlags, `-Dlog4j2.configurationFile=${LOG_SETTINGS}`, '-cp', join(home, 'lib', '*')];
  const users = scramUsers.flatMap((user) => ['--add-scram', user]);
  const format = [...javaArgs, 'kafka.tools.StorageTool', 'format', '-c', settings, ...users];
  await formatOnce(dataDir, (clusterId) => runCommand(java, [...format, '-t', clusterId], { ...host, signal }));
  const child = startProcess({
    command: java,
    args: [...javaArgs, 'kafka.Kafka', settings],
    cwd: dataDir,
    logFile,
    appendLog: options.appendLog ?? false,
    reaper: host.reaper,
  });
  // Release the port, because a restart claims a port again.
  void child.exited.then(() => host.ports.release(controllerPort));
  const brokers = `127.0.0.1:${port}`;
  await untilReady(child, logFile, (ended) => untilKafkaServes(brokers, ended), signal);
  return { brokers, pid: child.pid, port, exited: child.exited, stop: () => child.stop() };
}

/**
 * Formats the data folder once. The marker file is written last: if it is missing, an earlier attempt was aborted, and
 * its files are deleted.
 */
async function formatOnce(dataDir: string, format: (clusterId: string) => Promise<unknown>): Promise<void> {
  const marker = join(dataDir, 'cluster-id');
  if (await exists(marker)) return;
  await rm(join(dataDir, 'log'), { recursive: true, force: true });
  // A leading zero byte keeps the id from starting with "-", which the tool would parse as an option.
  const clusterId = Buffer.concat([Buffer.of(0), randomBytes(15)]).toString('base64url');
  await format(clusterId);
  await writeFile(`${marker}.new`, `${clusterId}\n`);
  await rename(`${marker}.new`, marker);
}

async function fetchJars(into: string, host: Host, signal: AbortSignal | undefined): Promise<void> {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(into, 'lib')}`];
  await runCommand('mvn', ['--quiet', '--batch-mode', '--file', POM, ...goal], { ...host, signal });
}

async function startBrokerContainer(image: string, infra: PreparedKafkaOptions): Promise<Kafka> {
  const { port, adjust = (defaults) => defaults } = infra;
  const dataPath = '/var/lib/kafka/data';
  const brokers = `127.0.0.1:${port}`;
  const properties = toKafkaProperties({
    bind: '0.0.0.0',
    port,
    controllerPort: DEFAULT_CONTROLLER_PORT,
    logDir: dataPath,
  });
  const server = await startContainer({
    image,
    environment: { ...toImageVariables(adjust(properties)), KAFKA_HEAP_OPTS: '-Xmx512m' },
    dataPath,
    infra,
    ready: (signal) => untilKafkaServes(brokers, signal),
  });
  return { ...server, brokers };
}

function toPropertiesFile(properties: Readonly<Record<string, string>>): string {
  // A backslash starts an escape in Java properties.
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`);
  return lines.join('');
}

/** Convention of the image: KAFKA_ and the name of the setting in capitals with underscores. */
function toImageVariables(properties: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
  );
}
