import { type Figure, median } from '../bench-report.ts';
import { cpuOf, type Round } from '../measured-load.ts';
import { load, type Target } from './target.ts';

const ROUNDS = 3;
/** Under the same load, batches are half as large. */
const MOST_RATIO = { quarter: 1.15, one: 1.5 };

/**
 * Compares one and two processes of the response service in alternation: under the same load, and with the same load
 * per process. CPU is the sum of both, because an idle process also costs CPU.
 */
export async function compareReplicas(one: Target, two: Target, mostPerSecond: number): Promise<readonly Figure[]> {
  const paced = (target: Target, perSecond: number) => load(target, { kind: 'open', connections: 64, perSecond });
  const rounds: { quarter: Round; one: Round; two: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      quarter: await paced(one, mostPerSecond / 4),
      one: await paced(one, mostPerSecond / 2),
      two: await paced(two, mostPerSecond / 2),
    });
  const both = (round: Round) => cpuOf('response', round) + cpuOf('replica', round);
  const cpu = (name: string, of: 'quarter' | 'one' | 'two'): Figure => ({
    name: `${name}: CPU of both per request`,
    value: median(rounds.map((round) => both(round[of]))),
    unit: 'µs',
  });
  const ratioTo = (of: 'quarter' | 'one', name: string): Figure => {
    const value = median(rounds.map((round) => both(round.two) / both(round[of])));
    return { name, value, unit: 'ratio', atMost: MOST_RATIO[of] };
  };
  return [
    cpu('one replica with half of the load', 'quarter'),
    cpu('one replica', 'one'),
    cpu('two replicas', 'two'),
    ratioTo('quarter', 'two replicas to one, each as busy as the one: CPU per request'),
    ratioTo('one', 'two replicas to one, under the same load: CPU per request'),
  ];
}
