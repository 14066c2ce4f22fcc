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

/** Estimates the speed and the remaining time. Undefined until there are two samples. */
export function estimate(samples: readonly Sample[], totalBytes: number): Estimate | undefined {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const elapsed = last.at - first.at;
  const bytes = last.bytes - first.bytes;
  return {
    rowsPerSecond: ((last.rows - first.rows) / elapsed) * 1000,
    millisecondsLeft: bytes <= 0 ? undefined : (Math.max(0, totalBytes - last.bytes) / bytes) * elapsed,
  };
}
