import { type Figure, median } from '../bench-report.ts';
import { cpuOf, figuresOf, type Round } from '../measured-load.ts';
import { FULL, load, type Target } from './target.ts';

const ROUNDS = 5;
/** Near the values of ADR 85; `all` is that of ADR 88. */
const MOST_CPU = { response: 5.5, gateway: 3.3, all: 10.2 };
const LEAST_ALONE = 0.32;
const LEAST_THROUGH_GATEWAY = 0.24;
/** CPU of all processes for a submit through the gateway. */
const MOST_CPU_IN_ALL = 530;
/** CPU of ODK Central with its database for a submission, without its later job, measured on the same machine. */
const ODK_CENTRAL_CPU = 4_400;

export interface Comparison {
  readonly figures: readonly Figure[];
  /** Maximum submissions per second of the platform. */
  readonly mostPerSecond: number;
}

/**
 * Measures full load in alternation: the floor (the least work that stores a response), the response service alone, and
 * the platform through its gateway.
 */
export async function compareWithFloor(
  targets: Readonly<Record<'floor' | 'service' | 'platform', Target>>,
): Promise<Comparison> {
  const rounds: { floor: Round; service: Round; platform: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      floor: await load(targets.floor, FULL),
      service: await load(targets.service, FULL),
      platform: await load(targets.platform, FULL),
    });
  }
  const medianOf = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
  const cpu = (name: string, of: (round: (typeof rounds)[number]) => Round) =>
    medianOf((round) => cpuOf(name, of(round)) / cpuOf('floor', round.floor));
  const inAll = (round: Round) => [...round.cpu.keys()].reduce((sum, name) => sum + cpuOf(name, round), 0);
  const all = (name: keyof (typeof rounds)[number]) => rounds.map((round) => round[name]);
  return {
    mostPerSecond: median(all('platform').map(({ perSecond }) => perSecond)),
    figures: [
      ...figuresOf('floor', all('floor')),
      ...figuresOf('service alone', all('service')),
      ...figuresOf('through the gateway', all('platform')),
      {
        name: 'CPU of all processes, through the gateway',
        value: medianOf(({ platform }) => inAll(platform)),
        unit: 'µs',
        atMost: MOST_CPU_IN_ALL,
      },
      {
        name: 'CPU of all processes, through the gateway, to floor',
        value: medianOf(({ floor, platform }) => inAll(platform) / inAll(floor)),
        unit: 'ratio',
        atMost: MOST_CPU.all,
      },
      {
        name: 'CPU of ODK Central to all processes, through the gateway',
        value: medianOf(({ platform }) => ODK_CENTRAL_CPU / inAll(platform)),
        unit: 'ratio',
      },
      {
        name: 'CPU of response, alone, to floor',
        value: cpu('response', ({ service }) => service),
        unit: 'ratio',
        atMost: MOST_CPU.response,
      },
      {
        name: 'CPU of response, through the gateway, to floor',
        value: cpu('response', ({ platform }) => platform),
        unit: 'ratio',
        atMost: MOST_CPU.response,
      },
      {
        name: 'CPU of gateway to floor',
        value: cpu('gateway', ({ platform }) => platform),
        unit: 'ratio',
        atMost: MOST_CPU.gateway,
      },
      {
        name: 'submits, service alone, to floor',
        value: medianOf((round) => round.service.perSecond / round.floor.perSecond),
        unit: 'ratio',
        atLeast: LEAST_ALONE,
      },
      {
        name: 'submits, through the gateway, to floor',
        value: medianOf((round) => round.platform.perSecond / round.floor.perSecond),
        unit: 'ratio',
        atLeast: LEAST_THROUGH_GATEWAY,
      },
    ],
  };
}
