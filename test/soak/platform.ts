import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWebApps } from '@survey/local/build-web-apps';
import type { InfraServer } from '@survey/local/infra/infra';
import { createHost } from '@survey/local/process/host';
import { toPaths } from '@survey/local/stack/folder';
import { ensureKeys } from '@survey/local/stack/keys';
import { type Plan, type ProcessPlan, planProcesses } from '@survey/local/stack/plan-processes';
import { startInfra } from '@survey/local/stack/start-infra';
import { startProcesses } from '@survey/local/stack/start-processes';
import { type RoundRobin, startRoundRobin } from '../support/faults/round-robin.ts';
import { SHORT_WAITS } from '../support/stack.ts';

/** A process that is restarted when it ends, unless it is held. */
export interface SoakProcess {
  readonly name: string;
  /** `gateway`, `response`, `mongodb` and so on. */
  readonly kind: string;
  readonly pid: () => number | undefined;
  /** The base URL of its admin port; MongoDB and Kafka have none. */
  readonly admin: string | undefined;
}

/** A proxy between two processes. */
interface Line {
  /** `response-1 to mongodb` */
  readonly name: string;
  readonly proxy: RoundRobin;
}

/** Two replicas of every process, one MongoDB and one Kafka, with a proxy on each connection. */
export interface Platform {
  /** The base URL of the gateways, through a proxy. */
  readonly gateway: string;
  /** For calls of operators, without a proxy. */
  readonly identityAddress: string;
  readonly keysFolder: string;
  /** Without a proxy. */
  readonly mongodbUri: string;
  readonly processes: readonly SoakProcess[];
  readonly lines: readonly Line[];
  /** Adds a proxy in front of a server of the soak. */
  addLine(name: string, port: number): Promise<RoundRobin>;
  /** Holds a process, so it is not restarted when it ends, or releases it. */
  setHeld(name: string, isHeld: boolean): void;
  stop(): Promise<void>;
}

interface Options {
  /** The folder for all files. */
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const REPLICAS = [1, 2] as const;
const DEFAULT_GATEWAY_PORT = 8280;
const PRELOAD = fileURLToPath(new URL('redirect.ts', import.meta.url));

const ENVIRONMENT = {
  ...SHORT_WAITS,
  // As short as the faults, and longer in total than two of them.
  WEBHOOK_RETRY_SECONDS: '1,3,9,20,20',
};

export async function startPlatform({ folder, log, signal }: Options): Promise<Platform> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start({ folder, log, signal }, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start({ folder, log, signal }: Options, cleanup: AsyncDisposableStack): Promise<Platform> {
  const paths = toPaths(folder);
  const host = createHost();
  cleanup.defer(host.close);
  await buildWebApps(log);
  const keys = await ensureKeys(paths.keys);
  const shared = { paths, host, log, signal, onRestarted: () => {} };
  const infra = await startInfra({ ...shared, mongo: { failPoints: true } });
  cleanup.defer(infra.stop);
  const mongodbPort = portOfOurs(infra.mongo());
  const kafkaPort = portOfOurs(infra.kafka());

  const lines: Line[] = [];
  async function addLine(name: string, ...ports: readonly number[]): Promise<RoundRobin> {
    const proxy = await startRoundRobin();
    cleanup.defer(proxy.close);
    proxy.spreadOver(ports);
    lines.push({ name, proxy });
    return proxy;
  }

  const around = { mongodbUri: infra.mongo().uri, kafkaBrokers: infra.kafka().brokers, keys };
  const plans: Plan[] = [];
  for (const _ of REPLICAS)
    plans.push(await planProcesses(host.ports, await host.ports.claim(DEFAULT_GATEWAY_PORT), around));
  const partsOf = ({ gateway, services }: Plan) => [gateway, ...services];
  const replicasOf = (part: string) => plans.flatMap(partsOf).filter(({ name }) => name === part);

  /** The plan of a replica: with its own name, and a proxy to each process that it calls. */
  async function connect(part: ProcessPlan, replica: number): Promise<ProcessPlan> {
    const name = `${part.name}-${replica}`;
    const env: Record<string, string> = { ...part.env };
    for (const variable of Object.keys(env)) {
      const [, called = '', kind] = /^([A-Z]+)_(URL|GRPC_ADDRESS)$/.exec(variable) ?? [];
      if (kind === undefined) continue;
      const isGrpc = kind === 'GRPC_ADDRESS';
      const targets = replicasOf(called.toLowerCase()).map(({ http, grpc }) =>
        portOf(isGrpc ? `http://${grpc}` : http),
      );
      const { port, url } = await addLine(`${name} to ${called.toLowerCase()}${isGrpc ? ' (gRPC)' : ''}`, ...targets);
      env[variable] = isGrpc ? `127.0.0.1:${port}` : url;
    }
    if (part.name !== 'gateway') {
      const mongodb = await addLine(`${name} to mongodb`, mongodbPort);
      const kafka = await addLine(`${name} to kafka`, kafkaPort);
      env['SOAK_REDIRECTS'] = JSON.stringify({ [mongodbPort]: mongodb.port, [kafkaPort]: kafka.port });
      env['NODE_OPTIONS'] = `${env['NODE_OPTIONS'] ?? ''} --import ${PRELOAD}`.trim();
    }
    // Only the first replica runs the set-up.
    return { ...part, name, env: { ...env, ...(replica === 1 ? {} : { SETUP_ON_START: 'false' }) } };
  }

  log('starting two replicas of every part');
  const processes: SoakProcess[] = [
    { name: 'mongodb', kind: 'mongodb', pid: () => infra.mongo().pid, admin: undefined },
    { name: 'kafka', kind: 'kafka', pid: () => infra.kafka().pid, admin: undefined },
  ];
  for (const [index, plan] of plans.entries()) {
    const replica = index + 1;
    const gateway = await connect(plan.gateway, replica);
    const services: ProcessPlan[] = [];
    for (const service of plan.services) services.push(await connect(service, replica));
    const running = await startProcesses({ ...plan, gateway, services }, { ...shared, env: ENVIRONMENT });
    cleanup.defer(running.stop);
    for (const { name, admin } of [gateway, ...services])
      processes.push({ name, kind: name.replace(/-\d$/, ''), pid: () => running.info()[name]?.pid, admin });
  }
  const gateways = replicasOf('gateway').map(({ http }) => portOf(http));
  const gateway = (await addLine('clients to gateway', ...gateways)).url;
  return {
    gateway,
    identityAddress: plans[0]?.identityAddress ?? '',
    keysFolder: paths.keys,
    mongodbUri: around.mongodbUri,
    processes,
    lines,
    addLine: (name, port) => addLine(name, port),
    setHeld(name, isHeld) {
      const file = join(paths.held, name);
      mkdirSync(paths.held, { recursive: true });
      if (isHeld) writeFileSync(file, '');
      else rmSync(file, { force: true });
    },
    stop: () => cleanup.disposeAsync(),
  };
}

/** Throws if the server was not started by the soak. */
function portOfOurs({ port }: InfraServer): number {
  if (port !== undefined) return port;
  throw new Error('the soak kills its MongoDB and its Kafka: unset MONGODB_URI and KAFKA_BROKERS');
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
