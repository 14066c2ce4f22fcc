import { type Figure, median } from '../bench-report.ts';
import { cpuOf, figuresOf, type Round } from '../measured-load.ts';
import type { Post } from './hops.ts';

const ROUNDS = 5;
const SECONDS = 8;
const FULL = { kind: 'closed', connections: 64 } as const;
const MOST_CPU = 1.4;

/** Measures both proxies at full load in alternation: the CPU per request. */
export async function compareWithBare(
  post: Post,
): Promise<{ readonly figures: readonly Figure[]; readonly mostPerSecond: number }> {
  // Warm up.
  for (const name of ['bare', 'gateway'] as const) await post(name, FULL, 10);
  const rounds: { bare: Round; gateway: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ bare: await post('bare', FULL, SECONDS), gateway: await post('gateway', FULL, SECONDS) });
  const bare = rounds.map((round) => round.bare);
  const gateway = rounds.map((round) => round.gateway);
  const ratio = median(rounds.map((round) => cpuOf('gateway', round.gateway) / cpuOf('bare', round.bare)));
  return {
    mostPerSecond: median(gateway.map(({ perSecond }) => perSecond)),
    figures: [
      ...figuresOf('bare', bare),
      ...figuresOf('gateway', gateway),
      { name: 'CPU of gateway to bare', value: ratio, unit: 'ratio', atMost: MOST_CPU },
    ],
  };
}
