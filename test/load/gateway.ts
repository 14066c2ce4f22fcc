import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHost } from '@survey/local/process/host';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { planProcesses } from '@survey/local/stack/plan-processes';
import { startProcesses } from '@survey/local/stack/start-processes';
import { type Bench, type Figure, medianOf, repeat } from './figures.ts';
import { cpuOf, FEW, FULL, figuresOf, load, type Target } from './http-load.ts';
import { type BenchPlatform, log, withPlatform } from './platform.ts';
import { type ChildServer, mostOpenFiles, residentBytes, startChildServer } from './processes.ts';

const PATH = '/v1/surveys/01890a5d-ac96-774b-bcce-b302099a8057/responses';
/** A submission of 1.4 kB. */
const BODY = JSON.stringify({ status: 'completed', data: { comment: 'a'.repeat(1_356) } });
/** Compared with the bare proxy: see ADR 43 and 87. */
const MOST_CPU = 1.4;
const MOST_ADDED_LATENCY = 3;
const IDLE = 10_000;
/** Idle connections that are opened at the same time. */
const OPENED_TOGETHER = 100;
/** Files that a process opens besides the idle connections. */
const OTHER_FILES = 500;
const MOST_IDLE_MB = 200;
const REPLY_TIMEOUT_MS = 15_000;

/** A process that gets requests. */
type Hop = Pick<ChildServer, 'origin' | 'pid'>;

/** Measures the gateway compared with a bare proxy of Express and http-proxy-middleware, and its idle connections. */
export const bench: Bench = ({ rounds, seconds }) =>
  withPlatform(async (platform) => {
    const upstream = await startChildServer('upstream');
    platform.cleanup.defer(upstream.stop);
    const bare = await startChildServer('bare-proxy', [upstream.origin]);
    platform.cleanup.defer(bare.stop);
    const gateway = await startGateway(platform, upstream.origin);
    const toTarget = (name: string, { origin, pid }: Hop): Target => ({
      url: `${origin}${PATH}`,
      headers: { authorization: `Bearer ${platform.tenant.token}` },
      body: BODY,
      pids: new Map([[name, pid]]),
    });
    const targets = {
      upstream: toTarget('upstream', upstream),
      bare: toTarget('bare', bare),
      gateway: toTarget('gateway', gateway),
    };
    const measureAll = async (connections: number) => ({
      upstream: await load(targets.upstream, connections, seconds),
      bare: await load(targets.bare, connections, seconds),
      gateway: await load(targets.gateway, connections, seconds),
    });
    // Compiles the code.
    await measureAll(FULL);
    const full = await repeat(rounds, () => measureAll(FULL));
    const few = await repeat(rounds, () => measureAll(FEW));
    const cpu = medianOf(full, (round) => cpuOf('gateway', round.gateway) / cpuOf('bare', round.bare));
    const byBare = medianOf(few, (round) => round.bare.meanMs - round.upstream.meanMs);
    const byGateway = medianOf(few, (round) => round.gateway.meanMs - round.upstream.meanMs);
    const name = `${FEW} connections`;
    return [
      ...(['bare', 'gateway'] as const).flatMap((hop) =>
        figuresOf(
          hop,
          full.map((round) => round[hop]),
        ),
      ),
      { name: 'CPU of gateway to bare', value: cpu, unit: 'ratio', atMost: MOST_CPU },
      ...(['upstream', 'bare', 'gateway'] as const).flatMap((hop) =>
        figuresOf(
          `${name}, ${hop}`,
          few.map((round) => round[hop]),
        ),
      ),
      { name: `${name}: latency added by the bare proxy`, value: byBare, unit: 'ms' },
      { name: `${name}: latency added by the gateway`, value: byGateway, unit: 'ms' },
      {
        name: `${name}: added latency, gateway to bare`,
        value: byGateway / byBare,
        unit: 'ratio',
        atMost: MOST_ADDED_LATENCY,
      },
      ...(await keepIdle(gateway, targets.gateway, seconds)),
    ];
  });

/** Starts another gateway of the platform, whose response service is the upstream. */
async function startGateway({ stack, folder, cleanup }: BenchPlatform, upstream: string): Promise<Hop> {
  const host = createHost();
  cleanup.defer(host.close);
  const { mongodb_uri: mongodbUri, kafka_brokers: kafkaBrokers, services } = stack.info();
  const paths = toPaths(folder);
  const around = { mongodbUri, kafkaBrokers, keys: toKeyFiles(paths.keys) };
  const plan = await planProcesses(host.ports, await host.ports.claim(18_080), around);
  const addresses = Object.entries(services).flatMap(([name, { http, grpc, admin }]) => {
    const prefix = name.toUpperCase();
    if (grpc === undefined) return [];
    return [
      [`${prefix}_URL`, http],
      [`${prefix}_GRPC_ADDRESS`, grpc],
      [`${prefix}_ADMIN_URL`, admin],
    ];
  });
  const env = { ...plan.gateway.env, ...Object.fromEntries(addresses), RESPONSE_URL: upstream };
  const running = await startProcesses(
    { ...plan, gateway: { ...plan.gateway, name: 'measured', env }, services: [] },
    { paths, env: {}, host, log, onRestarted: () => {} },
  );
  cleanup.defer(running.stop);
  return { origin: plan.gateway.http, pid: running.info()['measured']?.pid ?? 0 };
}

/**
 * Measures the gateway's memory for idle keep-alive connections. Memory is read after a load with and without them,
 * because idle processes keep garbage.
 */
async function keepIdle({ origin, pid }: Hop, target: Target, seconds: number): Promise<readonly Figure[]> {
  const name = `${IDLE} idle connections`;
  const most = Math.min(await mostOpenFiles(pid), await mostOpenFiles(process.pid));
  const needed = IDLE + OTHER_FILES;
  if (most < needed) {
    const reason = 'NOT MEASURED, the limit of open files is';
    return [{ name: `${name}: ${reason}`, value: most, unit: 'files', atLeast: needed }];
  }
  const megabytesAfterLoad = async () => {
    await load(target, FULL, seconds);
    return (await residentBytes(pid)) / 1e6;
  };
  const without = await megabytesAfterLoad();
  const sockets: Socket[] = [];
  try {
    while (sockets.length < IDLE)
      sockets.push(...(await Promise.all(Array.from({ length: OPENED_TOGETHER }, () => useOnce(origin, target)))));
    const withThem = await megabytesAfterLoad();
    const closed = sockets.filter(({ readyState }) => readyState !== 'open').length;
    return [
      { name: `${name}: closed`, value: closed, unit: 'connections', atMost: 0 },
      { name: `${name}: memory of gateway without them`, value: without, unit: 'MB' },
      { name: `${name}: memory of gateway with them`, value: withThem, unit: 'MB' },
      { name: `${name}: memory that they take`, value: withThem - without, unit: 'MB', atMost: MOST_IDLE_MB },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Opens a connection and sends one request. Throws unless the reply is 201. */
async function useOnce(origin: string, { headers }: Target): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `POST ${PATH} HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${headers?.['authorization']}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(BODY)}`,
      '',
      BODY,
    ].join('\r\n'),
  );
  const [reply] = (await once(socket, 'data', { signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) })) as [Buffer];
  const [line = ''] = reply.toString('latin1').split('\r\n', 1);
  if (!line.startsWith('HTTP/1.1 201 ')) throw new Error(line);
  // The gateway may close it. The bench counts such connections at the end.
  return socket.on('error', () => undefined);
}
