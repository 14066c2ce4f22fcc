import { type Figure, median } from '../bench-report.ts';
import { cpuOf, type Round } from '../measured-load.ts';
import { load, type Target } from './target.ts';

const ROUNDS = 3;
const MOST_RATIO = 1.15;

/**
 * The same load on one process of the response service and, in turns, on two of them: CPU of both together. Both run all the
 * time, so what a process costs that has nothing to do is in either.
 */
export async function compareReplicas(one: Target, two: Target, mostPerSecond: number): Promise<readonly Figure[]> {
  const pace = { kind: 'open', connections: 64, perSecond: mostPerSecond / 2 } as const;
  const rounds: { one: Round; two: Round }[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) rounds.push({ one: await load(one, pace), two: await load(two, pace) });
  const both = (round: Round) => cpuOf('response', round) + cpuOf('replica', round);
  const ratio = median(rounds.map((turn) => both(turn.two) / both(turn.one)));
  return [
    { name: 'one replica: CPU of both per request', value: median(rounds.map((turn) => both(turn.one))), unit: 'µs' },
    { name: 'two replicas: CPU of both per request', value: median(rounds.map((turn) => both(turn.two))), unit: 'µs' },
    {
      name: 'two replicas to one: CPU per request',
      value: ratio,
      unit: 'ratio',
      target: MOST_RATIO,
      ok: ratio <= MOST_RATIO,
    },
  ];
}
