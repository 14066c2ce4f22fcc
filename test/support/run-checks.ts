import { checks } from './checks.ts';

/** Counts of tests, or of checks. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs every check, tells each result, and what a failed one said. */
export async function runChecks(): Promise<Counts> {
  let failed = 0;
  for (const { name, run } of checks) {
    const startedAt = performance.now();
    const { passed, output } = await run();
    console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (!passed) {
      failed += 1;
      console.log(output);
    }
  }
  return { passed: checks.length - failed, failed, skipped: 0 };
}
