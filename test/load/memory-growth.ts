import { type Figure, median } from './bench-report.ts';
import { residentBytes } from './resident-memory.ts';

const EVERY_MS = 5_000;
const MOST_GROWTH_PERCENT = 10;
const MIB = 1024 * 1024;

/** Checks whether the memory of processes grows after the first third of some work. `label` names the work. */
export async function watchGrowth<T>(
  label: string,
  pids: ReadonlyMap<string, number>,
  work: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly figures: readonly Figure[] }> {
  const samples = new Map([...pids.keys()].map((name) => [name, [] as number[]]));
  const read = async () => {
    for (const [name, list] of samples) list.push(await residentBytes(pids.get(name) ?? 0));
  };
  const timer = setInterval(() => void read().catch(() => {}), EVERY_MS);
  try {
    const outcome = await work();
    return { outcome, figures: [...samples].flatMap(([name, list]) => figuresOf(`${label}: memory of ${name}`, list)) };
  } finally {
    clearInterval(timer);
  }
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
      atMost: MOST_GROWTH_PERCENT,
    },
  ];
}
