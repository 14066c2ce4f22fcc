/** A measured value. A bench fails if one is outside of its limits. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Starts the processes it needs, measures, stops them, and returns the figures. */
export type Bench = () => Promise<readonly Figure[]>;

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

/** The median of values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('the median of no values is undefined');
  return (low + high) / 2;
}
