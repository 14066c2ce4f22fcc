import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@survey/local/stack';
import { lunchAnswers, lunchSurvey } from '../../support/lunch-survey.ts';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { createBenchTenant } from '../bench-tenant.ts';
import { cpuSeconds } from '../cpu-time.ts';
import { type LoadMark, type LoadTask, runLoad } from '../load-task.ts';

const ROUNDS = 3;
const CONNECTIONS = 32;
const body = JSON.stringify({ status: 'completed', data: lunchAnswers });

/** What one run of load showed: rates a second, CPU seconds by the name of each process. */
interface Round {
  readonly perSecond: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly generatorShare: number;
  readonly cpu: ReadonlyMap<string, number>;
}

/** Submits a second through the gateway, beside the floor in turns. */
export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
  const floor = await startFloor(stack.info().mongodb_uri);
  try {
    const surveyId = await publishSurvey(stack, folder);
    const { gateway } = stack.info();
    const rounds: { platform: Round[]; floor: Round[] } = { platform: [], floor: [] };
    for (let n = 0; n < ROUNDS; n += 1) {
      rounds.platform.push(await measure(gateway, `/v1/public/surveys/${surveyId}/responses`, platformPids(stack)));
      rounds.floor.push(await measure(floor.origin, '/', new Map([['floor', floor.pid], ...infraPids(stack)])));
    }
    return [...figuresOf('platform', rounds.platform), ...figuresOf('floor', rounds.floor), ...ratiosOf(rounds)];
  } finally {
    await floor.stop();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measure(origin: string, path: string, pids: ReadonlyMap<string, number>): Promise<Round> {
  const task: LoadTask = { origin, path, body, connections: CONNECTIONS, warmUpMs: 3_000, measureMs: 7_000 };
  const marks: Partial<Record<LoadMark, Promise<ReadonlyMap<string, number>>>> = {};
  const outcome = await runLoad(task, (mark) => {
    marks[mark] = readCpu(pids);
  });
  const [from, to] = [await marks.measuring, await marks.measured];
  const seconds = task.measureMs / 1000;
  const cpu = new Map([...pids.keys()].map((name) => [name, (to?.get(name) ?? 0) - (from?.get(name) ?? 0)]));
  const total = [...cpu.values()].reduce((sum, value) => sum + value, outcome.cpuSeconds);
  return { ...outcome, perSecond: outcome.succeeded / seconds, generatorShare: outcome.cpuSeconds / total, cpu };
}

async function readCpu(pids: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  return new Map(await Promise.all([...pids].map(async ([name, pid]) => [name, await cpuSeconds(pid)] as const)));
}

function figuresOf(name: string, rounds: readonly Round[]): readonly Figure[] {
  const of = (read: (round: Round) => number) => median(rounds.map(read));
  const processes = [...(rounds[0]?.cpu.keys() ?? [])];
  const failures = rounds.reduce((sum, { failed }) => sum + failed, 0);
  return [
    { name: `${name}: submits`, value: of(({ perSecond }) => perSecond), unit: '1/s' },
    { name: `${name}: failed`, value: failures, unit: 'requests', target: 0, ok: failures === 0 },
    { name: `${name}: latency p50`, value: of(({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: `${name}: latency p99`, value: of(({ p99Ms }) => p99Ms), unit: 'ms' },
    ...processes.map((process) => ({
      name: `${name}: CPU of ${process} per request`,
      value: of(({ cpu, succeeded }) => ((cpu.get(process) ?? 0) / succeeded) * 1e6),
      unit: 'µs',
    })),
    {
      name: `${name}: generator's share of the CPU used`,
      value: of(({ generatorShare }) => generatorShare) * 100,
      unit: '%',
    },
  ];
}

/** Each round against the floor's of the same turn. */
function ratiosOf({ platform, floor }: { platform: readonly Round[]; floor: readonly Round[] }): readonly Figure[] {
  const ratios = platform.map(({ perSecond }, turn) => perSecond / (floor[turn]?.perSecond ?? Number.NaN));
  return [{ name: 'platform to floor: submits', value: median(ratios), unit: 'ratio' }];
}

function infraPids(stack: Stack): ReadonlyMap<string, number> {
  const { mongodb, kafka } = stack.info();
  const entries = Object.entries({ mongodb: mongodb.pid, kafka: kafka.pid });
  return new Map(entries.flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid] as const])));
}

function platformPids(stack: Stack): ReadonlyMap<string, number> {
  const services = Object.entries(stack.info().services).map(([name, { pid }]) => [name, pid] as const);
  return new Map([...services, ...infraPids(stack)]);
}

async function publishSurvey(stack: Stack, folder: string): Promise<string> {
  const { call } = await createBenchTenant(stack, folder);
  const made = await call('POST', '/v1/surveys', lunchSurvey);
  // The API's answer to this is a survey.
  const { id } = (await made.json()) as { id: string };
  await call('POST', `/v1/surveys/${id}/publish`);
  return id;
}

async function startFloor(mongodbUri: string) {
  const child: ChildProcess = fork(join(import.meta.dirname, '../floor.ts'), [mongodbUri, `floor-${randomUUID()}`]);
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${message.port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
