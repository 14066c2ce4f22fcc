/** A measured value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: number;
  readonly ok?: boolean;
}

/** Starts the processes it needs, measures, stops them, and returns the figures. */
export type Bench = () => Promise<readonly Figure[]>;

interface Report {
  readonly bench: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly figures: readonly Figure[];
}

/** Prints a table and, as the last line, the report as JSON. Returns false if a target is missed. */
export function printReport(report: Report): boolean {
  const width = Math.max(...report.figures.map(({ name }) => name.length));
  for (const { name, value, unit, target, ok } of report.figures) {
    const verdict = target === undefined ? '' : `  target ${target}: ${ok ? 'met' : 'missed'}`;
    console.log(`${name.padEnd(width)}  ${format(value).padStart(10)} ${unit}${verdict}`);
  }
  console.log(JSON.stringify(report));
  return report.figures.every(({ ok }) => ok !== false);
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
