import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '@survey/local/stack';
import type { Bench, Figure } from '../bench-report.ts';
import { publishLunch } from '../lunch-load.ts';
import { infraPids, platformPids, readCpu } from '../measured-load.ts';

/** Until then, polling has slowed down and start-up garbage is collected. */
const SETTLE_MS = 300_000;
const MEASURE_MS = 60_000;

/** Measures the CPU of an idle platform with a published survey. No figure has a target: nobody feels it. */
export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
  try {
    await publishLunch(stack, folder);
    await sleep(SETTLE_MS);
    const pids = platformPids(stack);
    const [before] = [await readCpu(pids), await sleep(MEASURE_MS)];
    const after = await readCpu(pids);
    const shares = [...after].map(([name, seconds]) => {
      const used = seconds - (before.get(name) ?? 0);
      return { name, value: (used / (MEASURE_MS / 1_000)) * 100 };
    });
    const sum = (those: typeof shares) => those.reduce((total, { value }) => total + value, 0);
    const infra = infraPids(stack);
    const unit = '% of a core';
    return [
      ...shares.map(({ name, value }): Figure => ({ name, value, unit })),
      { name: 'all processes', value: sum(shares), unit },
      {
        name: 'gateway and services',
        value: sum(shares.filter(({ name }) => !infra.has(name))),
        unit,
      },
    ];
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
