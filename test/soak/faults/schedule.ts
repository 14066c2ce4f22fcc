import { createRandom, pick, type Random } from '@survey/runtime/testing/seeded-random';

export type FaultKind = 'kill' | 'stall' | 'cut' | 'pause' | 'disk full' | 'step down' | 'restart';

/** A planned fault. */
export interface PlannedFault {
  /** Seconds after the start; later if the previous fault takes longer. */
  readonly at: number;
  readonly kind: FaultKind;
  /** The name of a process, connection or database. */
  readonly target: string;
  /** Duration until it is healed. */
  readonly seconds: number;
}

/** The possible targets of faults. */
export interface FaultTargets {
  /** The processes of the platform itself. */
  readonly processes: readonly string[];
  readonly lines: readonly string[];
  /** Databases by the names of the services' connections. */
  readonly databases: readonly string[];
}

interface Choice {
  readonly kind: FaultKind;
  /** The relative frequency. */
  readonly weight: number;
  readonly seconds: readonly [least: number, most: number];
  readonly targets: (targets: FaultTargets) => readonly string[];
}

const INFRA = ['mongodb', 'kafka'] as const;

/** Two rows run concurrently, so at most two faults of different rows overlap. */
const ROWS: readonly (readonly Choice[])[] = [
  [
    { kind: 'kill', weight: 5, seconds: [0, 3], targets: ({ processes }) => processes },
    { kind: 'stall', weight: 4, seconds: [1, 20], targets: ({ processes }) => processes },
  ],
  [
    { kind: 'cut', weight: 6, seconds: [0, 8], targets: ({ lines }) => lines },
    { kind: 'pause', weight: 5, seconds: [1, 12], targets: ({ lines }) => lines },
    { kind: 'disk full', weight: 2, seconds: [2, 8], targets: ({ databases }) => databases },
    { kind: 'step down', weight: 2, seconds: [1, 5], targets: () => ['mongodb'] },
    { kind: 'stall', weight: 1, seconds: [1, 10], targets: () => INFRA },
    { kind: 'restart', weight: 1, seconds: [0, 8], targets: () => INFRA },
  ],
];

/** Pause between two faults of a row, in seconds. */
const PAUSE = [1, 5] as const;

/** Plans the faults of each row, in order. They depend only on the seed. */
export function planFaults(seed: number, seconds: number, targets: FaultTargets): readonly (readonly PlannedFault[])[] {
  return ROWS.map((choices, index) => planRow(createRandom(seed + index), choices, { seconds, targets }));
}

function planRow(
  random: Random,
  choices: readonly Choice[],
  { seconds, targets }: { readonly seconds: number; readonly targets: FaultTargets },
): readonly PlannedFault[] {
  const weighted = choices.flatMap((choice) => Array<Choice>(choice.weight).fill(choice));
  const faults: PlannedFault[] = [];
  for (let at = between(random, PAUSE); ; ) {
    const { kind, seconds: range, targets: targetsOf } = pick(random, weighted);
    const fault = { at, kind, target: pick(random, targetsOf(targets)), seconds: between(random, range) };
    // All faults are healed before the end.
    if (at + fault.seconds > seconds) return faults;
    faults.push(fault);
    at = toTenths(at + fault.seconds + between(random, PAUSE));
  }
}

function between(random: Random, [least, most]: readonly [number, number]): number {
  return toTenths(least + random() * (most - least));
}

const toTenths = (value: number) => Math.round(value * 10) / 10;
