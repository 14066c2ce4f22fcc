/** The progress of an import or upload at one time. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  readonly rows: number;
}

interface Estimate {
  readonly rowsPerSecond: number;
  /** Undefined if the samples show no progress. */
  readonly millisecondsLeft: number | undefined;
}

/** Maximum number of samples, so that the estimate follows the speed of the last seconds. */
const MAX_SAMPLES = 15;

/** Adds a sample, and keeps only the latest ones. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  return samples.at(-1)?.at === next.at ? samples : [...samples, next].slice(-MAX_SAMPLES);
}

/**
 * Estimates the speed and the remaining time. Undefined until there are two samples.
 *
 * @param total of bytes or rows, by `unit`
 */
export function estimate(
  samples: readonly Sample[],
  total: number,
  unit: 'bytes' | 'rows' = 'bytes',
): Estimate | undefined {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const elapsed = last.at - first.at;
  const done = last[unit] - first[unit];
  return {
    rowsPerSecond: ((last.rows - first.rows) / elapsed) * 1000,
    millisecondsLeft: done <= 0 ? undefined : (Math.max(0, total - last[unit]) / done) * elapsed,
  };
}

/** The progress of an import. A service of the previous release, which runs beside this console, leaves out `read`. */
interface Progress {
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  readonly read?: number;
}

/** The progress of the step that runs: an import reads its whole file, then stores the responses. */
export function stepOf({ bytes, total_bytes, rows, read }: Progress) {
  if (read !== undefined && rows > 0) return { isStoring: true, done: rows, total: read } as const;
  return { isStoring: false, done: bytes, total: total_bytes } as const;
}
