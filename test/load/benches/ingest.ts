import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import type { Bench } from '../bench-report.ts';
import { type ForkedServer, forkServer } from '../forked-server.ts';
import { compareWithFloor } from '../ingest/compare-with-floor.ts';
import { measureEndurance } from '../ingest/endurance.ts';
import { overload } from '../ingest/overload.ts';
import { compareReplicas } from '../ingest/replicas.ts';
import { measureAtHalf } from '../ingest/steadiness.ts';
import { type Target, warmUp } from '../ingest/target.ts';
import { publishLunch } from '../lunch-load.ts';
import { infraPids, platformPids } from '../measured-load.ts';
import { type Replica, startReplica } from '../replica.ts';

/** Duration of full load for measuring memory. */
const MINUTES = Number(process.env['SURVEY_BENCH_MINUTES'] ?? 10);

/** Measures the cost of accepting responses, compared with the floor and under different loads. */
export const bench: Bench = async () => {
  const cleanup = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
    cleanup.defer(stack.stop);
    const floor = await forkServer('floor.ts', [stack.info().mongodb_uri, `floor-${randomUUID()}`]);
    cleanup.defer(floor.stop);
    const { platform, service, ...rest } = await toTargets(stack, folder, floor);

    await warmUp([rest.floor, service, platform]);
    const { figures, mostPerSecond } = await compareWithFloor({ ...rest, service, platform });
    const half = await measureAtHalf(platform, mostPerSecond);
    const twice = await overload(platform, mostPerSecond);
    const long = await measureEndurance(platform, ['gateway', 'response'], MINUTES);
    const replica = await startReplica({ stack, folder, part: 'response' });
    cleanup.defer(replica.stop);
    const [one, two] = [withReplica(service, replica, false), withReplica(service, replica, true)];
    await warmUp([two]);
    return [...figures, ...half, ...twice, ...long, ...(await compareReplicas(one, two, mostPerSecond))];
  } finally {
    await cleanup.disposeAsync();
  }
};

async function toTargets(stack: Stack, folder: string, floor: ForkedServer) {
  const path = await publishLunch(stack, folder);
  const { gateway, services } = stack.info();
  const { keys } = toPaths(folder);
  const internalKey = { file: toKeyFiles(keys).internalKeyOf('gateway'), caller: 'gateway', audience: 'response' };
  return {
    floor: { origins: [floor.origin], path: '/', pids: new Map([['floor', floor.pid], ...infraPids(stack)]) },
    service: { origins: [services['response']?.http ?? ''], path, internalKey, pids: platformPids(stack) },
    platform: { origins: [gateway], path, pids: platformPids(stack) },
  };
}

/** Adds the CPU of a replica, which may or may not take part in the load. */
function withReplica(service: Target, { origin, pid }: Replica, takesPart: boolean): Target {
  const origins = takesPart ? [...service.origins, origin] : service.origins;
  return { ...service, origins, pids: new Map([...service.pids, ['replica', pid]]) };
}
