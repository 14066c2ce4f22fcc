/** A measured value. A bench fails if one is outside of its limits. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The options of the command line, for shorter or longer runs. */
interface BenchOptions {
  /** Repetitions of a measurement. Figures are their medians. */
  readonly rounds: number;
  /** Duration of each load. */
  readonly seconds: number;
  /** Number of responses or events. Each bench has its own default. */
  readonly records: number | undefined;
}

/** Starts the processes it needs, measures, stops them, and returns the figures. */
export type Bench = (options: BenchOptions) => Promise<readonly Figure[]>;

interface Report {
  readonly bench: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly figures: readonly Figure[];
}

/** Prints a table and, as the last line, the report as JSON. Returns false if a value is outside of its limits. */
export function printReport(report: Report): boolean {
  const width = Math.max(...report.figures.map(({ name }) => name.length));
  for (const figure of report.figures) {
    const { name, value, unit, atLeast, atMost } = figure;
    const limits = [
      ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
      ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ];
    const verdict = limits.length === 0 ? '' : `  ${limits.join(', ')}: ${isWithinLimits(figure) ? 'met' : 'missed'}`;
    console.log(`${name.padEnd(width)}  ${format(value).padStart(10)} ${unit}${verdict}`);
  }
  console.log(JSON.stringify(report));
  return report.figures.every(isWithinLimits);
}

/** `NaN` is outside of any limit. */
function isWithinLimits({ value, atLeast, atMost }: Figure): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** Runs a measurement several times, one after the other. */
export async function repeat<T>(rounds: number, measure: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  while (results.length < rounds) results.push(await measure());
  return results;
}

/** The median of a value of some rounds. */
export function medianOf<T>(rounds: readonly T[], read: (round: T) => number): number {
  return median(rounds.map(read));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('the median of no values is undefined');
  return (low + high) / 2;
}

/** The milliseconds that a call takes. */
export async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** Median and 95th percentile of times, with a limit in milliseconds. */
export function latencyFigures(name: string, times: readonly number[], atMost: number): readonly Figure[] {
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return [
    { name: `${name}: p50`, value: median(times), unit: 'ms', atMost },
    { name: `${name}: p95`, value: p95, unit: 'ms', atMost },
  ];
}
