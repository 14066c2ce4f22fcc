import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@survey/local/stack';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { forkServer } from '../forked-server.ts';
import { FULL, load, type Target, warmUp } from '../ingest/target.ts';
import { publishLunch } from '../lunch-load.ts';
import { cpuOf, figuresOf, type Round } from '../measured-load.ts';
import { startReplica } from '../replica.ts';

const ROUNDS = 5;
const MAX_FACTOR = 1.15;
/** A typical sampling rate of production. */
const SAMPLING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };
const PRELOAD = '--import @survey/runtime/telemetry/preload';
const WITHOUT_METRICS = `--import ${new URL('../without-metrics.ts', import.meta.url)}`;
const PARTS = ['gateway', 'response'] as const;

/**
 * Measures the cost of observability: pairs of gateway and response service with metrics and 5 % sampled traces, with
 * metrics only, and without both. Each pair has its own database, so it relays its own events.
 */
export const bench: Bench = async () => {
  const cleanup = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
    cleanup.defer(stack.stop);
    const collector = await forkServer('span-sink.ts');
    cleanup.defer(collector.stop);
    const path = await publishLunch(stack, folder);
    const begin = (name: string, env: Readonly<Record<string, string>>) =>
      startPair({ stack, folder, path, name, env, cleanup });

    const pairs = {
      blind: await begin('blind', { NODE_OPTIONS: WITHOUT_METRICS }),
      measured: await begin('measured', {}),
      watched: await begin('watched', {
        NODE_OPTIONS: PRELOAD,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
        ...SAMPLING,
      }),
    };
    // Twice, because compilation at run time takes long.
    await warmUp([...Object.values(pairs), ...Object.values(pairs)]);
    return await compare(pairs);
  } finally {
    await cleanup.disposeAsync();
  }
};

async function startPair(options: {
  readonly stack: Stack;
  readonly folder: string;
  readonly path: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cleanup: AsyncDisposableStack;
}): Promise<Target> {
  const { stack, folder, path, name, env, cleanup } = options;
  const start = async (part: string, more: Readonly<Record<string, string>>) => {
    const replica = await startReplica({ stack, folder, part, env: { ...env, OTEL_SERVICE_NAME: part, ...more } });
    cleanup.defer(replica.stop);
    return replica;
  };
  const response = await start('response', { MONGODB_DATABASE: `survey-response-${name}` });
  const gateway = await start('gateway', { RESPONSE_URL: response.origin });
  const pids = new Map([
    ['gateway', gateway.pid],
    ['response', response.pid],
  ]);
  return { origins: [gateway.origin], path, pids };
}

/** In alternation, so disturbances affect all pairs. */
async function compare(pairs: Readonly<Record<'blind' | 'measured' | 'watched', Target>>): Promise<readonly Figure[]> {
  const rounds: { blind: Round; measured: Round; watched: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      blind: await load(pairs.blind, FULL),
      measured: await load(pairs.measured, FULL),
      watched: await load(pairs.watched, FULL),
    });
  }
  const ratio = (part: string, name: 'measured' | 'watched') =>
    median(rounds.map((round) => cpuOf(part, round[name]) / cpuOf(part, round.blind)));
  const held = (name: string, value: number): Figure => ({
    name,
    value,
    unit: 'ratio',
    atMost: MAX_FACTOR,
  });
  return [
    ...figuresOf(
      'neither traced nor measured',
      rounds.map(({ blind }) => blind),
    ),
    ...figuresOf(
      'measured',
      rounds.map(({ measured }) => measured),
    ),
    ...figuresOf(
      'traced at 5 % and measured',
      rounds.map(({ watched }) => watched),
    ),
    ...PARTS.map((part) => ({
      name: `CPU of ${part}, measured, to neither`,
      value: ratio(part, 'measured'),
      unit: 'ratio',
    })),
    ...PARTS.map((part) => held(`CPU of ${part}, traced and measured, to neither`, ratio(part, 'watched'))),
  ];
}
