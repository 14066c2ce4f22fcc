import type { Stack } from '@survey/local/stack';
import { type Figure, median } from './bench-report.ts';
import { cpuSeconds } from './cpu-time.ts';
import { type LoadMark, type LoadOutcome, type LoadTask, runLoad } from './load-task.ts';

/** Process ids by name. */
export type Pids = ReadonlyMap<string, number>;

/** The result of one measurement. */
export interface Round extends LoadOutcome {
  /** Replies with status 201 per second. */
  readonly perSecond: number;
  readonly generatorShare: number;
  /** CPU seconds by process name. */
  readonly cpu: ReadonlyMap<string, number>;
}

/** Runs load, and measures the CPU time of processes meanwhile. */
export async function measureLoad(task: LoadTask, pids: Pids): Promise<Round> {
  const marks: Partial<Record<LoadMark, Promise<ReadonlyMap<string, number>>>> = {};
  const outcome = await runLoad(task, (mark) => {
    marks[mark] = readCpu(pids);
  });
  const [from, to] = [await marks.measuring, await marks.measured];
  const cpu = new Map([...pids.keys()].map((name) => [name, (to?.get(name) ?? 0) - (from?.get(name) ?? 0)]));
  const total = [...cpu.values()].reduce((sum, value) => sum + value, outcome.cpuSeconds);
  const perSecond = outcome.succeeded / (task.measureMs / 1000);
  return { ...outcome, perSecond, generatorShare: outcome.cpuSeconds / total, cpu };
}

/** Runs work on `items`, and measures the CPU time of each process for an item meanwhile. */
export async function measureCpu<T>(
  name: string,
  { pids, items }: { readonly pids: Pids; readonly items: number },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpu: readonly Figure[] }> {
  const before = await readCpu(pids);
  const result = await work();
  const after = await readCpu(pids);
  const used = [...after].map(([process, seconds]) => ({
    process,
    us: ((seconds - (before.get(process) ?? 0)) / items) * 1e6,
  }));
  const all = { process: 'all processes', us: used.reduce((sum, { us }) => sum + us, 0) };
  const cpu = [all, ...used].map(({ process, us }) => ({ name: `${name}: CPU of ${process}`, value: us, unit: 'µs' }));
  return { result, cpu };
}

/** CPU seconds since the start of each process, by name. */
export async function readCpu(pids: Pids): Promise<ReadonlyMap<string, number>> {
  return new Map(await Promise.all([...pids].map(async ([name, pid]) => [name, await cpuSeconds(pid)] as const)));
}

/** CPU microseconds of a process per successful request. */
export function cpuOf(name: string, { cpu, succeeded }: Round): number {
  return ((cpu.get(name) ?? 0) / succeeded) * 1e6;
}

/** The medians of rates, latencies and CPU of some rounds. No request may fail. */
export function figuresOf(name: string, rounds: readonly Round[]): readonly Figure[] {
  const medianOf = (read: (round: Round) => number) => median(rounds.map(read));
  const processes = [...(rounds[0]?.cpu.keys() ?? [])];
  const failures = rounds.reduce((sum, { failed, shed }) => sum + failed + shed, 0);
  return [
    { name: `${name}: submits`, value: medianOf(({ perSecond }) => perSecond), unit: '1/s' },
    { name: `${name}: failed`, value: failures, unit: 'requests', atMost: 0 },
    { name: `${name}: latency p50`, value: medianOf(({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: `${name}: latency p99`, value: medianOf(({ p99Ms }) => p99Ms), unit: 'ms' },
    ...processes.map((process) => ({
      name: `${name}: CPU of ${process} per request`,
      value: medianOf((round) => cpuOf(process, round)),
      unit: 'µs',
    })),
    {
      name: `${name}: generator's share of the CPU used`,
      value: medianOf(({ generatorShare }) => generatorShare) * 100,
      unit: '%',
    },
  ];
}

/** MongoDB and Kafka if they are processes of the stack. */
export function infraPids(stack: Stack): Pids {
  const { mongodb, kafka } = stack.info();
  return toPids({ mongodb, kafka });
}

/** The gateway, the services, MongoDB and Kafka. */
export function platformPids(stack: Stack): Pids {
  const { services, mongodb, kafka } = stack.info();
  return toPids({ ...services, mongodb, kafka });
}

function toPids(parts: Readonly<Record<string, { readonly pid?: number }>>): Pids {
  return new Map(Object.entries(parts).flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid] as const])));
}
