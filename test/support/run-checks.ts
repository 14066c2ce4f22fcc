import { checks } from './checks.ts';

/** What became of tests, or of checks. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed: its name, and the beginning of why. */
  readonly failures: readonly string[];
}

/** Runs every check, tells each result, and what a failed one said. */
export async function runChecks(): Promise<Outcome> {
  const failures: string[] = [];
  for (const { name, run } of checks) {
    const startedAt = performance.now();
    const { passed, output } = await run();
    console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (!passed) {
      failures.push(name);
      console.log(output);
    }
  }
  return { passed: checks.length - failures.length, failed: failures.length, skipped: 0, failures };
}
