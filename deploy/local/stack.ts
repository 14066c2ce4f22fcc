import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildWebApps } from './build-web-apps.ts';
import { type Demo, startDemo } from './demo/demo.ts';
import type { InfraServer } from './infra/infra.ts';
import type { MongoSettings } from './infra/mongo.ts';
import { createHost, type Host } from './process/host.ts';
import { lock, tryLock } from './process/lock.js';
import { defaultFolder, toPaths } from './stack/folder.ts';
import { ensureKeys } from './stack/keys.ts';
import { claimGatewayPort, planProcesses, type Variables } from './stack/plan-processes.ts';
import { createStackFile, type InfraInfo, type StackInfo } from './stack/stack-file.ts';
import { startInfra } from './stack/start-infra.ts';
import { startProcesses } from './stack/start-processes.ts';

interface StackOptions {
  /** Folder of all files of the stack. Stacks in different folders can run at the same time. Default: `.local`. */
  readonly dir?: string;
  /** The gateway's port; the start fails if it is taken. Default: 8080 or the next free one. */
  readonly port?: number;
  /** Whether to delete the data of earlier starts first. */
  readonly fresh?: boolean;
  /** Whether to create a demo tenant, survey and webhook, and to start a receiver. */
  readonly demo: boolean;
  readonly mongo?: MongoSettings;
  /** Default: a new one, which is closed with the stack. */
  readonly host?: Host;
  /** Additional environment variables of the gateway and the services. */
  readonly env?: Variables;
  /** Folder with a bundle of each process (`npm run bundle`), which runs instead of the sources. */
  readonly bundles?: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Stack {
  /** The current content of stack.json. */
  readonly info: () => StackInfo;
  readonly demo?: Demo;
  /** Stops everything that was started, in bounded time. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts MongoDB, Kafka, the services and the gateway, and keeps them running until `stop` or the end of this process.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(options: StackOptions, cleanup: AsyncDisposableStack): Promise<Stack> {
  const { log, signal } = options;
  const folder = resolve(options.dir ?? defaultFolder());
  const paths = toPaths(folder);
  const host = await takeFolder(folder, options, cleanup);
  if (options.fresh)
    await Promise.all([paths.data, paths.demoFile].map((path) => rm(path, { recursive: true, force: true })));
  const keys = await ensureKeys(paths.keys);
  // Claim the port before anything starts, to fail early if it is taken.
  const gatewayPort = await claimGatewayPort(host.ports, options.port);
  const stackFile = createStackFile(paths.stackFile);

  let toInfo: (() => StackInfo) | undefined;
  const onRestarted = () => {
    if (!toInfo) return;
    stackFile.write(toInfo()).catch((error: Error) => log(`cannot write stack.json: ${error.message}`));
  };
  const shared = { paths, host, log, signal, onRestarted };

  // The bundle of the gateway contains the web apps.
  const webAppsBuilt = options.bundles === undefined ? buildWebApps(log) : Promise.resolve();
  // The promise is awaited below. Until then, a failure must not count as unhandled.
  webAppsBuilt.catch(() => {});
  const infra = await startInfra({ ...shared, mongo: options.mongo });
  cleanup.defer(infra.stop);
  await webAppsBuilt;
  const servers = { mongodbUri: infra.mongo().uri, kafkaBrokers: infra.kafka().brokers };
  const plan = await planProcesses(host.ports, gatewayPort, { ...servers, keys });
  log('starting the services and the gateway');
  const processes = await startProcesses(plan, { ...shared, env: options.env ?? {}, bundles: options.bundles });
  cleanup.defer(processes.stop);
  const gateway = plan.gateway.http;
  const demo = options.demo
    ? await startDemo({ paths, gateway, identityAddress: plan.identityAddress, ports: host.ports, log })
    : undefined;
  if (demo) cleanup.defer(demo.close);

  toInfo = () => ({
    gateway,
    ...(demo ? { tenant_id: demo.tenantId, user_id: demo.userId, token: demo.token } : {}),
    services: processes.info(),
    mongodb: toInfraInfo(infra.mongo()),
    kafka: toInfraInfo(infra.kafka()),
    mongodb_uri: servers.mongodbUri,
    kafka_brokers: servers.kafkaBrokers,
  });
  signal?.throwIfAborted();
  host.reaper.removeAtEnd(paths.stackFile);
  cleanup.defer(stackFile.remove);
  await stackFile.write(toInfo());
  return { info: toInfo, ...(demo ? { demo } : {}), stop: () => cleanup.disposeAsync() };
}

/** Makes sure that no other stack uses the folder, and waits until all processes of an earlier start have ended. */
async function takeFolder(folder: string, options: StackOptions, cleanup: AsyncDisposableStack): Promise<Host> {
  const { log, signal } = options;
  const paths = toPaths(folder);
  const launcher = tryLock(paths.launcherLock);
  if (!launcher.held) {
    throw new Error(
      `a stack is already running in ${folder} (process ${launcher.ownerPid}): stop it, or set LOCAL_DIR to another folder`,
    );
  }
  cleanup.defer(launcher.release);
  const host = options.host ?? createHost();
  if (options.host === undefined) cleanup.defer(host.close);
  // The reaper owns this lock. If the launcher is killed, the reaper ends only after all processes of the stack.
  const release = await lock(paths.processesLock, {
    pid: host.reaper.pid,
    ...(signal ? { signal } : {}),
    onWait: () => log('waiting until the processes of an earlier start have ended'),
  });
  cleanup.defer(release);
  await Promise.all([paths.stackFile, paths.held].map((path) => rm(path, { recursive: true, force: true })));
  return host;
}

function toInfraInfo({ pid }: InfraServer): InfraInfo {
  return pid === undefined ? {} : { pid };
}
