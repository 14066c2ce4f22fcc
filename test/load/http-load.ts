import autocannon from 'autocannon';
import { type Figure, medianOf } from './figures.ts';
import { type Pids, withCpu } from './processes.ts';

/** Connections at full load. */
export const FULL = 64;
/** Few connections, which are about half of full load. */
export const FEW = 8;

/** A server that gets the same request many times. */
export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body. */
  readonly body: string;
  /** Processes whose CPU time is measured. */
  readonly pids: Pids;
}

/**
 * The result of a load. Each connection sends its next request after the reply, so a slow server gets fewer requests.
 * Latencies are whole milliseconds from sending a request to its reply, without any wait for a free connection.
 */
export interface Round {
  readonly succeeded: number;
  /** Replies of another status than 2xx, and requests without a reply. */
  readonly failed: number;
  readonly perSecond: number;
  /** The mean latency, exactly: connections divided by requests per second. */
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU seconds by process name. */
  readonly cpu: ReadonlyMap<string, number>;
  /** CPU seconds of the generator. */
  readonly generatorSeconds: number;
}

/** Posts to a target for some seconds, in a thread of its own. */
export async function load({ pids, ...target }: Target, connections: number, seconds: number): Promise<Round> {
  const generator = process.cpuUsage();
  const { result, cpu } = await withCpu(pids, () =>
    autocannon({
      ...target,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...target.headers },
      connections,
      duration: seconds,
      workers: 1,
    }),
  );
  const { user, system } = process.cpuUsage(generator);
  const { requests, latency, non2xx, errors, duration } = result;
  const perSecond = (requests.total - non2xx) / duration;
  return {
    succeeded: requests.total - non2xx,
    failed: non2xx + errors,
    perSecond,
    meanMs: (connections / perSecond) * 1_000,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    maxMs: latency.max,
    cpu,
    generatorSeconds: (user + system) / 1e6,
  };
}

/** CPU microseconds of a process per successful request. */
export function cpuOf(name: string, { cpu, succeeded }: Round): number {
  return ((cpu.get(name) ?? 0) / succeeded) * 1e6;
}

/** CPU microseconds of all processes per successful request. */
export function cpuOfAll(round: Round): number {
  return [...round.cpu.keys()].reduce((sum, name) => sum + cpuOf(name, round), 0);
}

/** The medians of rates, latencies and CPU of some rounds. No request may fail. */
export function figuresOf(
  name: string,
  rounds: readonly Round[],
  mostP99Ms = Number.POSITIVE_INFINITY,
): readonly Figure[] {
  const failures = rounds.reduce((sum, { failed }) => sum + failed, 0);
  const generator = medianOf(rounds, ({ cpu, generatorSeconds }) => {
    const others = [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
    return generatorSeconds / (generatorSeconds + others);
  });
  return [
    { name: `${name}: requests`, value: medianOf(rounds, ({ perSecond }) => perSecond), unit: '1/s' },
    { name: `${name}: failed`, value: failures, unit: 'requests', atMost: 0 },
    { name: `${name}: latency, mean`, value: medianOf(rounds, ({ meanMs }) => meanMs), unit: 'ms' },
    { name: `${name}: latency, p50`, value: medianOf(rounds, ({ p50Ms }) => p50Ms), unit: 'ms' },
    {
      name: `${name}: latency, p99`,
      value: medianOf(rounds, ({ p99Ms }) => p99Ms),
      unit: 'ms',
      ...(Number.isFinite(mostP99Ms) ? { atMost: mostP99Ms } : {}),
    },
    { name: `${name}: latency, longest`, value: medianOf(rounds, ({ maxMs }) => maxMs), unit: 'ms' },
    ...[...(rounds[0]?.cpu.keys() ?? [])].map((process) => ({
      name: `${name}: CPU of ${process} per request`,
      value: medianOf(rounds, (round) => cpuOf(process, round)),
      unit: 'µs',
    })),
    { name: `${name}: generator's share of the CPU used`, value: generator * 100, unit: '%' },
  ];
}
