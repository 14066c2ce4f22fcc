import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubectl } from '../commands.ts';
import { listPods, type Pod, podsOf, trialPodOf } from '../pods.ts';
import { MEASUREMENT, type MeasuredProcess, type Usage } from './usage-table.ts';

/** The used members of the kubelet's node summary. */
interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly uid: string };
    readonly cpu?: { readonly time: string; readonly usageCoreNanoSeconds?: number };
    readonly memory?: { readonly workingSetBytes?: number };
  }[];
}

interface Reading {
  readonly atMs: number;
  readonly cpuNanoseconds: number;
  readonly bytes: number;
}

const MIB = 2 ** 20;

/** Measures all pods for a time. Returns usage by container name. */
export async function measureUsage(ms: number): Promise<ReadonlyMap<string, Usage>> {
  const pods = await listAllPods();
  const nodes = [...new Set(pods.map(({ spec }) => spec.nodeName))];
  const before = await readNodes(nodes);
  await sleep(ms);
  const after = await readNodes(nodes);
  const byProcess = Map.groupBy(pods, processOf);
  return new Map(
    [...byProcess].map(([name, ofProcess]) => {
      const usages = ofProcess.map(({ metadata: { uid } }) => toUsage(before.get(uid), after.get(uid)));
      return [name, { cpu: mean(usages.map(({ cpu }) => cpu)), memory: mean(usages.map(({ memory }) => memory)) }];
    }),
  );
}

/** Prints the usage of pods and their requests. */
export async function printUsage(idle: ReadonlyMap<string, Usage>, busy: ReadonlyMap<string, Usage>): Promise<void> {
  const pods = await listAllPods();
  const rows = [...Map.groupBy(pods, processOf)].map(([name, [pod]]) => {
    const { requests = {}, limits = {} } = pod?.spec.containers[0]?.resources ?? {};
    const [atRest, atWork] = [idle.get(name), busy.get(name)];
    return [
      name,
      {
        'idle CPU (m)': atRest?.cpu,
        'busy CPU (m)': atWork?.cpu,
        'requested CPU': requests['cpu'],
        'idle memory (MiB)': atRest?.memory,
        'busy memory (MiB)': atWork?.memory,
        'requested memory': requests['memory'],
        'memory limit': limits['memory'],
      },
    ] as const;
  });
  console.table(Object.fromEntries(rows));
}

/** Keeps the usage under load for `write-usage.ts`. */
export async function saveUsage(busy: ReadonlyMap<string, Usage>): Promise<void> {
  const byProcess = Map.groupBy(await listAllPods(), processOf);
  const measured = [...busy].map(([name, usage]): MeasuredProcess => {
    return { name, replicas: byProcess.get(name)?.length ?? 0, ...usage };
  });
  await mkdir(dirname(MEASUREMENT), { recursive: true });
  await writeFile(MEASUREMENT, JSON.stringify(measured, undefined, 2));
}

/** The pods of the platform, MongoDB and Kafka. */
async function listAllPods(): Promise<readonly Pod[]> {
  return (await Promise.all([podsOf(), trialPodOf('mongodb'), trialPodOf('kafka')].map(listPods))).flat();
}

/** A pod has one container, named like its process. */
function processOf({ spec }: Pod): string {
  return spec.containers[0]?.name ?? '';
}

async function readNodes(nodes: readonly string[]): Promise<ReadonlyMap<string, Reading>> {
  const summaries = await Promise.all(
    nodes.map(async (node): Promise<Summary> => {
      return JSON.parse(await kubectl(['get', '--raw', `/api/v1/nodes/${node}/proxy/stats/summary`]));
    }),
  );
  return new Map(
    summaries.flatMap(({ pods }) =>
      pods.map(({ podRef, cpu, memory }) => [
        podRef.uid,
        {
          atMs: Date.parse(cpu?.time ?? ''),
          cpuNanoseconds: cpu?.usageCoreNanoSeconds ?? Number.NaN,
          bytes: memory?.workingSetBytes ?? Number.NaN,
        },
      ]),
    ),
  );
}

function toUsage(before: Reading | undefined, after: Reading | undefined): Usage {
  if (before === undefined || after === undefined) return { cpu: Number.NaN, memory: Number.NaN };
  const milliseconds = after.atMs - before.atMs;
  // A full core uses a million nanoseconds per millisecond.
  const cpu = (after.cpuNanoseconds - before.cpuNanoseconds) / milliseconds / 1_000;
  return { cpu, memory: after.bytes / MIB };
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, each) => sum + each, 0) / numbers.length);
}
