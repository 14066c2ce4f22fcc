import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from '../process/files.ts';
import type { Host } from '../process/host.ts';
import { type ManagedProcess, startProcess } from '../process/start-process.ts';
import { untilReady } from '../process/until-ready.ts';
import { isRestartPaused, repositoryRoot, type toPaths } from './folder.ts';
import type { Plan, ProcessPlan, Variables } from './plan-processes.ts';
import type { ServiceInfo } from './stack-file.ts';
import { supervise } from './supervise.ts';

interface StartProcessesOptions {
  readonly paths: ReturnType<typeof toPaths>;
  /** Common environment variables. Those of the plans override them. */
  readonly env: Variables;
  readonly host: Host;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly onRestarted: () => void;
  /** Folder with the code of the processes. Default: this repository. */
  readonly root?: string;
  /** Folder with a bundle of each process (`npm run bundle`), which runs instead of the sources. */
  readonly bundles?: string | undefined;
}

export interface RunningProcesses {
  /** Current addresses and process ids; ids change with a restart. */
  readonly info: () => Readonly<Record<string, ServiceInfo>>;
  readonly stop: () => Promise<void>;
}

/** Arguments of Node.js to start a bundle, in its folder. Those of the entry point of the images. */
export const BUNDLE_ARGS = ['--import', './process/dist/preload.js', 'process/dist/main.js'];

/** Starts the gateway and the services concurrently, waits until all are ready, and keeps them running. */
export async function startProcesses(plan: Plan, options: StartProcessesOptions): Promise<RunningProcesses> {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const gateway = startSupervised(plan.gateway, { ...options, signal });
  const services = plan.services.map((child) => startSupervised(child, { ...options, signal }));
  const all = [gateway, ...services];
  const stop = async () => {
    stopping.abort();
    await gateway.stop();
    await Promise.all(services.map((service) => service.stop()));
  };
  try {
    await Promise.all(all.map((child) => child.ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return { info: () => Object.fromEntries(all.map((child) => [child.name, child.info()])), stop };
}

type SuperviseOptions = StartProcessesOptions & { readonly signal: AbortSignal };

function startSupervised(plan: ProcessPlan, options: SuperviseOptions) {
  const { paths, env: common, host, log, signal, onRestarted, root = repositoryRoot, bundles } = options;
  const logFile = join(paths.logs, `${plan.name}.log`);
  const code =
    bundles === undefined
      ? { args: ['--import', '@survey/runtime/telemetry/preload', plan.script], cwd: root }
      : { args: BUNDLE_ARGS, cwd: join(bundles, plan.name) };
  const start = (env: Variables, appendLog = false): ManagedProcess =>
    startProcess({
      command: process.execPath,
      ...code,
      // Compiling takes a third of the start-up time. The processes have most code in common, so they share a cache.
      env: { NODE_COMPILE_CACHE: join(cacheDir(), 'compiled'), OTEL_SERVICE_NAME: plan.name, ...common, ...env },
      logFile,
      appendLog,
      reaper: host.reaper,
    });
  let current = start(plan.env);
  let supervision: ReturnType<typeof supervise<ManagedProcess>> | undefined;
  const ready = untilReady(current, logFile, (ended) => untilReplies(`${plan.admin}/readyz`, ended), signal).then(
    // Supervise a process only after it is ready. If it fails earlier, the whole start fails.
    () => {
      signal.throwIfAborted();
      supervision = supervise({
        name: plan.name,
        first: current,
        // Skip the set-up: the first start did it, and it needs Kafka, which may be down now.
        restart: async () => start({ ...plan.env, SETUP_ON_START: 'false' }, true),
        onRestarted: (child) => {
          current = child;
          onRestarted();
        },
        isRestartPaused: () => isRestartPaused(paths, plan.name),
        log,
      });
    },
    (error: Error) => {
      throw new Error(`${plan.name} did not start: ${error.message}`, { cause: error });
    },
  );
  return {
    name: plan.name,
    ready,
    info: () => toInfo(plan, current.pid),
    stop: async () => void (await (supervision ?? current).stop()),
  };
}

function toInfo({ http, grpc, admin }: ProcessPlan, pid: number): ServiceInfo {
  return { pid, http, ...(grpc === undefined ? {} : { grpc }), admin };
}

async function untilReplies(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    let seen: string;
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]) });
      seen = `${response.status} ${await response.text()}`;
      if (response.ok) return;
    } catch (error) {
      seen = String(error);
    }
    if (signal.aborted) throw new Error(`${url} is not ready, last reply: ${seen}`);
    // After an abort, the next iteration throws.
    await delay(50, undefined, { signal }).catch(() => {});
  }
}
