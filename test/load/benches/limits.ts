import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectOperator } from '@survey/local/operator/operator-client';
import { type Stack, startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { lunchSurvey } from '../../support/lunch-survey.ts';
import type { Bench, Figure } from '../bench-report.ts';
import { type BenchTenant, createBenchTenant } from '../bench-tenant.ts';
import { type LoadOutcome, type LoadTask, runLoad } from '../load-task.ts';
import { startReplica } from '../replica.ts';

/** Requests per minute of the flooding tenant. */
const LIMIT = 1_200;
const FLOOD_PER_SECOND = (LIMIT * 10) / 60;
const NEIGHBOUR_PER_SECOND = 20;
const [WARM_UP_MS, ALONE_MS, MINUTE_MS] = [3_000, 15_000, 60_000];
const [TOLERANCE, TARGET_P99_MS] = [0.05, 200];

/**
 * Measures how two gateways enforce the limit of a tenant that sends ten times as many requests as allowed, and how
 * that affects another tenant.
 */
export const bench: Bench = async () => {
  const cleanup = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
    cleanup.defer(stack.stop);
    const second = await startReplica({ stack, folder, part: 'gateway' });
    cleanup.defer(second.stop);
    const origins = [stack.info().gateway, second.origin];
    const [flooding, neighbour] = [await createBenchTenant(stack, folder), await createBenchTenant(stack, folder)];
    await limit(stack, folder, flooding);

    const asNeighbour = { ...taskOf(neighbour, origins), model: modelOf(NEIGHBOUR_PER_SECOND), warmUpMs: WARM_UP_MS };
    const alone = await runLoad({ ...asNeighbour, measureMs: ALONE_MS });
    const flood = { ...taskOf(flooding, origins), model: modelOf(FLOOD_PER_SECOND), warmUpMs: 0, measureMs: MINUTE_MS };
    // The neighbour's load starts before the flood.
    const beside = runLoad({ ...asNeighbour, measureMs: MINUTE_MS - WARM_UP_MS });
    return toFigures(alone, await runLoad(flood), await beside);
  } finally {
    await cleanup.disposeAsync();
  }
};

async function limit(stack: Stack, folder: string, { tenantId }: BenchTenant): Promise<void> {
  const operator = await connectOperator(toPaths(folder).keys, stack.info().services['identity']?.grpc ?? '');
  await operator.setTenantLimits(tenantId, { requestsPerMinute: LIMIT });
  operator.close();
}

/** A request without database access. */
function taskOf(
  { token }: BenchTenant,
  origins: readonly string[],
): Omit<LoadTask, 'model' | 'warmUpMs' | 'measureMs'> {
  const headers = { authorization: `Bearer ${token}` };
  return { origins, path: '/v1/surveys/validate', body: JSON.stringify(lunchSurvey), headers };
}

const modelOf = (perSecond: number) => ({ kind: 'open', connections: 32, perSecond }) as const;

function toFigures(alone: LoadOutcome, flood: LoadOutcome, beside: LoadOutcome): readonly Figure[] {
  const share = flood.succeeded / LIMIT;
  const rejected = flood.failures['429'] ?? 0;
  const others = [alone, beside].reduce(
    (sum, { failed, shed }) => sum + failed + shed,
    flood.shed + flood.failed - rejected,
  );
  const floodSeconds = MINUTE_MS / 1_000;
  const generators = (flood.cpuSeconds + beside.cpuSeconds) / floodSeconds;
  return [
    {
      name: 'admitted at two gateways within a minute, as a multiple of the limit',
      value: share,
      unit: '',
      atLeast: 1 - TOLERANCE,
      atMost: 1 + TOLERANCE,
    },
    {
      name: 'sent, as a multiple of the limit',
      value: (flood.succeeded + flood.failed + flood.shed) / LIMIT,
      unit: '',
    },
    { name: 'replies of another kind', value: others, unit: '', atMost: 0 },
    { name: 'neighbour alone: p99', value: alone.p99Ms, unit: 'ms' },
    {
      name: 'neighbour during the flood: p99',
      value: beside.p99Ms,
      unit: 'ms',
      atMost: TARGET_P99_MS,
    },
    { name: 'load generators: CPU', value: generators, unit: 'cores' },
  ];
}
