import type { Figure } from '../bench-report.ts';
import { median } from '../bench-report.ts';
import { residentBytes } from '../resident-memory.ts';
import { FULL, load, type Target } from './target.ts';

const EVERY_MS = 5_000;
const MOST_GROWTH_PERCENT = 10;
const MIB = 1024 * 1024;

/** Full load for minutes: whether processes take more memory in the end than when a third of the time was over. */
export async function endure(target: Target, names: readonly string[], minutes: number): Promise<readonly Figure[]> {
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  const read = async () => {
    for (const [name, list] of samples) list.push(await residentBytes(target.pids.get(name) ?? 0));
  };
  const timer = setInterval(() => void read().catch(() => {}), EVERY_MS);
  let failed: number;
  try {
    ({ failed } = await load(target, FULL, minutes * 60));
  } finally {
    clearInterval(timer);
  }
  return [
    { name: `${minutes} minutes: failed`, value: failed, unit: 'requests', target: 0, ok: failed === 0 },
    ...[...samples].flatMap(([name, list]) => figuresOf(`${minutes} minutes: memory of ${name}`, list)),
  ];
}

function figuresOf(name: string, samples: readonly number[]): readonly Figure[] {
  const third = Math.floor(samples.length / 3);
  const [before, end] = [median(samples.slice(third, 2 * third)), median(samples.slice(-third))];
  const growth = (end / before - 1) * 100;
  return [
    { name: `${name}, at most`, value: Math.max(...samples) / MIB, unit: 'MiB' },
    {
      name: `${name}, growth`,
      value: growth,
      unit: '%',
      target: MOST_GROWTH_PERCENT,
      ok: growth < MOST_GROWTH_PERCENT,
    },
  ];
}
