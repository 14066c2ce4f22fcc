import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from '../process/cache-dir.ts';
import type { Host } from '../process/host.ts';
import { type Part, startPart } from '../process/part.ts';
import { untilReady } from '../process/until-ready.ts';
import { isHeld, repositoryRoot, type toPaths } from './folder.ts';
import type { PartPlan, Plan, Variables } from './parts.ts';
import type { ServiceInfo } from './stack-file.ts';
import { supervise } from './supervise.ts';

interface StartPartsOptions {
  readonly paths: ReturnType<typeof toPaths>;
  /** Variables of all parts; those of their plans win. */
  readonly env: Variables;
  readonly host: Host;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly onRestarted: () => void;
}

interface Parts {
  /** As of now: process ids change when a part is started again. */
  readonly info: () => Readonly<Record<string, ServiceInfo>>;
  readonly stop: () => Promise<void>;
}

/** Starts the gateway and the services side by side, waits until all are ready, and keeps them running. */
export async function startParts(plan: Plan, options: StartPartsOptions): Promise<Parts> {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const gateway = keep(plan.gateway, { ...options, signal });
  const services = plan.services.map((part) => keep(part, { ...options, signal }));
  const kept = [gateway, ...services];
  const stop = async () => {
    stopping.abort();
    await gateway.stop();
    await Promise.all(services.map((service) => service.stop()));
  };
  try {
    await Promise.all(kept.map((part) => part.ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return { info: () => Object.fromEntries(kept.map((part) => [part.name, part.info()])), stop };
}

type KeepOptions = StartPartsOptions & { readonly signal: AbortSignal };

function keep(plan: PartPlan, { paths, env: common, host, log, signal, onRestarted }: KeepOptions) {
  const logFile = join(paths.logs, `${plan.name}.log`);
  const start = (env: Variables, appendLog = false): Part =>
    startPart({
      command: process.execPath,
      args: ['--import', '@survey/runtime/telemetry/preload', plan.script],
      cwd: repositoryRoot,
      // Six processes read much the same code: a third of a start is compiling it.
      env: { NODE_COMPILE_CACHE: join(cacheDir(), 'compiled'), OTEL_SERVICE_NAME: plan.name, ...common, ...env },
      logFile,
      appendLog,
      reaper: host.reaper,
    });
  let current = start(plan.env);
  let supervision: ReturnType<typeof supervise<Part>> | undefined;
  const ready = untilReady(current, logFile, (ended) => untilAnswers(`${plan.admin}/readyz`, ended), signal).then(
    // Only from here on: one that dies before says why and ends the start.
    () => {
      signal.throwIfAborted();
      supervision = supervise({
        name: plan.name,
        first: current,
        // Everything is set up since the first start, and Kafka may be away.
        restart: async () => start({ ...plan.env, SETUP_ON_START: 'false' }, true),
        onRestarted: (part) => {
          current = part;
          onRestarted();
        },
        isHeld: () => isHeld(paths, plan.name),
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

function toInfo({ http, grpc, admin }: PartPlan, pid: number): ServiceInfo {
  return { pid, http, ...(grpc === undefined ? {} : { grpc }), admin };
}

async function untilAnswers(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    let seen: string;
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]) });
      seen = `${response.status} ${await response.text()}`;
      if (response.ok) return;
    } catch (error) {
      seen = String(error);
    }
    if (signal.aborted) throw new Error(`${url} last gave: ${seen}`);
    // The next turn sees an abort.
    await delay(50, undefined, { signal }).catch(() => {});
  }
}
