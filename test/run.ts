// Everything that `npm test` runs. The last line is the sum over all suites.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, runChecks } from './support/run-checks.ts';
import { runTool } from './support/run-step.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

async function runSuites(...projects: readonly string[]): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-report-'));
  const report = join(folder, 'report.json');
  const selected = projects.flatMap((project) => ['--project', project]);
  const { passed } = await runTool(
    'vitest',
    ['run', ...selected, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { show: true },
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests }: VitestReport = JSON.parse(
      await readFile(report, 'utf8'),
    );
    // A file that cannot be loaded, or an error outside of tests, fails the run without a failed test.
    const failed = passed ? numFailedTests : Math.max(1, numFailedTests);
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }; // the runner itself broke and has said why
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const parts = [
  await runChecks(),
  await runSuites('unit', 'integration'),
  await runSuites('e2e'),
  await runSuites('faults'),
];
const sum = (count: keyof Counts) => parts.reduce((total, part) => total + part[count], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
