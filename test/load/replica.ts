import { join } from 'node:path';
import { createHost } from '@survey/local/process/host';
import { startProcess } from '@survey/local/process/start-process';
import { untilReady } from '@survey/local/process/until-ready';
import type { Stack } from '@survey/local/stack';
import { repositoryRoot, toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { planProcesses } from '@survey/local/stack/plan-processes';
import { poll } from '@survey/runtime/testing/poll';

/** An additional replica of a process of the stack. */
export interface Replica {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Options {
  readonly stack: Pick<Stack, 'info'>;
  /** The folder of the stack. */
  readonly folder: string;
  readonly part: string;
  /** Environment variables that differ from the stack's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a replica with the database, the keys and the services of the stack. */
export async function startReplica({ stack, folder, part, env }: Options): Promise<Replica> {
  const host = createHost();
  try {
    const { mongodb_uri: mongodbUri, kafka_brokers: kafkaBrokers, services } = stack.info();
    const paths = toPaths(folder);
    const around = { mongodbUri, kafkaBrokers, keys: toKeyFiles(paths.keys) };
    const { gateway, ...others } = await planProcesses(host.ports, await host.ports.claim(18_080), around);
    const plan = [gateway, ...others.services].find(({ name }) => name === part);
    if (plan === undefined) throw new Error(`the stack has no ${part}`);
    const neighbours = Object.entries(services).flatMap(([name, { http, grpc, admin }]) =>
      grpc === undefined
        ? []
        : [
            [`${name.toUpperCase()}_GRPC_ADDRESS`, grpc],
            [`${name.toUpperCase()}_URL`, http],
            [`${name.toUpperCase()}_ADMIN_URL`, admin],
          ],
    );
    const logFile = join(paths.logs, `${part}-replica.log`);
    const running = startProcess({
      command: process.execPath,
      args: [plan.script],
      cwd: repositoryRoot,
      env: { ...plan.env, ...Object.fromEntries(neighbours), ...env },
      logFile,
      reaper: host.reaper,
    });
    const isReady = async () => (await fetch(`${plan.admin}/readyz`)).ok;
    await untilReady(running, logFile, async () => void (await poll(isReady, { timeoutMs: 60_000 })));
    return {
      origin: plan.http,
      pid: running.pid,
      async stop() {
        await running.stop();
        await host.close();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
}
