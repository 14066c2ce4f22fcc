import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Demo, startDemo } from './demo/demo.ts';
import type { InfraServer } from './infra/infra.ts';
import type { MongoChoices } from './infra/mongo.ts';
import { createHost, type Host } from './process/host.ts';
import { lock, tryLock } from './process/lock.js';
import { defaultFolder, toPaths } from './stack/folder.ts';
import { ensureKeys } from './stack/keys.ts';
import { claimGatewayPort, planParts, type Variables } from './stack/parts.ts';
import { createStackFile, type InfraInfo, type StackInfo } from './stack/stack-file.ts';
import { startInfra } from './stack/start-infra.ts';
import { startParts } from './stack/start-parts.ts';

interface StackOptions {
  /** Everything of this stack is kept below; two stacks in two folders run side by side. Default: `.local`. */
  readonly dir?: string;
  /** The gateway's port, and no other. Default: 8080 or the next free. */
  readonly port?: number;
  /** Delete the data of earlier starts first. */
  readonly fresh?: boolean;
  /** Make a tenant, a survey and a webhook to try things with, and a receiver for the webhook. */
  readonly demo: boolean;
  readonly mongo?: MongoChoices;
  /** Variables of the gateway and the services, beside those that the stack gives them. */
  readonly env?: Variables;
  readonly log: (line: string) => void;
  /** Gives the start up. */
  readonly signal?: AbortSignal | undefined;
}

export interface Stack {
  /** The content of stack.json, as of now. */
  readonly info: () => StackInfo;
  readonly demo?: Demo;
  /** Stops everything that was started; bounded in time. */
  readonly stop: () => Promise<void>;
}

/** Starts MongoDB, Kafka, the services and the gateway, and keeps them running until it is stopped or this process ends. */
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
  // Before anything starts: a port that is taken is told at once.
  const gatewayPort = await claimGatewayPort(host.ports, options.port);
  const stackFile = createStackFile(paths.stackFile);

  let toInfo: (() => StackInfo) | undefined;
  const onRestarted = () => {
    if (!toInfo) return;
    stackFile.write(toInfo()).catch((error: Error) => log(`stack.json cannot be written: ${error.message}`));
  };
  const shared = { paths, host, log, signal, onRestarted };

  const infra = await startInfra({ ...shared, mongo: options.mongo });
  cleanup.defer(infra.stop);
  const servers = { mongodbUri: infra.mongo().uri, kafkaBrokers: infra.kafka().brokers };
  const plan = await planParts(host.ports, gatewayPort, { ...servers, keys });
  log('starting the services and the gateway');
  const parts = await startParts(plan, { ...shared, env: options.env ?? {} });
  cleanup.defer(parts.stop);
  const gateway = plan.gateway.http;
  const demo = options.demo
    ? await startDemo({ paths, gateway, identityAddress: plan.identityAddress, ports: host.ports, log })
    : undefined;
  if (demo) cleanup.defer(demo.close);

  toInfo = () => ({
    gateway,
    ...(demo ? { tenant_id: demo.tenantId, user_id: demo.userId, token: demo.token } : {}),
    services: parts.info(),
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

/** Makes sure that nobody else uses the folder, and that nothing of an earlier start is still running there. */
async function takeFolder(folder: string, { log, signal }: StackOptions, cleanup: AsyncDisposableStack): Promise<Host> {
  const paths = toPaths(folder);
  const launcher = tryLock(paths.launcherLock);
  if (!launcher.held) {
    throw new Error(
      `a stack runs in ${folder} already (process ${launcher.ownerPid}); stop it, or set LOCAL_DIR to another folder`,
    );
  }
  cleanup.defer(launcher.release);
  const host = createHost();
  cleanup.defer(host.close);
  // The reaper's lock, since it outlives a launcher that was killed for as long as the launcher's processes do.
  const release = await lock(paths.processesLock, {
    pid: host.reaper.pid,
    ...(signal ? { signal } : {}),
    onWait: () => log('waiting for the end of the processes of an earlier start'),
  });
  cleanup.defer(release);
  await Promise.all([paths.stackFile, paths.held].map((path) => rm(path, { recursive: true, force: true })));
  return host;
}

function toInfraInfo({ pid }: InfraServer): InfraInfo {
  return pid === undefined ? {} : { pid };
}
