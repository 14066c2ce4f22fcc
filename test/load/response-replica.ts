import { join } from 'node:path';
import { createHost } from '@survey/local/process/host';
import { startPart } from '@survey/local/process/part';
import { untilReady } from '@survey/local/process/until-ready';
import type { Stack } from '@survey/local/stack';
import { repositoryRoot, toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { planParts } from '@survey/local/stack/parts';
import { poll } from '@survey/runtime/testing/poll';

/** Another process of the response service, beside that of a stack. */
export interface ResponseReplica {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts it on the database and with the keys of a stack whose files are in the folder. */
export async function startResponseReplica(stack: Stack, folder: string): Promise<ResponseReplica> {
  const host = createHost();
  try {
    const { mongodb_uri: mongodbUri, kafka_brokers: kafkaBrokers, services } = stack.info();
    const paths = toPaths(folder);
    const around = { mongodbUri, kafkaBrokers, keys: toKeyFiles(paths.keys) };
    const plan = (await planParts(host.ports, 0, around)).services.find(({ name }) => name === 'response');
    if (plan === undefined) throw new Error('there is no response service');
    const logFile = join(paths.logs, 'response-replica.log');
    const part = startPart({
      command: process.execPath,
      args: [plan.script],
      cwd: repositoryRoot,
      env: { ...plan.env, SURVEY_GRPC_ADDRESS: services['survey']?.grpc },
      logFile,
      reaper: host.reaper,
    });
    const isReady = async () => (await fetch(`${plan.admin}/readyz`)).ok;
    await untilReady(part, logFile, async () => void (await poll(isReady, { timeoutMs: 60_000 })));
    return {
      origin: plan.http,
      pid: part.pid,
      async stop() {
        await part.stop();
        await host.close();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
}
