import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { startFloor } from '../floor-process.ts';
import { lunchBody, publishLunch } from '../lunch-load.ts';
import { figuresOf, infraPids, measureLoad, type Pids, platformPids, type Round } from '../measured-load.ts';

const ROUNDS = 3;
const CONNECTIONS = 32;

/** Measures submissions per second through the gateway, in alternation with the floor. */
export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
  const floor = await startFloor(stack.info().mongodb_uri);
  try {
    const path = await publishLunch(stack, folder);
    const { gateway } = stack.info();
    const rounds: { platform: Round[]; floor: Round[] } = { platform: [], floor: [] };
    for (let n = 0; n < ROUNDS; n += 1) {
      rounds.platform.push(await measure(gateway, path, platformPids(stack)));
      rounds.floor.push(await measure(floor.origin, '/', new Map([['floor', floor.pid], ...infraPids(stack)])));
    }
    return [...figuresOf('platform', rounds.platform), ...figuresOf('floor', rounds.floor), ...ratiosOf(rounds)];
  } finally {
    await floor.stop();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function measure(origin: string, path: string, pids: Pids): Promise<Round> {
  const model = { kind: 'closed', connections: CONNECTIONS } as const;
  return measureLoad({ origins: [origin], path, body: lunchBody, model, warmUpMs: 3_000, measureMs: 7_000 }, pids);
}

/** The ratio of each round to the same round of the floor. */
function ratiosOf({ platform, floor }: { platform: readonly Round[]; floor: readonly Round[] }): readonly Figure[] {
  const ratios = platform.map(({ perSecond }, round) => perSecond / (floor[round]?.perSecond ?? Number.NaN));
  return [{ name: 'platform to floor: submits', value: median(ratios), unit: 'ratio' }];
}
